package web

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// policy allows the site's own files and nothing else. Inline style attributes carry times (--at) to the style sheet; expressions
// of the client are compiled with Function, which needs 'unsafe-eval'.
const policy = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self' 'unsafe-eval'; img-src 'self' data:; " +
	"connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "

// secure sets the headers that every answer carries. Nobody may frame a page but a run alone, which the given sites may, and we.
func secure(embedOrigins []string) func(http.Handler) http.Handler {
	own := policy + "frame-ancestors 'none'"
	embedded := policy + "frame-ancestors " + strings.Join(append([]string{"'self'"}, embedOrigins...), " ")
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Security-Policy", own)
			if strings.HasPrefix(r.URL.Path, embedPrefix+"/") {
				h.Set("Content-Security-Policy", embedded)
			}
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
			next.ServeHTTP(w, r)
		})
	}
}

// logRequests writes a line a request.
func logRequests(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			defer func() {
				log.Info("request", "method", r.Method, "url", r.URL.RequestURI(), "status", ww.Status(), "bytes", ww.BytesWritten(),
					"ms", time.Since(start).Milliseconds())
			}()
			next.ServeHTTP(ww, r)
		})
	}
}
