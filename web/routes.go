package web

import (
	"io"
	"log/slog"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/klauspost/compress/gzip"

	"imscope/static"
)

// runPaths are the paths of a run, from the shortest.
var runPaths = []string{"/{lang}/{chapter}", "/{lang}/{chapter}/{scenario}", "/{lang}/{chapter}/{scenario}/{protocol}"}

// Handler returns every route of the site, as it is without any flag.
func Handler(log *slog.Logger) http.Handler {
	return NewHandler(Config{Log: log, EmbedOrigins: []string{"*"}})
}

// compress makes answers small: by a library that makes them smaller than the standard one does.
func compress(next http.Handler) http.Handler {
	c := middleware.NewCompressor(gzip.BestCompression, "text/html", "text/css", "text/javascript", "image/svg+xml")
	c.SetEncoder("gzip", func(w io.Writer, level int) io.Writer {
		z, err := gzip.NewWriterLevel(w, level)
		if err != nil {
			panic(err) // the level is no level
		}
		return z
	})
	return c.Handler(next)
}

// NewHandler returns every route of the site.
func NewHandler(c Config) http.Handler {
	log := c.Log
	p := pages{log: log, style: style(), scripts: scripts(), gate: newGate(), public: c.PublicURL, rooms: c.Rooms, exported: c.exported}
	if c.exported {
		p.kept = new(sync.Map)
	}
	if len(p.scripts) < 2 {
		log.Warn("the client was not built: pages work, but do not play; npm start builds it")
	}
	r := chi.NewRouter()
	r.Use(logRequests(log), middleware.Recoverer, secure(c.EmbedOrigins), http.NewCrossOriginProtection().Handler)
	r.Use(compress)
	r.Use(middleware.GetHead)
	r.NotFound(p.notFound)

	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n"))
	})
	r.Get("/", p.root)
	r.Get("/static/*", assets(static.Files))
	r.Get("/embed.js", embedScript)
	r.Get("/{lang}", p.home)
	r.Post("/text/{lang}", p.textPosted)
	p.classRoutes(r)
	for _, path := range runPaths {
		r.Get(path, p.chapter)
		r.Get("/stream"+path, p.stream)
		r.Get(embedPrefix+path, p.embed)
		r.Get("/stream"+embedPrefix+path, p.stream)
		r.Get("/picture"+path, p.picture)
		r.Get("/figure"+path, p.figure)
		r.Get(embeddingPrefix+path, p.embedding)
		r.Get("/story"+path, p.figure)
		r.Get("/steps"+path, p.figure)
		r.Get("/text"+path, p.text)
	}
	const whole = "/{lang}/{chapter}/{scenario}/{protocol}"
	r.Get(whole+"/often", p.often)
	r.Get("/stream"+whole+"/often", p.oftenStream)
	r.Get(whole+"/find", p.find)
	r.Get("/stream"+whole+"/find", p.findStream)
	return r
}
