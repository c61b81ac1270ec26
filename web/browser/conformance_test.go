package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/starfederation/datastar-go/datastar"
)

// The page static/conformance/conformance.html uses every feature of the Datastar
// protocol that our pages use. These tests say what each of them does, with our
// client and, where a user has put it there, with the official one.
const (
	conformancePage = "../../static/conformance/conformance.html"
	ownClient       = "../../static/dist/datastar.js"
	officialClient  = "../../static/vendor/datastar.js"
)

func TestConformance(t *testing.T) {
	for _, client := range []string{ownClient, officialClient} {
		if _, err := os.Stat(client); err != nil {
			if client == ownClient {
				lacking(t, "no client: run node static/build.mjs")
			}
			continue
		}
		for _, test := range []struct {
			name string
			run  func(s *site)
		}{
			{"signals", testSignals},
			{"expressions", testExpressions},
			{"shows", testShows},
			{"events", testEvents},
			{"fields", testFields},
			{"requests", testRequests},
			{"raw", testRaw},
			{"hidden", testHiddenTab},
			{"cancellation", testCancellation},
			{"patches", testPatches},
			{"morph", testMorph},
			{"observer", testObserver},
			{"own", testOwn},
		} {
			if test.name == "own" && client != ownClient {
				continue
			}
			t.Run(test.name+"/"+filepath.Base(filepath.Dir(client)), func(t *testing.T) {
				t.Parallel()
				test.run(openSite(t, client))
			})
		}
	}
}

// A site is the conformance page, open in a tab, and its server.
type site struct {
	*tab
	client string
	mu     sync.Mutex
	asked  map[string]int // path → requests so far
	open   map[string]int // path → streams now open
}

func openSite(t *testing.T, client string) *site {
	t.Helper()
	s := &site{client: client, asked: map[string]int{}, open: map[string]int{}}
	url := startServer(t, s.routes())
	s.tab = newTab(t, options{})
	s.tab.open(url)
	s.shows("#ready", "1")
	return s
}

// is waits until a JavaScript expression, made a string, equals want.
func (s *site) is(js, want string) {
	s.t.Helper()
	var got string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if got = evaluate[string](s.tab, "String("+js+")"); got == want {
			return
		}
	}
	s.t.Errorf("%s\n got %q\nwant %q", js, got, want)
}

// shows waits until an element has a text.
func (s *site) shows(css, want string) {
	s.t.Helper()
	s.is(fmt.Sprintf("document.querySelector(%q).textContent", css), want)
}

// has waits until properties and methods of an element have their values.
func (s *site) has(css string, values map[string]string) {
	s.t.Helper()
	for property, want := range values {
		s.is(fmt.Sprintf("document.querySelector(%q).%s", css, property), want)
	}
}

// counts waits until the server has counted so much for a path. It may take five
// seconds until Chromium closes the connection of a stream that was given up.
func (s *site) counts(what map[string]int, path string, want int) {
	s.t.Helper()
	var got int
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if got = s.count(what, path, 0); got == want {
			return
		}
	}
	s.t.Errorf("%s: counted %d, want %d", path, got, want)
}

func (s *site) count(what map[string]int, path string, n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	what[path] += n
	return what[path]
}

// js runs statements in the page, where $ finds an element.
func (s *site) js(statements string) {
	s.t.Helper()
	evaluate[int](s.tab, "(($) => {"+statements+"; return 0})((css) => document.querySelector(css))")
}

func (s *site) click(css string) {
	s.t.Helper()
	s.js(fmt.Sprintf("$(%q).click()", css))
}

// patch makes the server send one of the patches.
func (s *site) patch(name string) {
	s.t.Helper()
	before := s.count(s.asked, "/patched", 0)
	s.js(fmt.Sprintf("$('#patch').name = %q; $('#patch').click()", name))
	s.is("document.querySelector('#patch').title", strconv.Itoa(before+1))
}

// hide hides the tab, as far as the page can tell, or shows it again.
func (s *site) hide(hidden bool) {
	s.t.Helper()
	s.js(fmt.Sprintf(`Object.defineProperty(document, 'hidden', {value: %t, configurable: true});
		document.dispatchEvent(new Event('visibilitychange'))`, hidden))
}

type eventStream = *datastar.ServerSentEventGenerator

func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	file := func(pattern, name string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			// What our own pages allow, so that a client that needs more fails.
			w.Header().Set("Content-Security-Policy",
				"default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:")
			// A browser asks again by itself when a connection breaks that it has used before.
			w.Header().Set("Connection", "close")
			http.ServeFile(w, r, name)
		})
	}
	file("GET /{$}", conformancePage)
	file("GET /datastar.js", s.client)
	mux.HandleFunc("/echo", echoSignals)

	// The n-th request of a path.
	counted := func(pattern string, handle func(w http.ResponseWriter, r *http.Request, n int)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			handle(w, r, s.count(s.asked, r.URL.Path, 1))
		})
	}
	counted("/slow", func(w http.ResponseWriter, r *http.Request, _ int) {
		datastar.NewSSE(w, r)
		time.Sleep(200 * time.Millisecond)
	})
	counted("/ended", func(w http.ResponseWriter, r *http.Request, n int) { tellHeard(datastar.NewSSE(w, r), "ended", n) })
	counted("/always", func(w http.ResponseWriter, r *http.Request, n int) {
		tellHeard(datastar.NewSSE(w, r), "always", n)
		if n == 3 {
			<-r.Context().Done()
		}
	})
	counted("/lost", func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 2 {
			panic(http.ErrAbortHandler) // before the answer
		}
		tellHeard(datastar.NewSSE(w, r), "lost", n)
		if n == 1 {
			panic(http.ErrAbortHandler) // in the midst of it
		}
	})
	counted("/raw", func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, b := range []byte(rawStreams[n-1]) {
			w.Write([]byte{b})
			w.(http.Flusher).Flush()
			if b == '\r' || b >= 0x80 {
				time.Sleep(5 * time.Millisecond) // so that the page sees the parts
			}
		}
		// Chromium drops what a page has not read when a connection breaks.
		for n < len(rawStreams) && s.count(s.asked, "/raw/read", 0) < n {
			time.Sleep(5 * time.Millisecond)
		}
		if n < len(rawStreams) {
			panic(http.ErrAbortHandler)
		}
		tellHeard(datastar.NewSSE(w, r), "raw"+r.Header.Get("Last-Event-ID"), n)
	})
	mux.HandleFunc("/at-once", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write([]byte(strings.Repeat("event: datastar-patch-signals\ndata: signals {}\n\n", 2)))
	})
	counted("/broken", func(w http.ResponseWriter, r *http.Request, _ int) {
		datastar.NewSSE(w, r)
		panic(http.ErrAbortHandler)
	})
	counted("/status/{status}", func(w http.ResponseWriter, r *http.Request, _ int) {
		status, _ := strconv.Atoi(r.PathValue("status"))
		w.WriteHeader(status)
	})
	counted("/stream/{name}", func(w http.ResponseWriter, r *http.Request, n int) {
		s.count(s.open, r.URL.Path, 1)
		defer s.count(s.open, r.URL.Path, -1)
		tellHeard(datastar.NewSSE(w, r), r.PathValue("name"), n)
		<-r.Context().Done()
	})
	mux.HandleFunc("/patch/{name}", func(w http.ResponseWriter, r *http.Request) {
		sse := datastar.NewSSE(w, r)
		patches[r.PathValue("name")](sse)
		n := s.count(s.asked, "/patched", 1)
		sse.MarshalAndPatchSignals(map[string]any{"patched": n})
	})
	return mux
}

// tellHeard sets $heard.name to n.
func tellHeard(sse eventStream, name string, n int) {
	sse.MarshalAndPatchSignals(map[string]any{"heard": map[string]any{name: n}})
}

// echoSignals puts into $_echo what was asked for, with the signals as datastar-go reads
// them.
func echoSignals(w http.ResponseWriter, r *http.Request) {
	var signals map[string]any
	if err := datastar.ReadSignals(r, &signals); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, _ := json.Marshal(signals)
	query := r.URL.Query()
	query.Del("datastar")
	datastar.NewSSE(w, r).MarshalAndPatchSignals(map[string]any{"_echo": strings.Join([]string{
		r.Method, query.Encode(), r.Header.Get("Datastar-Request"), r.Header.Get("Content-Type"), string(text)}, " | ")})
}

// rawStreams are streams that arrive byte by byte: comments, both line endings, lines of
// several bytes a character, an event that is cut off.
var rawStreams = []string{
	": quiet\n\nretry: 20\n\nevent: datastar-patch-elements\r\ndata: mode inner\r\ndata: selector #first\r\ndata: elements <b>序\u2028\r\n" +
		"data:elements  二</b>\r\nid: 7\r\n\r\n",
	"event: datastar-patch-signals\ndata: signals {\"count\": 8}\n",
	"",
}

// patches are what the server sends for the button #patch, by its name.
var patches = map[string]func(eventStream){
	"outer":    patchOf(`<ul id="items"><li id="first">one</li></ul>`, "", "outer"),
	"two":      patchOf(`<li id="first">uno</li> <p id="ref">dos</p>`, "", "outer"),
	"selected": patchOf(`<li id="first">un</li>`, "#items > :first-child", "outer"),
	"inner":    patchOf("<li>a</li>\n<li>b</li>", "#items", "inner"),
	"append":   patchOf(`<li>p</li><li>q</li>`, "#items", "append"),
	"several":  patchOf(`<i>x</i>`, ".twin", "append"),
	"svg": func(sse eventStream) {
		sse.PatchElements(`<circle id="dot" r="2"></circle>`, datastar.WithNamespace(datastar.NamespaceSVG))
		sse.PatchElements(`<path id="leg" d="M0 0"></path>`, datastar.WithNamespace(datastar.NamespaceSVG),
			datastar.WithSelector("#drawing"), datastar.WithModeAppend())
	},

	"same": func(sse eventStream) { sse.PatchElements(morphed()) },
	"different": func(sse eventStream) {
		sse.PatchElements(morphed(
			"server", "new",
			`type="checkbox"`, `type="checkbox" checked`,
			`<option value="x"`, `<option value="x" selected`,
			`<span`, `<p>before</p><span`,
			"counted", "recounted"))
	},
	"live": patchOf(`<p id="live" data-signals:live="5" data-init="$live++" data-text="'live ' + $live"></p>`, "#items", "append"),

	"signals": func(sse eventStream) {
		sse.PatchSignals([]byte("{\"count\": 5,\n\"form\": {\"age\": 50}, \"fresh\": {\"er\": true}}"))
	},
	"missing": func(sse eventStream) {
		sse.PatchSignals([]byte(`{"count": 9, "form": {"age": 99, "job": "poet"}}`), datastar.WithOnlyIfMissing(true))
	},
	"fields": func(sse eventStream) {
		sse.PatchSignals([]byte(`{"own": {"text": "s", "area": "t", "range": 2, "box": true, "boxed": "yes", "radio": "b", "choice": "y"}}`))
	},
	// For testOwn.
	"strange":          func(sse eventStream) { sse.Send("strange", []string{"a b"}) },
	"datastar-strange": func(sse eventStream) { sse.Send("datastar-strange", []string{"a b"}) },
	"nowhere":          patchOf(`<p id="nowhere"></p>`, "", "outer"),
	"no-match":         patchOf(`<p></p>`, ".nowhere", "append"),
	"no-mode":          patchOf(`<p></p>`, "#items", "sideways"),
	"no-json":          func(sse eventStream) { sse.PatchSignals([]byte("no json")) },
	"script":           func(sse eventStream) { sse.ExecuteScript("window.ran = true") },
	"nulls":            func(sse eventStream) { sse.PatchSignals([]byte(`{"a-b": null, "form": {"city": null}}`)) },
}

func patchOf(html, selector string, mode datastar.ElementPatchMode, more ...datastar.PatchElementOption) func(eventStream) {
	return func(sse eventStream) { sse.PatchElements(html, append(more, patchAt(selector, mode)...)...) }
}

func patchAt(selector string, mode datastar.ElementPatchMode) []datastar.PatchElementOption {
	return []datastar.PatchElementOption{datastar.WithSelector(selector), datastar.WithMode(mode)}
}

// morphed is the part of the page with its marker around it, with changes.
func morphed(oldnew ...string) string {
	page, err := os.ReadFile(conformancePage)
	if err != nil {
		panic(err)
	}
	_, part, _ := strings.Cut(string(page), "<!-- morphed: the test sends what stands in here -->")
	part, _, _ = strings.Cut(part, "<!-- morphed -->")
	return strings.NewReplacer(oldnew...).Replace(part)
}

func testSignals(s *site) {
	s.shows("#nested", "Ada37London")
	s.shows("#camel", "42")
	s.shows("#missing", "1,5,Ada,6")
	s.click("#get")
	s.shows("#echo", `GET | kept=1 | true |  | {"a-b":7,"count":1,"deep":{"stays":2},`+
		`"form":{"age":37,"city":"London","extra":6,"name":"Ada"},"list":[1,2,3]}`)
	s.click("#post")
	s.shows("#echo", `POST |  | true | application/json | {"_private":"mine","form":{"city":"London","extra":6,"name":"Ada"}}`)

	s.patch("signals")
	s.shows("#nested", "Ada50London")
	s.shows("#text", "5")
	s.patch("missing")
	s.shows("#text", "5")
	s.click("#get")
	s.shows("#echo", `GET | kept=1 | true |  | {"a-b":7,"count":5,"deep":{"stays":2},`+
		`"form":{"age":50,"city":"London","extra":6,"job":"poet","name":"Ada"},"fresh":{"er":true},"list":[1,2,3]}`)
	s.patch("nulls")
	s.click("#get")
	s.shows("#echo", `GET | kept=1 | true |  | {"count":5,"deep":{"stays":2},`+
		`"form":{"age":50,"extra":6,"job":"poet","name":"Ada"},"fresh":{"er":true},"list":[1,2,3]}`)
	if s.client == ownClient {
		s.shows("#nested", "Ada50") // the official client does not tell those who read it
	}
}

func testExpressions(s *site) {
	s.shows("#never-set", "()")
	s.shows("#quoted", "$count; 1$count")
	s.shows("#hyphen", "8")
	s.shows("#minus-one", "0")
	s.shows("#array", "1,2,3")
	s.shows("#statements", "a;b1")
	s.shows("#returned", "2")
	s.shows("#object", `name,age,city,extratrue{"stays":2}`)
	s.shows("#element", "element")
	s.click("#plus")
	s.shows("#array", "2,4,6")
	s.shows("#hyphen", "9")
	s.click("#assign")
	s.shows("#array", "2,4,6,8")
	s.shows("#object", `name,age,city,extratrue{"other":2}`)
}

func testShows(s *site) {
	atOne := func() {
		s.t.Helper()
		s.shows("#text", "1")
		s.has("#show", map[string]string{"style.display": "none"})
		s.is("[...document.querySelector('#class').classList].sort()", "kept,odd,one")
		s.has("#attr", map[string]string{"title": "n1", "hidden": "false", "ariaLabel": "one",
			"getAttribute('lang')": "", "ariaValueNow": "1", "getAttribute('rel')": "[1]"})
		s.has("#effect", map[string]string{"lang": "zh"})
	}
	atOne()
	s.has("#effect", map[string]string{"title": "1"})
	s.has("#init", map[string]string{"title": "once", "textContent": "init"})
	s.shows("#ref", "ref")

	s.click("#plus")
	s.shows("#text", "2")
	s.has("#show", map[string]string{"style.display": ""})
	s.is("[...document.querySelector('#class').classList].sort()", "even,kept,my-big")
	s.has("#attr", map[string]string{"title": "n2", "hidden": "true", "ariaLabel": "null", "ariaValueNow": "2"})
	s.has("#effect", map[string]string{"title": "12", "lang": "en"})
	s.has("#init", map[string]string{"title": "once"})

	s.click("#minus")
	atOne()
}

func testEvents(s *site) {
	s.click("#both")
	s.shows("#said", "clickboth!")
	s.has("#said", map[string]string{"title": ".."}) // both changes at once

	// Three events at once are one, and that comes in the end.
	calls := func(id string) string { return "JSON.parse(document.querySelector('#calls').textContent)." + id }
	first := evaluate[string](s.tab, fmt.Sprintf(`(() => {
		for (let i = 0; i < 3; i++) document.querySelector('#debounced').dispatchEvent(new Event('input'))
		return String(%s)})()`, calls("debounced")))
	if first != "0" {
		s.t.Errorf("debounced: %s calls at once, want none", first)
	}
	s.is(calls("debounced"), "1")
	s.shows("#said", "input")
	// A second event starts the wait anew, if the machine is not too slow to tell.
	early := evaluate[string](s.tab, fmt.Sprintf(`(async () => {
		const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
		document.querySelector('#debounced').dispatchEvent(new Event('input'))
		await sleep(70)
		document.querySelector('#debounced').dispatchEvent(new Event('input'))
		const since = performance.now()
		await sleep(50)
		const calls = %s
		return String(performance.now() - since < 95 ? calls : 1)})()`, calls("debounced")))
	if early != "1" {
		s.t.Errorf("debounced: %s calls before the end, want 1", early)
	}
	s.is(calls("debounced"), "2")

	s.js("window.dispatchEvent(new Event('some-event')); $('#windowed').dispatchEvent(new Event('some-event'))")
	s.is(calls("windowed"), "1")
	s.js("$('#once').click(); $('#once').click()")
	s.is(calls("once"), "1")
	s.is(calls("outer"), "2")
	s.click("#stop")
	s.shows("#said", "stopped")
	s.is(calls("outer"), "2")
	s.click("#prevent")
	s.shows("#said", "prevented")
	s.is(calls("outer"), "3")
	s.is("location.hash", "")
	s.js("$('#form').requestSubmit()")
	s.is(calls("submitted"), "1")
	s.is("location.pathname", "/")
}

func testFields(s *site) {
	given := `{"text":"from the signal","number":3,"box":true,"radio":"b","choice":"y"}`
	s.shows("#fields", `[{"text":"own","area":"lines","range":4,"box":true,"boxed":"yes","radio":"b","choice":"y"},`+given+`]`)
	s.has("#text-given", map[string]string{"value": "from the signal"})
	s.has("#number-given", map[string]string{"value": "3"})
	s.has("#box-given", map[string]string{"checked": "true"})
	s.has("#radio-given-b", map[string]string{"checked": "true", "name": "given.radio"})
	s.has("#choice-given", map[string]string{"value": "y"})

	s.js(`const type = (css, value, event = 'input') => { $(css).value = value; $(css).dispatchEvent(new Event(event)) }
			type('#text-own', 'typed'); type('#area-own', 'two\nlines'); type('#range-own', 9); type('#choice-own', 'x', 'change')
			type('#number-given', '7'); type('#text-given', '7'); type('#choice-given', 'x', 'change')
			for (const css of ['#box-own', '#boxed-own', '#radio-own-a', '#box-given', '#radio-given-a']) $(css).click()`)
	s.shows("#fields", `[{"text":"typed","area":"two\nlines","range":9,"box":false,"boxed":"","radio":"a","choice":"x"},`+
		`{"text":"7","number":7,"box":false,"radio":"a","choice":"x"}]`)

	// A script that sets a field and does not tell is left alone, until the signal changes.
	s.js("$('#range-own').value = 5; $('#range-own').setAttribute('aria-valuetext', 'five')")
	s.click("#plus")
	s.has("#range-own", map[string]string{"value": "5"})
	s.patch("fields")
	s.has("#text-own", map[string]string{"value": "s"})
	s.has("#area-own", map[string]string{"value": "t"})
	s.has("#range-own", map[string]string{"value": "2"})
	s.has("#box-own", map[string]string{"checked": "true"})
	s.has("#boxed-own", map[string]string{"checked": "true"})
	s.has("#radio-own-a", map[string]string{"checked": "false"})
	s.has("#radio-own-b", map[string]string{"checked": "true"})
	s.has("#choice-own", map[string]string{"value": "y"})
}

func testRaw(s *site) {
	s.expect("net::ERR_")
	s.click("#raw")
	s.is("document.querySelector('#first').innerHTML", "<b>序\u2028\n 二</b>")
	s.count(s.asked, "/raw/read", len(rawStreams))
	s.hears("raw7", 3)
	s.counts(s.asked, "/raw", 3)
	s.shows("#text", "1")
}

// told is what the page hears of its requests.
func (s *site) told(want ...string) {
	s.t.Helper()
	s.has("#told", map[string]string{"title": strings.Join(append(want, ""), " ")})
}

// hears waits until the page has heard of the n-th request of a path.
func (s *site) hears(name string, n int) {
	s.t.Helper()
	s.is("JSON.parse(document.querySelector('#heard').textContent)."+name, strconv.Itoa(n))
}

func testRequests(s *site) {
	s.expect("net::ERR_") // lost, never
	s.expect("status of 503")
	s.expect("status of 404")
	if s.client == ownClient {
		s.expect("gave up")
	} else {
		s.expect("FetchFailed")
	}
	for _, test := range []struct {
		id    string
		told  string // after "started", before "finished"
		path  string
		asked int
	}{
		{"slow", "", "/slow", 1},
		{"lost", "retrying retrying", "/lost", 3},
		{"never", "", "/broken", 1},
		{"failing", "error retrying error retrying error retrying error retries-failed", "/status/503", 4},
		{"refused", "error", "/status/404", 1},
		{"empty", "", "/status/204", 1},
		{"ended", "", "/ended", 1},
	} {
		if test.id == "never" && s.client == officialClient {
			continue // it retries all the same
		}
		s.js("$('#told').title = ''")
		s.click("#" + test.id)
		var told []string
		for _, event := range strings.Fields("started " + test.told + " finished") {
			told = append(told, test.id+":"+event)
		}
		s.told(told...)
		time.Sleep(50 * time.Millisecond) // nothing more comes
		s.told(told...)
		s.counts(s.asked, test.path, test.asked)
	}

	s.js("$('#told').title = ''")
	s.click("#always")
	s.told("always:started", "always:retrying", "always:retrying")
	s.counts(s.asked, "/always", 3)
	s.hears("lost", 3)
	s.hears("ended", 1)
}

func testHiddenTab(s *site) {
	for _, id := range []string{"#stream", "#stream-open", "#stream-post"} {
		s.click(id)
	}
	for _, name := range []string{"plain", "open", "post"} {
		s.hears(name, 1)
	}
	s.hide(true)
	s.counts(s.open, "/stream/plain", 0)
	s.hide(false)
	s.hears("plain", 2)
	s.counts(s.open, "/stream/plain", 1)
	s.counts(s.open, "/stream/open", 1)
	s.counts(s.open, "/stream/post", 1)
	time.Sleep(50 * time.Millisecond)
	s.counts(s.asked, "/stream/open", 1)
	s.counts(s.asked, "/stream/post", 1)
	s.told("stream:started", "stream-open:started", "stream-post:started")
}

func testCancellation(s *site) {
	s.click("#stream-other")
	s.click("#stream")
	s.counts(s.open, "/stream/plain", 1)
	s.click("#stream")
	s.counts(s.asked, "/stream/plain", 2)
	s.counts(s.open, "/stream/plain", 1)
	s.told("stream-other:started", "stream:started", "stream:started", "stream:finished")
	// Another element makes no difference, another address does, unless the page
	// has its own controller.
	s.click("#stream-too")
	s.counts(s.asked, "/stream/plain", 3)
	s.counts(s.open, "/stream/plain", 1)
	s.counts(s.open, "/stream/other", 1)
	s.js("$('#stream-own').click(); $('#stream-own').click()")
	s.counts(s.open, "/stream/own5", 1)
	s.counts(s.open, "/stream/own4", 0)
	s.js("$('#stream-own').stream.abort()")
	s.counts(s.open, "/stream/own5", 0)

	s.click("#stream-both")
	s.click("#stream-both")
	s.counts(s.open, "/stream/both", 2)

	// Only those that ask for it go with their element.
	s.click("#stream-cleanup")
	s.counts(s.open, "/stream/cleanup", 1)
	s.js("$('#stream-cleanup').remove(); $('#stream-too').remove()")
	s.counts(s.open, "/stream/cleanup", 0)
	s.counts(s.open, "/stream/plain", 1)
}

func testPatches(s *site) {
	for _, test := range []struct{ patch, html, first string }{
		{"outer", `<li id="first">one</li>`, "true"},
		{"two", `<li id="first">uno</li><li>2</li>`, "true"},
		{"selected", `<li id="first">un</li><li>2</li>`, "true"},
		{"inner", "<li>a</li>\n<li>b</li>", "false"},
		{"append", `<li id="first">1</li><li>2</li><li>p</li><li>q</li>`, "true"},
	} {
		s.js("$('#items').innerHTML = '<li id=\"first\">1</li><li>2</li>'; window.first = $('#first')")
		s.patch(test.patch)
		s.is("document.querySelector('#items').innerHTML", test.html)
		s.is("window.first.isConnected /* the same element as before */", test.first)
	}
	s.shows("#ref", "dos")
	s.has("#ref", map[string]string{"attributes.length": "1"})

	s.patch("several")
	s.is("[...document.querySelectorAll('.twin')].map((el) => el.innerHTML)", "a<i>x</i>,b<i>x</i>")

	s.js("window.dot = $('#dot')")
	s.patch("svg")
	s.is("window.dot.isConnected && window.dot.r.baseVal.value", "2")
	s.is("document.querySelector('#drawing > #leg') instanceof SVGPathElement", "true")
}

func testMorph(s *site) {
	s.js(`window.moving = $('#moving'); window.animation = $('#moving').getAnimations()[0]; window.animation.currentTime = 500000
			$('#typed').value = 'reader'; $('#typed').focus(); $('#typed').setSelectionRange(2, 3)
			$('#ticked').checked = true
			$('#written').value = 'reader'
			$('#picked').value = 'y'; $('#picked').dispatchEvent(new Event('change'))
			$('#bound').value = 'reader'; $('#bound').dispatchEvent(new Event('input'))
			$('#left-alone').title = 'mine'; $('#left-alone').textContent = 'mine'`)
	unmoved := func() {
		s.t.Helper()
		s.is("window.moving === document.querySelector('#moving')", "true")
		s.is("window.moving.getAnimations()[0] === window.animation && window.animation.currentTime >= 500000", "true")
		s.is("document.activeElement.id", "typed")
		s.has("#left-alone", map[string]string{"title": "mine", "textContent": "mine"})
		s.has("#kept", map[string]string{"title": "1", "style.display": "none"})
	}

	// The server says what it said before: what the reader did stays.
	s.patch("same")
	unmoved()
	s.has("#typed", map[string]string{"value": "reader", "selectionStart": "2", "selectionEnd": "3"})
	s.has("#ticked", map[string]string{"checked": "true"})
	s.has("#written", map[string]string{"value": "reader"})
	s.has("#picked", map[string]string{"value": "y"})
	s.has("#bound", map[string]string{"value": "reader"})
	s.shows("#kept-text", "1yreader")
	s.has("#kept", map[string]string{"className": "own counted"})

	// The server says something else: that holds, also for the signals.
	s.js("$('#ticked').checked = false")
	s.patch("different")
	unmoved()
	s.has("#typed", map[string]string{"value": "new"})
	s.has("#ticked", map[string]string{"checked": "true"})
	s.has("#written", map[string]string{"value": "new"})
	s.has("#picked", map[string]string{"value": "x"})
	s.has("#bound", map[string]string{"value": "new"})
	s.shows("#kept-text", "1xnew")
	s.has("#kept", map[string]string{"className": "own recounted"})
}

// Elements and attributes that come, change and go, whoever makes them.
func testObserver(s *site) {
	s.patch("live")
	s.shows("#live", "live 6")
	s.js(`$('#live').setAttribute('data-text', "'changed ' + $live")`)
	s.shows("#live", "changed 6")
	s.js(`$('#live').textContent = 'somebody else'`)
	s.shows("#live", "changed 6")
	s.js(`$('#live').setAttribute('data-class:loud', '$live')`)
	s.has("#live", map[string]string{"className": "loud"})
	s.js(`$('#live').removeAttribute('data-class:loud'); $('#live').removeAttribute('data-text')`)
	s.has("#live", map[string]string{"className": ""})
	s.js(`$('#live').textContent = 'free'`)
	s.shows("#live", "free")

	s.js(`window.runs = 0
			document.body.insertAdjacentHTML('beforeend', '<div id="added"><p data-effect="$count; window.runs++" data-on:ping__window="window.runs += 10"></p></div>')`)
	s.is("window.runs", "1")
	s.click("#plus")
	s.js("window.dispatchEvent(new Event('ping'))")
	s.is("window.runs", "12")
	s.js("$('#added').remove()")
	s.click("#plus")
	s.js("window.dispatchEvent(new Event('ping'))")
	s.shows("#text", "3")
	s.is("window.runs", "12")
}

// What is only true of our client: it tells of whatever it does not know or cannot
// do, and goes on with the rest.
func testOwn(s *site) {
	s.js("window.warnings = []; console.warn = (text, el) => warnings.push(`${text} at ${el?.id || '-'}`)")
	for _, bad := range []struct{ html, warning string }{
		{`<p data-tekst="$count">`, `unknown attribute / data-tekst="$count"`},
		{`<p data-on-click="$count++">`, `unknown attribute / data-on-click="$count++"`},
		{`<p data-ignore>`, `unknown attribute / data-ignore=""`},
		{`<p data-flash:x="1">`, `unknown attribute / data-flash:x="1"`},
		{`<p data-on:click__twice="$said = 'still'">`, `unknown modifier __twice / data-on:click__twice="$said = 'still'"`},
		{`<p data-on:input__debounce="$count++">`, `needs a time, as in __debounce.200ms / data-on:input__debounce="$count++"`},
		{`<p data-on="$count++">`, `wrong use of data-on / data-on="$count++"`},
		{`<p data-text:x="$count">`, `wrong use of data-text / data-text:x="$count"`},
		{`<p data-bind:x="y">`, `wrong use of data-bind / data-bind:x="y"`},
		{`<p data-bind:x>`, `cannot bind this <p> / data-bind:x=""`},
		{`<p data-text="$count +">`, `Unexpected token ')' / data-text="$count +"`},
		{`<p data-show="if ($count) {}">`, `Unexpected token 'if' / data-show="if ($count) {}"`},
		{`<p data-text="nothing.here">`, `nothing is not defined / data-text="nothing.here"`},
		{`<p data-init="@fly('/away')">`, `unknown action @fly / data-init="@fly('/away')"`},
		{`<p data-init="@get('/ended', {speed: 2})">`, `unknown option speed / data-init="@get('/ended', {speed: 2})"`},
		{`<p data-init="@get('/datastar.js')">`, `GET /datastar.js is no event stream / data-init="@get('/datastar.js')"`},
		{`<p data-init="@get('/patch/strange')">`, `unknown event strange / data-init="@get('/patch/strange')"`},
		{`<p data-init="@get('/patch/datastar-strange')">`, "unknown event datastar-strange"},
		{`<p data-init="@get('/patch/nowhere')">`, "no element #nowhere to patch at nowhere"},
		{`<p data-init="@get('/patch/no-match')">`, "datastar-patch-elements: no element matches .nowhere"},
		{`<p data-init="@get('/patch/no-mode')">`, "datastar-patch-elements: unknown mode sideways or namespace html"},
		{`<p data-init="@get('/patch/no-json')">`, "datastar-patch-signals: Unexpected token 'o', \"no json\" is not valid JSON"},
		{`<p data-init="@get('/patch/script')">`, "patched scripts do not run"},
	} {
		s.js(fmt.Sprintf(`warnings.length = 0; $('#bad')?.remove(); $('#after')?.remove()
			$('body').insertAdjacentHTML('beforeend', %q + '</p><p id="after" data-text="\'fine\'"></p>')`,
			strings.Replace(bad.html, "<p", `<p id="bad"`, 1)))
		s.is("warnings[0]?.replace('datastar: ', '').replace('\\n', ' / ').replace(/ at (bad|-)$/, '')", bad.warning)
		s.shows("#after", "fine")
		s.is("warnings.length", "1")
	}
	s.is("window.ran", "undefined")

	// Attributes that look like those of other scripts are theirs.
	s.js(`warnings.length = 0
		$('body').insertAdjacentHTML('beforeend', '<p data-kind="delivery" data-one="" data-price="$5" data-text-size="9" data-ignore-morph></p>')`)
	// A request that was cancelled changes nothing any more: here by the first of its
	// two events, which makes the page ask again.
	s.js(`window.seen = 0
		document.addEventListener('datastar-fetch', ({detail: {type, el}}) => {
			if (type === 'datastar-patch-signals' && el.id === 'at-once' && ++seen === 1) el.click()
		})`)
	s.click("#at-once")
	s.is("window.seen", "3")
	time.Sleep(50 * time.Millisecond)
	s.is("window.seen", "3")

	// An element that moves keeps what it has; it is not begun anew.
	s.js("$('#ready').after($('#init'))")
	s.js("$('#class').prepend($('#init'))")
	s.click("#plus")
	s.shows("#text", "2")
	s.has("#init", map[string]string{"title": "once"})
	s.is("warnings", "")
}
