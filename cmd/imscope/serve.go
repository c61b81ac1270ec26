package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strings"

	"imscope/web"
	"imscope/web/room"
)

func serveHelp() string {
	return `imscope serve [flags]

Serves the pages until it is interrupted.

	--addr          HOST:PORT to listen on: localhost:8080. Port 0 takes a free one
	--public-url    where readers find the site, such as https://example.org, for addresses that have to be absolute; without it they
	                are those of each request
	--embed-origins which sites may show a run in their pages: * (any), none, or origins with commas between them, such as
	                https://example.org,https://*.example.net. All other pages of imscope can be framed by nobody
	--data          the folder in which rooms are kept, those in which a class follows a presenter, so that they outlive the process;
	                else it is imscope in the folder for caches of this user. One process at a time can use it; if it is in use, or
	                cannot be made, and no --data was given, rooms last as long as the process does
	--nats          URL of a NATS server (2.11 or later, with JetStream) that keeps them instead; any number of processes then serve
	                them together
`
}

// serving is what the flags say.
type serving struct {
	web.Config
	data, nats string // where rooms are kept
}

// serveOptions are the flags of serve.
var serveOptions = []struct {
	name string
	set  func(c *serving, text string) error
}{
	{"addr", func(c *serving, text string) error {
		if _, _, err := net.SplitHostPort(text); err != nil {
			return wrongUse("addr: %q is not HOST:PORT", text)
		}
		c.Addr = text
		return nil
	}},
	{"public-url", func(c *serving, text string) (err error) {
		c.PublicURL, err = siteURL("public-url", text)
		return err
	}},
	{"embed-origins", func(c *serving, text string) (err error) {
		c.EmbedOrigins, err = embedOrigins(text)
		return err
	}},
	{"data", func(c *serving, text string) error { c.data = text; return nil }},
	{"nats", func(c *serving, text string) error { c.nats = text; return nil }},
}

// siteURL reads where a site is, and leaves out the slash at its end.
func siteURL(flag, text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", wrongUse("%s: %q is not an address such as https://example.org", flag, text)
	}
	return strings.TrimSuffix(text, "/"), nil
}

// originForm is an origin as a content security policy writes it. What else could stand there would end the list.
var originForm = regexp.MustCompile(`^https?://(\*\.)?[A-Za-z0-9.-]+(:[0-9]+|:\*)?$`)

// embedOrigins reads which sites may show a run.
func embedOrigins(text string) ([]string, error) {
	switch text {
	case "none":
		return nil, nil
	case "*":
		return []string{"*"}, nil
	}
	all := strings.Split(text, ",")
	for _, origin := range all {
		if !originForm.MatchString(origin) {
			return nil, wrongUse("embed-origins: %q is not an origin such as https://example.org", origin)
		}
	}
	return all, nil
}

func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	words, values, err := parseArgs(args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return wrongUse("serve takes no %q", words[0])
	}
	c := serving{Config: web.Config{
		Addr:         "localhost:8080",
		Log:          slog.New(slog.NewTextHandler(stderr, nil)),
		EmbedOrigins: []string{"*"},
		Ready:        func(a net.Addr) { fmt.Fprintf(stdout, "imscope is at http://%s\n", a) },
	}}
	for _, v := range values {
		if err := setServeOption(&c, v); err != nil {
			return err
		}
	}
	if c.data != "" && c.nats != "" {
		return wrongUse("--data is for rooms without --nats")
	}
	if c.Rooms, err = openRooms(ctx, c.Log, c.data, c.nats); err != nil {
		return err
	}
	defer c.Rooms.Close()
	return web.Serve(ctx, c.Config)
}

func setServeOption(c *serving, v value) error {
	var known []string
	for _, o := range serveOptions {
		if o.name == v.name {
			return o.set(c, v.text)
		}
		known = append(known, "--"+o.name)
	}
	return unknown("flag", "--"+v.name, known)
}

// openRooms opens the rooms where the flags say. If they say nothing and the usual folder is not to be had, as when a second server is
// tried beside the first, rooms are kept for as long as this process lives.
func openRooms(ctx context.Context, log *slog.Logger, data, nats string) (*room.Rooms, error) {
	config := room.Config{NATS: nats, Dir: data, Log: log}
	if data != "" || nats != "" {
		return room.Open(ctx, config)
	}
	dir, err := room.DefaultDir()
	if err == nil {
		config.Dir = dir
		rooms, failed := room.Open(ctx, config)
		if failed == nil {
			return rooms, nil
		}
		err = failed
	}
	config.Dir = ""
	rooms, failed := room.Open(ctx, config)
	if failed == nil {
		log.Warn("rooms end with this process; --data DIR keeps them", "because", err)
	}
	return rooms, failed
}
