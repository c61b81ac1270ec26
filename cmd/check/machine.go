package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A need is a program or a font that a check cannot do without.
type need struct {
	check    string
	name     string
	packages []string // of Debian
	there    func(ctx context.Context) bool
}

var needs = []need{
	{"race", "a C compiler", []string{"gcc", "libc6-dev"}, haveCompiler},
	{"browser", "Chromium", []string{"chromium"}, haveChromium},
	{"browser", "rsvg-convert", []string{"librsvg2-bin"}, haveRsvg},
	{"browser", "a Chinese font", []string{"fonts-wqy-microhei", "fontconfig"}, haveChineseFont},
}

func haveCompiler(ctx context.Context) bool {
	var cc bytes.Buffer
	if err := command(ctx, &cc, nil, "go", "env", "CC"); err != nil {
		return false
	}
	_, err := exec.LookPath(strings.TrimSpace(cc.String()))
	return err == nil
}

func haveChromium(context.Context) bool {
	return slices.ContainsFunc([]string{"chromium", "chromium-browser", "google-chrome"}, func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	})
}

func haveRsvg(context.Context) bool {
	_, err := exec.LookPath("rsvg-convert")
	return err == nil
}

// haveChineseFont asks fontconfig; other systems than Linux come with a font.
func haveChineseFont(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return true
	}
	var fonts bytes.Buffer
	err := command(ctx, &fonts, nil, "fc-list", ":lang=zh")
	return err == nil && len(bytes.TrimSpace(fonts.Bytes())) > 0
}

// prepareMachine installs what the checks need and is not there, when it may.
// Otherwise it returns one line that says what to install.
func prepareMachine(ctx context.Context, w io.Writer, todo [][]check) string {
	names, packages := missing(ctx, todo)
	if len(names) == 0 {
		return ""
	}
	apt, err := exec.LookPath("apt-get")
	if err == nil && os.Getuid() == 0 {
		start := time.Now()
		var log bytes.Buffer
		err := install(ctx, &log, apt, packages)
		if still, _ := missing(ctx, todo); err == nil && len(still) == 0 {
			fmt.Fprintf(w, "%-12s ok      %5.1f s  installed %s\n", "machine", time.Since(start).Seconds(), strings.Join(packages, " "))
			return ""
		}
		w.Write(log.Bytes())
	}
	return fmt.Sprintf("Please install %s (on Debian: apt-get install %s).", strings.Join(names, ", "), strings.Join(packages, " "))
}

func missing(ctx context.Context, todo [][]check) (names, packages []string) {
	for _, n := range needs {
		wanted := slices.ContainsFunc(slices.Concat(todo...), func(c check) bool { return c.name == n.check })
		if wanted && !n.there(ctx) {
			names = append(names, n.name)
			packages = append(packages, n.packages...)
		}
	}
	return names, packages
}

func install(ctx context.Context, out io.Writer, apt string, packages []string) error {
	env := []string{"DEBIAN_FRONTEND=noninteractive"}
	if err := command(ctx, out, env, apt, "update"); err != nil {
		return err
	}
	return command(ctx, out, env, apt, append([]string{"install", "--yes", "--no-install-recommends"}, packages...)...)
}
