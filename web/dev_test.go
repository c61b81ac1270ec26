package web

import (
	"log/slog"
	"net/http"
	"os"
	"testing"
)

func TestDev(t *testing.T) {
	if os.Getenv("DEV") == "" {
		t.Skip()
	}
	http.ListenAndServe("127.0.0.1:8099", Handler(slog.New(slog.NewTextHandler(os.Stderr, nil))))
}
