package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"

	"imscope/web"
)

func serveHelp() string {
	return `imscope serve [--addr HOST:PORT]

Serves the pages until it is interrupted. Without --addr: localhost:8080. Port 0 takes a free one.
`
}

func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	words, values, err := parseArgs(args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return wrongUse("serve takes no %q", words[0])
	}
	addr := "localhost:8080"
	for _, v := range values {
		if v.name != "addr" {
			return unknown("flag", "--"+v.name, []string{"--addr"})
		}
		addr = v.text
	}
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return wrongUse("addr: %q is not HOST:PORT", addr)
	}
	return web.Serve(ctx, web.Config{
		Addr:  addr,
		Log:   slog.New(slog.NewTextHandler(stderr, nil)),
		Ready: func(a net.Addr) { fmt.Fprintf(stdout, "imscope is at http://%s\n", a) },
	})
}
