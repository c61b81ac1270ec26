package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"

	"imscope/web"
	"imscope/web/room"
)

func serveHelp() string {
	return `imscope serve [--addr HOST:PORT] [--data DIR | --nats URL]

Serves the pages until it is interrupted. Without --addr: localhost:8080. Port 0 takes a free one.

Rooms, in which a class follows a presenter, are kept in a folder, so that they outlive the process: --data says which, else it is imscope in
the folder for caches of this user. One process at a time can use it; if it is in use, or cannot be made, and no --data was given,
rooms last as long as the process does. With --nats they are kept by a NATS server (2.11 or later, with JetStream), and any number of
processes serve them together.
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
	given := map[string]string{"addr": "localhost:8080", "data": "", "nats": ""}
	for _, v := range values {
		if _, ok := given[v.name]; !ok {
			return unknown("flag", "--"+v.name, []string{"--addr", "--data", "--nats"})
		}
		given[v.name] = v.text
	}
	if _, _, err := net.SplitHostPort(given["addr"]); err != nil {
		return wrongUse("addr: %q is not HOST:PORT", given["addr"])
	}
	if given["data"] != "" && given["nats"] != "" {
		return wrongUse("--data is for rooms without --nats")
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	rooms, err := openRooms(ctx, log, given["data"], given["nats"])
	if err != nil {
		return err
	}
	defer rooms.Close()
	return web.Serve(ctx, web.Config{
		Addr:  given["addr"],
		Log:   log,
		Rooms: rooms,
		Ready: func(a net.Addr) { fmt.Fprintf(stdout, "imscope is at http://%s\n", a) },
	})
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
