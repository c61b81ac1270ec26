package web

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"imscope/sim/im"
)

// post sends a form to the site.
func post(address, contentType, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	site().ServeHTTP(w, r)
	return w
}

func form(do, text string) string { return url.Values{"do": {do}, "text": {text}}.Encode() }

const formType = "application/x-www-form-urlencoded"

// TestTextOfPages opens every scenario as a text, as its page offers it, and runs it: that leads back to where it came from.
func TestTextOfPages(t *testing.T) {
	for _, chapter := range chapters {
		for _, s := range im.Scenarios(chapter.Name) {
			l := Link{Lang: 1, Chapter: chapter, Scenario: s, Protocol: chapter.Protocols[len(chapter.Protocols)-1]}
			l.Scenario.Seed += 5
			stage := byID(t, document(t, get(site(), l.String()).Body.String()), "stage")
			address := "/text" + l.String()
			if !strings.Contains(strings.Join(links(stage), " "), address) {
				t.Errorf("%s does not offer its text", l)
			}
			page := document(t, get(site(), address).Body.String())
			text := byID(t, page, "text").FirstChild.Data
			w := post("/text/zh", formType, form("run", strings.ReplaceAll(text, "\n", "\r\n")))
			if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != l.stage() {
				t.Errorf("%s: run, it leads to %q (%d)\n%s", l, got, w.Code, text)
			}
		}
	}
}

// TestTextForm presses each button, and loads a file.
func TestTextForm(t *testing.T) {
	const good = "chapter polling\nscenario hole\nprotocol long-poll\nsend A1 1s\noff ben 2s 3s\n"
	w := post("/text/en", formType, form("run", good))
	if got := w.Header().Get("Location"); got != "/en/polling/hole/long-poll?edits=drop-C1_drop-A2_skip-A1-0_skip-C1-0_skip-A2-0_send-A1-1s_off-ben-2s-3s#stage" {
		t.Errorf("it leads to %s", got)
	}
	w = post("/text/en", formType, form("save", good))
	if w.Body.String() != good || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("saved is %q", w.Body)
	}
	const bad = "chapter polling\nsend A1 <b>\nscenario tea\n"
	for _, do := range []string{"run", "check"} {
		page := document(t, post("/text/zh", formType, form(do, bad)).Body.String())
		check := text(byID(t, page, "text-check"))
		if byID(t, page, "text").FirstChild.Data != bad || !strings.Contains(check, "2 行读不懂") || !strings.Contains(check, "第 2 行，第 9 列：那里是“<b>”，该是一个时间") {
			t.Errorf("%s: %s", do, check)
		}
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	_ = parts.WriteField("text", "chapter ordering")
	_ = parts.WriteField("do", "check")
	file, _ := parts.CreateFormFile("file", "run.txt")
	_, _ = file.Write([]byte(good))
	_ = parts.Close()
	page := document(t, post("/text/en", parts.FormDataContentType(), body.String()).Body.String())
	if got := byID(t, page, "text").FirstChild.Data; got != good {
		t.Errorf("loaded is %q", got)
	}
}

// TestTextAsTyped asks as the script does, while somebody types.
func TestTextAsTyped(t *testing.T) {
	for given, want := range map[string]string{
		"chapter ordering\nlose push A2":    "a phone should be named",
		"chapter ordering":                  "“The book’s run”, with 16 changes.",
		"chapter ordering\nprotocol arrive": "arrival, by-id, by-seq",
	} {
		r := httptest.NewRequest(http.MethodPost, "/text/en", strings.NewReader(fmt.Sprintf(`{"text":%q}`, given)))
		r.Header.Set("Datastar-Request", "true")
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		site().ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Body.String(), "event: datastar-patch-elements") {
			t.Errorf("%q: got %s", given, w.Body)
		}
	}
}

// TestTextTooLarge refuses what nobody could have written.
func TestTextTooLarge(t *testing.T) {
	if w := post("/text/en", formType, form("check", strings.Repeat("#", maxUpload))); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", w.Code)
	}
	page := document(t, post("/text/en", formType, form("check", strings.Repeat("#\n", im.MaxText))).Body.String())
	if got := text(byID(t, page, "text-check")); !strings.Contains(got, "64 KB") {
		t.Error(got)
	}
}
