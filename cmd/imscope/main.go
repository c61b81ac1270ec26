// Command imscope serves the pages, plays runs, estimates figures from very many, and finds one in which something happens.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(exitCode(err, os.Stderr))
}

// command is a subcommand. It takes the arguments after its name.
type command struct {
	name string
	run  func(ctx context.Context, args []string, stdout, stderr io.Writer) error
	help func() string
}

// commands lists the subcommands, the default one first.
func commands() []command {
	return []command{
		{"serve", serve, serveHelp},
		{"run", playRuns, runHelp},
		{"estimate", estimateFigures, estimateHelp},
		{"find", findRuns, findHelp},
		{"lesson", lessons, lessonHelp},
		{"figure", writeFigure, figureHelp},
		{"export", exportSite, exportHelp},
	}
}

const usage = `imscope draws how a chat system orders, loses and finds its messages.

	imscope                          serve the pages on localhost:8080
	imscope serve --addr HOST:PORT   serve them elsewhere
	imscope run ordering             play a run and print it
	imscope estimate ordering        play very many messages and print their figures
	imscope find ordering --where 'missing_unnoticed > 0 && inverted_pairs == 0'
	                                 look for a run in which something happens
	imscope lesson check FILE        read the text of a lesson for a class
	imscope figure ordering --at 6.98s -o fig.svg
	                                 draw a run at a moment, for print
	imscope export --out dist        write the site as files that need no server

imscope help COMMAND tells more of one.
`

// run does what the arguments ask for.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	all := commands()
	if len(args) == 0 {
		return all[0].run(ctx, args, stdout, stderr)
	}
	if isHelp(args[0]) {
		return help(args[1:], stdout)
	}
	if strings.HasPrefix(args[0], "-") {
		return all[0].run(ctx, args, stdout, stderr)
	}
	c, err := findCommand(args[0])
	if err != nil {
		return err
	}
	if len(args) > 1 && isHelp(args[1]) {
		return help(args[:1], stdout)
	}
	return c.run(ctx, args[1:], stdout, stderr)
}

func findCommand(name string) (command, error) {
	names := []string{"help"}
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, unknown("command", name, names)
}

func isHelp(arg string) bool {
	return arg == "help" || arg == "-h" || arg == "-help" || arg == "--help"
}

func help(args []string, stdout io.Writer) error {
	text := usage
	if len(args) > 0 {
		c, err := findCommand(args[0])
		if err != nil {
			return err
		}
		text = c.help()
	}
	_, err := io.WriteString(stdout, text)
	return err
}

// exitCode tells of err in one line, and returns 2 for a command that was typed wrongly, 1 for whatever else went wrong. That
// nobody reads on is no failure.
func exitCode(err error, stderr io.Writer) int {
	var typed *usageError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return 0
	case errors.As(err, &typed):
		fmt.Fprintf(stderr, "imscope: %v\n", err)
		return 2
	default:
		fmt.Fprintf(stderr, "imscope: %v\n", err)
		return 1
	}
}

// usageError is a command that was typed wrongly.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func wrongUse(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

func unknown(what, name string, known []string) error {
	return wrongUse("unknown %s %q; there is %s", what, name, strings.Join(known, ", "))
}
