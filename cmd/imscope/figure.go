package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"imscope/sim/im"
	"imscope/web"
)

func figureHelp() string {
	return `imscope figure CHAPTER [flags]

Draws a run at a moment as a picture that stands by itself, or writes it as a story or as its steps.

	--protocol, --scenario, --file, --edits and every knob: as for imscope run; without --protocol the chapter's first
	--at         the moment: 6.24s, end; without it the start (of a story: the end)
	--strip      several moments side by side: 1.5s_3.62s_end
	--show       what is in the picture: diagram, screens, sentences, with _ between them
	--look       light, dark, print (greys)
	--lang       en, zh
	--format     svg, md (the story, in Markdown), json or csv (the steps); without it as the file's name ends
	-o           the file; without it, the standard output
`
}

// figureOptions are the flags of figure that an address has too.
var figureOptions = []string{"at", "strip", "show", "look", "lang"}

func writeFigure(ctx context.Context, args []string, stdout, _ io.Writer) error {
	r := new(request)
	given := url.Values{}
	var format, out string
	own := options{
		"scenario": (*request).chooseScenario, "file": (*request).readFile, "edits": (*request).chooseEdits,
		"format": func(_ *request, text string) error { format = text; return nil },
		"o":      func(_ *request, text string) error { out = text; return nil },
	}
	for _, name := range figureOptions {
		own[name] = func(_ *request, text string) error { given.Set(name, text); return nil }
	}
	if err := r.parse(args, first, own); err != nil {
		return err
	}
	if format == "" {
		if format = strings.TrimPrefix(filepath.Ext(out), "."); format == "" {
			format = "svg"
		}
	}
	file, err := web.WriteFile(ctx, r.chapter, r.scenario, r.protocols[0], format, given)
	var wrong *im.ParamError
	switch {
	case errors.As(err, &wrong):
		return wrongUse("%v", wrong)
	case err != nil:
		return err
	case out == "":
		_, err = stdout.Write(file)
	default:
		err = os.WriteFile(out, file, 0o644)
	}
	if err != nil {
		return fmt.Errorf("write the figure: %w", err)
	}
	return nil
}
