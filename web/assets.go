package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"

	"imscope/static"
)

// assetPath is the address of a static file, with a fingerprint of its content, so that browsers may keep it for ever.
func assetPath(name string) string {
	data, err := static.Files.ReadFile(name)
	if err != nil {
		return "/static/" + name
	}
	return "/static/" + name + "?v=" + fingerprint(data)
}

// style is the style sheet, small if it was built.
func style() string {
	if _, err := static.Files.ReadFile("dist/app.css"); err == nil {
		return assetPath("dist/app.css")
	}
	return assetPath("app.css")
}

// askedStyle is the style sheet of what few pages have, or only once a reader has asked for it. It is named where that stands, so that
// nobody else loads it.
func askedStyle() string { return assetPath("asked.css") }

// heatStyle is the style sheet of the map of conversations.
func heatStyle() string { return assetPath("heat.css") }

// bareStyle is the style sheet of a run alone.
func bareStyle() string { return assetPath("bare.css") }

// scripts are the client's files: the Datastar client, or what a user put in its place, and the player. None if they were not built;
// every page works without.
func scripts() []string {
	client := "vendor/datastar.js"
	if _, err := static.Files.ReadFile(client); err != nil {
		client = "dist/datastar.js"
	}
	var paths []string
	for _, name := range []string{client, "dist/player.js"} {
		if _, err := static.Files.ReadFile(name); err == nil {
			paths = append(paths, assetPath(name))
		}
	}
	return paths
}

// frameScripts are those of a run alone, which talks to the page around it.
func frameScripts(scripts []string) []string {
	if _, err := static.Files.ReadFile("dist/frame.js"); err != nil || len(scripts) < 2 {
		return scripts
	}
	return append(slices.Clone(scripts), assetPath("dist/frame.js"))
}

// dialogScripts are those of the page that tells how to embed a run.
func dialogScripts(scripts []string) []string {
	if dialogScript() == "" {
		return nil
	}
	return []string{dialogScript()}
}

// dialogScript opens that page over a run; empty if it was not built.
func dialogScript() string {
	if _, err := static.Files.ReadFile("dist/dialog.js"); err != nil {
		return ""
	}
	return assetPath("dist/dialog.js")
}

// exportScript is what the pages of an export do without a server; empty if it was not built.
func exportScript() string {
	if _, err := static.Files.ReadFile("dist/export.js"); err != nil {
		return ""
	}
	return assetPath("dist/export.js")
}

// embedScript serves what makes an element of somebody else's page an embed.
func embedScript(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*") // for a page that names its hash, or asks for it as a module
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	r.URL.Path = "/static/dist/embed.js"
	assets(static.Files)(w, r)
}

// mapScripts are the client's files for a page that may have a map of conversations.
func mapScripts(scripts []string) []string {
	if len(scripts) < 2 {
		return scripts
	}
	return []string{scripts[0], assetPath("dist/player_heat.js")}
}

// deskScript is what a presenter's page has besides; empty if it was not built.
func deskScript() string {
	if _, err := static.Files.ReadFile("dist/desk.js"); err != nil {
		return ""
	}
	return assetPath("dist/desk.js")
}

func fingerprint(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// assets serves the embedded files.
func assets(files fs.ReadFileFS) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/static/")
		data, err := files.ReadFile(name)
		if err != nil {
			http.Error(w, "no such file", http.StatusNotFound)
			return
		}
		w.Header().Set("ETag", `W/"`+fingerprint(data)+`"`)
		if r.URL.Query().Get("v") == fingerprint(data) {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			w.Header().Set("Cache-Control", "public, max-age=3600")
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	}
}
