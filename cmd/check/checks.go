package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// stages are the checks in the order they run; those of one stage run side by
// side. The first ones use one core each, as do race and 386 for most of their
// time; the others keep all cores busy, or measure and want to be alone. The
// client is built before anything that compiles the package that embeds it.
var stages = [][]check{
	{{"gofmt", gofmt}, {"templ-fmt", templFmt}, {"generated", generated}, {"client", client}},
	{{"vet", vet}},
	{{"staticcheck", staticcheck}},
	{{"unit", unit}},
	{{"race", race}, {"386", on386}},
	{{"browser", browserTests}},
}

const browserPackage = "imscope/web/browser"

// gofmt formats with the library the gofmt command is made of, which is always
// there and of the version that compiles the code.
func gofmt(_ context.Context, out io.Writer) error {
	files, err := find(".go")
	if err != nil {
		return err
	}
	return formatted(out, files, "gofmt -w", func(_ string, src []byte) ([]byte, error) {
		return format.Source(src)
	})
}

// templFmt asks for each file on stdout: `templ fmt -fail` would tell too, but
// it rewrites what it complains about. Prettier is kept out of it, so that the
// answer is the same on every machine.
func templFmt(ctx context.Context, out io.Writer) error {
	files, err := find(".templ")
	if err != nil {
		return err
	}
	// The tool itself, since `go tool` takes longer to find it than it runs.
	var path bytes.Buffer
	if err := command(ctx, &path, nil, "go", "tool", "-n", "templ"); err != nil {
		return fmt.Errorf("%w: %s", err, path.Bytes())
	}
	templ := strings.TrimSpace(path.String())
	return formatted(out, files, "go tool templ fmt", func(name string, _ []byte) ([]byte, error) {
		var stdout bytes.Buffer
		err := command(ctx, &stdout, nil, templ, "fmt", "-log-level=error", "-prettier-command=none", "-stdout", name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, stdout.Bytes())
		}
		return stdout.Bytes(), nil
	})
}

// formatted lists the files that a formatter would change.
func formatted(out io.Writer, files []string, mend string, formatter func(name string, src []byte) ([]byte, error)) error {
	var bad int
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		want, err := formatter(name, src)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Equal(src, want) {
			bad++
			fmt.Fprintln(out, name)
		}
	}
	if bad > 0 {
		return fmt.Errorf("not formatted; run %s on them", mend)
	}
	return nil
}

// find lists the files of the project that end in suffix and are written by
// hand.
func find(suffix string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (d.Name() == "node_modules" || d.Name()[0] == '.'):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, suffix) && !strings.HasSuffix(path, "_templ.go"):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

func generated(ctx context.Context, out io.Writer) error {
	if err := command(ctx, out, nil, "go", "tool", "templ", "generate", "-check"); err != nil {
		return fmt.Errorf("run go tool templ generate: %w", err)
	}
	return nil
}

func client(ctx context.Context, out io.Writer) error {
	return command(ctx, out, nil, "node", "static/build.mjs")
}

func vet(ctx context.Context, out io.Writer) error {
	return command(ctx, out, nil, "go", "vet", "./...")
}

func staticcheck(ctx context.Context, out io.Writer) error {
	return command(ctx, out, nil, "go", "tool", "staticcheck", "./...")
}

func unit(ctx context.Context, out io.Writer) error {
	return test(ctx, out)
}

// on386 runs the engine where an int has 32 bits and floating point other
// instructions: the same run must give the same bytes.
func on386(ctx context.Context, out io.Writer) error {
	if runtime.GOOS != "linux" || !slices.Contains([]string{"amd64", "386"}, runtime.GOARCH) {
		return skipped("needs linux on amd64")
	}
	var log bytes.Buffer
	err := goTest(ctx, &log, []string{"GOARCH=386", "CGO_ENABLED=0"}, "./sim/...")
	if err != nil && bytes.Contains(log.Bytes(), []byte("exec format error")) {
		return skipped("this kernel runs no 32-bit programs")
	}
	out.Write(log.Bytes())
	return err
}

func race(ctx context.Context, out io.Writer) error {
	return test(ctx, out, "-race")
}

// browserTests runs every time: Chromium is no input that the go command knows of.
func browserTests(ctx context.Context, out io.Writer) error {
	return goTest(ctx, out, []string{"IMSCOPE_BROWSER=required"}, "-count=1", "-timeout=20m", browserPackage)
}

// test runs the tests of all packages but those that need Chromium.
func test(ctx context.Context, out io.Writer, flags ...string) error {
	var list bytes.Buffer
	if err := command(ctx, &list, nil, "go", "list", "./..."); err != nil {
		out.Write(list.Bytes())
		return err
	}
	packages := slices.DeleteFunc(strings.Fields(list.String()), func(p string) bool { return p == browserPackage })
	if len(packages) == 0 {
		return errors.New("no packages")
	}
	return goTest(ctx, out, nil, append(flags, packages...)...)
}

// goTest leaves out the vetting that go test does, since vet is a check of its own.
func goTest(ctx context.Context, out io.Writer, env []string, args ...string) error {
	return command(ctx, out, env, "go", append([]string{"test", "-vet=off"}, args...)...)
}
