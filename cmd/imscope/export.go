package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"imscope/sim/protocol"
	"imscope/templates"
	"imscope/web"
)

func exportHelp() string {
	return `imscope export --out DIR [flags]

Writes the site as a folder of files that any web host can serve, also below another folder: playing, stepping, other protocols, runs
beside one another and sliders work without a server. What needs the engine says so.

	--out         the folder; what is in it is overwritten, nothing is removed
	--lang        zh,en without the flag
	--chapter     which chapters, with commas between them; all without the flag
	--public-url  where the folder will be found, such as https://example.org/lab: for what has to be absolute, and for previews of
	              shared links, which rsvg-convert draws if it is there
	--live        a server of imscope, to which what needs the engine leads
`
}

func exportSite(ctx context.Context, args []string, stdout, _ io.Writer) error {
	words, values, err := parseArgs(args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return wrongUse("export takes no %q", words[0])
	}
	c := web.ExportConfig{Langs: templates.Langs, Chapters: protocol.Catalog}
	for _, v := range values {
		if err := setExportOption(&c, v); err != nil {
			return err
		}
	}
	if c.Dir == "" {
		return wrongUse("export where? --out names a folder")
	}
	start := time.Now()
	done, err := web.Export(ctx, c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d pages and %d previews in %s: %d files, %.1f MB, %.1f s\n", done.Pages, done.Previews, c.Dir, done.Files, float64(done.Bytes)/1e6, time.Since(start).Seconds())
	return err
}

func setExportOption(c *web.ExportConfig, v value) (err error) {
	switch v.name {
	case "out":
		c.Dir = v.text
	case "public-url":
		c.PublicURL, err = siteURL(v.name, v.text)
	case "live":
		c.Live, err = siteURL(v.name, v.text)
	case "lang":
		c.Langs = nil
		for _, code := range strings.Split(v.text, ",") {
			lang, ok := templates.ParseLang(code)
			if !ok {
				return unknown("language", code, []string{"en", "zh"})
			}
			c.Langs = append(c.Langs, lang)
		}
	case "chapter":
		c.Chapters = nil
		for _, name := range strings.Split(v.text, ",") {
			r := new(request)
			if err := r.chooseChapter([]string{name}); err != nil {
				return err
			}
			c.Chapters = append(c.Chapters, r.chapter)
		}
	default:
		err = unknown("flag", "--"+v.name, []string{"--out", "--lang", "--chapter", "--public-url", "--live"})
	}
	return err
}
