package browser

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/nats-io/nats-server/v2/server"

	"imscope/web"
	"imscope/web/lessonfile"
	"imscope/web/room"
)

// A class is a site with rooms, and a presenter's window on the wall.
type class struct {
	t    *testing.T
	url  string
	code string
	wall *player
}

// serveChild is a server in a process of its own, which can be killed. The test binary is the program: TestMain calls it if the environment
// says where to listen and where to keep rooms.
func serveChild(addr, dir string) error {
	log := slog.New(slog.DiscardHandler)
	rooms, err := room.Open(context.Background(), room.Config{Log: log, Dir: dir})
	if err != nil {
		return err
	}
	return web.Serve(context.Background(), web.Config{Addr: addr, Log: log, Rooms: rooms})
}

// startChild starts one, and waits until it answers.
func startChild(t *testing.T, addr, dir string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childAddr+"="+addr, childDir+"="+dir)
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get("http://" + addr + "/healthz"); err == nil {
			answer.Body.Close()
			return child
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not answer")
		}
	}
}

// openClass opens a room that begins with a run.
func openClass(t *testing.T, path, lesson string) *class {
	t.Helper()
	return openClassAt(t, serveRooms(t, room.Config{}), path, lesson)
}

// serveRooms serves a site with rooms.
func serveRooms(t *testing.T, config room.Config) (url string) {
	t.Helper()
	config.Log = slog.New(slog.DiscardHandler)
	rooms, err := room.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rooms.Close)
	return startServer(t, web.NewHandler(web.Config{Log: config.Log, Rooms: rooms}))
}

func openClassAt(t *testing.T, url, path, lesson string) *class {
	t.Helper()
	c := &class{t: t, url: url}
	c.wall = c.join(options{Width: 1920, Height: 1080}, "/present"+path)
	c.wall.js("$('textarea').value = " + quoted(lesson) + "; $('textarea').dispatchEvent(new Event('input', {bubbles: true}))")
	c.wall.follow("form[method=post] button.button")
	c.wall.js(tellMoment)
	c.code = evaluate[string](c.wall.tab, "$('.class-bar .class-code').textContent")
	c.wall.waitFor("!$('#player').hidden")
	return c
}

// join opens a page of the site in a browser of its own.
func (c *class) join(o options, path string) *player {
	c.t.Helper()
	p := &player{url: c.url}
	p.tab = newTab(c.t, o)
	p.open(p.url + path)
	p.js(tellMoment)
	return p
}

// member is one who follows in a language.
func (c *class) member(lang string) *player {
	c.t.Helper()
	p := c.join(options{Width: 412, Height: 800}, "/class/"+c.code+"/"+lang)
	p.waitFor("$('run-player').classList.contains('live')")
	return p
}

// where tells which run a page shows, at which moment: its address without language and class.
func (p *player) where() string {
	return evaluate[string](p.tab, `$('#stage').dataset.link.replace(/^.*\/(en|zh)\//, '').replace(/[?&]class=\w+/, '').replace('&', '?')`)
}

// later is JavaScript that tells whether a page has gone on from a moment.
func later(than string) string {
	return "!$('#stage').dataset.link.endsWith(" + quoted(than[strings.LastIndexByte(than, '=')+1:]) + ")"
}

// sees waits until a page shows a run at a moment.
func (p *player) sees(want string) {
	p.t.Helper()
	var got string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if got = p.where(); got == want {
			return
		}
	}
	p.t.Errorf("the page shows %q, not %q", got, want)
}

func quoted(s string) string { return "`" + strings.ReplaceAll(s, "`", "\\`") + "`" }

// netConditions are the conditions of the network, for Chromium before version 150,
// which wants to be told by itself whether it is cut off, and after.
type netConditions struct {
	network.EmulateNetworkConditionsByRuleParams
	Offline bool `json:"offline"`
}

var setNetwork = cdp.Command[netConditions, network.EmulateNetworkConditionsByRuleResult]{Method: network.CommandEmulateNetworkConditionsByRule}

// offline cuts a page off from the network, or connects it again.
func (p *player) offline(yes bool) {
	p.t.Helper()
	conditions := netConditions{Offline: yes}
	conditions.MatchedNetworkConditions = []*network.Conditions{{Offline: yes, DownloadThroughput: -1, UploadThroughput: -1}}
	p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, setNetwork, conditions)
		return err
	}))
}

// TestClassFollows has one who presents and three who follow, one of them late: they see the same run at the same moment, in their own
// languages, answer, wander off and come back, and lose the network.
func TestClassFollows(t *testing.T) {
	c := openClass(t, "/en/ordering/book/by-seq?at=1s", "")
	wall, zh, en := c.wall, c.member("zh"), c.member("en")
	wall.is("$('footer [data-text]').textContent", "2")
	for _, p := range []*player{zh, en} {
		p.sees("ordering/book/by-seq?at=1s")
	}

	t.Log("steps")
	wall.press(kb.ArrowRight + kb.ArrowRight + kb.ArrowRight)
	stepped := wall.where()
	for _, p := range []*player{zh, en} {
		p.sees(stepped)
	}
	zh.is("$('#clock') === null && /[一-龥]/.test($('#sentence').textContent)", "true")
	en.is("/[一-龥]/.test($('#sentence').textContent)", "false")

	t.Log("another protocol, with a key")
	wall.press("p")
	wall.is("$('.tabs [aria-current]').textContent", "By arrival")
	wall.press(" ")
	zh.waitFor("$('#sentence').textContent && " + later(wall.where()))
	wall.press(" ")
	moved := wall.where()
	for _, p := range []*player{zh, en} {
		p.sees(moved)
	}
	wall.shot("class-wall")
	zh.shot("class-follow-zh")

	t.Log("question")
	wall.press("n")
	zh.waitFor("$('#question form')")
	zh.click("#question label:nth-of-type(2) input")
	zh.waitFor("$('.said').textContent")
	en.click("#question label:nth-of-type(1) input")
	wall.is("$('#question .count b')?.textContent", "2")
	late := c.member("en")
	late.sees(moved)
	late.waitFor("$('#question form')")
	late.click("#question label:nth-of-type(2) input")
	en.click("#question label:nth-of-type(2) input") // changes his mind
	wall.is("$('#question .count b')?.textContent", "3")
	wall.is("document.querySelectorAll('#question i').length", "0") // nobody sees how many for which
	late.shot("class-question")
	wall.shot("class-question-wall")

	t.Log("reveal")
	wall.press("n")
	for _, p := range []*player{wall, zh, en, late} {
		p.waitFor("$('#question .right')")
		p.is("[...document.querySelectorAll('#question i')].map((i) => i.textContent).join()", "0,3,0")
		p.waitFor(later(p.where())) // it plays
	}
	wall.press(" ")
	stopped := wall.where()
	for _, p := range []*player{zh, en, late} {
		p.sees(stopped)
	}
	zh.shot("class-revealed")
	wall.shot("class-revealed-wall")
	wall.press("n")
	late.is("$('#question')?.className", "question none")

	t.Log("wanders off, and comes back")
	en.follow("#around")
	en.js(tellMoment)
	en.sees(stopped)
	en.shot("class-visiting")
	wall.press(kb.ArrowLeft)
	back := wall.where()
	zh.sees(back)
	en.sees(stopped)
	en.follow(".visiting a")
	en.js(tellMoment)
	en.sees(back)

	t.Log("blank")
	wall.press("b")
	zh.waitFor("getComputedStyle($('.blanked')).display != 'none'")
	wall.press("b")
	zh.waitFor("getComputedStyle($('.blanked')).display == 'none'")

	t.Log("the wall is loaded anew, and goes back in its history")
	wall.reload()
	entries := evaluate[int](wall.tab, "history.length")
	wall.press(kb.ArrowRight)
	wall.waitFor(fmt.Sprintf("history.length !== %d", entries)) // its address follows the picture
	ahead := wall.where()
	if ahead == back {
		t.Error("the wall does not step")
	}
	zh.sees(ahead)
	wall.js("history.back()")
	for _, p := range []*player{wall, zh} {
		p.sees(back)
	}

	t.Log("the network is lost")
	wall.expect("ERR_INTERNET_DISCONNECTED")
	wall.offline(true)
	wall.press(kb.ArrowRight + kb.ArrowRight)
	wall.waitFor("$('class-desk').hasAttribute('data-cut')")
	shown := wall.where()
	if shown == back {
		t.Error("without the network the wall does not go on")
	}
	wall.offline(false)
	for _, p := range []*player{zh, en, late} {
		p.sees(shown)
	}
	wall.is("$('class-desk').hasAttribute('data-cut')", "false")
}

// TestClassLesson walks through the sample lesson of a chapter with a clicker, from the presenter's own screen, which takes over from the wall.
func TestClassLesson(t *testing.T) {
	text, ok := lessonfile.Sample("ordering")
	if !ok {
		t.Fatal("there is no sample")
	}
	c := openClass(t, "/en/ordering/book/by-seq", text)
	wall := c.wall
	zh := c.member("zh")
	wall.press(kb.PageDown)
	zh.sees("ordering")
	wall.press(kb.PageDown)
	zh.waitFor("$('#question form')")
	wall.press(kb.PageDown)
	for _, p := range []*player{wall, zh} {
		p.sees("ordering?at=5.2s")
		p.is("$('#question')?.className", "question none")
	}

	own := &player{url: c.url, tab: wall.another()}
	own.open(c.url + "/class/" + c.code + "/notes/en")
	own.js(tellMoment)
	own.is("$('.steps [aria-current] strong')?.textContent", "By arrival · The book’s run · 5.2 s")
	own.shot("class-notes")
	own.is("getComputedStyle($('.taken')).display != 'none'", "true")
	own.press(kb.PageDown) // nothing: the wall drives
	own.click("[data-do=take]")
	wall.is("getComputedStyle($('.taken')).display != 'none'", "true")
	own.is("getComputedStyle($('.taken')).display", "none")
	own.press(kb.PageDown)
	for _, p := range []*player{own, wall, zh} {
		p.sees("ordering?at=6.24s")
	}
	own.press(kb.PageUp + kb.PageUp)
	for _, p := range []*player{own, wall, zh} {
		p.waitFor("$('#question')?.className != 'question none'")
	}
	own.press(strings.Repeat(kb.PageDown, 9))
	zh.waitFor("$('#question [inputmode]')")
	zh.js("$('#question [inputmode]').value = '1,5'; $('#question [inputmode]').dispatchEvent(new Event('change', {bubbles: true}))")
	wall.is("$('#question .count b')?.textContent", "1")
	own.press("n")
	zh.is("$('#question .bars')?.textContent.trim().replace(/\\s+/g, ' ')", "1 – 2 1")
	zh.is("/是\\s*0/.test($('#question .count')?.textContent)", "true")
	own.press("n")
	own.expect("status of 409") // the wall drove
	wall.press("?")
	wall.shot("class-keys")
	wall.press(kb.Escape + "q")
	wall.shot("class-invite")
	axe(t, wall.tab)
	axe(t, own.tab)
	axe(t, zh.tab)
}

// TestClassChangesChapter leads from one chapter to another, which draws what the first has not.
func TestClassChangesChapter(t *testing.T) {
	c := openClass(t, "/en/ordering", "at /ordering?at=2s\nat /offline?at=end\nat /polling/hole?at=4s\n")
	zh := c.member("zh")
	for _, want := range []string{"ordering?at=2s", "offline?at=end", "polling/hole?at=4s"} {
		c.wall.press(kb.PageDown)
		for _, p := range []*player{c.wall, zh} {
			p.sees(want)
		}
		if strings.HasPrefix(want, "offline") {
			zh.waitFor("document.querySelectorAll('#heat .got').length == 2")
		}
	}
}

// reload loads a page of a class anew.
func (p *player) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
	p.js(tellMoment)
	p.waitFor("!$('#player')?.hidden")
}

// TestClassSurvivesKill kills the server in mid-class: the room, its answers and guesses are there when it is back, and so is the class,
// without anybody doing anything.
func TestClassSurvivesKill(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr, dir := listener.Addr().String(), t.TempDir()
	listener.Close()
	child := startChild(t, addr, dir)
	c := openClassAt(t, "http://"+addr, "/en/ordering/book/by-seq?at=1s", "")
	wall, zh := c.wall, c.member("zh")
	wall.press(kb.ArrowRight + "n")
	zh.waitFor("$('#question form')")
	zh.click("#question label:nth-of-type(2) input")
	wall.is("$('#question .count b')?.textContent", "1")
	where := wall.where()

	for _, p := range []*player{wall, zh} {
		p.expect("ERR_") // the stream breaks, and what is asked meanwhile
		p.js("window.back = 0; document.addEventListener('datastar-fetch', ({detail}) => { if (detail.type == 'datastar-patch-signals') back ||= performance.now() })")
	}
	if err := child.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	wall.press(kb.ArrowRight) // while nobody hears it
	time.Sleep(time.Second)
	startChild(t, addr, dir)
	for _, p := range []*player{wall, zh} {
		p.js("window.restarted = performance.now(); back = 0")
	}
	for _, p := range []*player{wall, zh} {
		p.waitFor("back")
		t.Logf("back after %.1f s", evaluate[float64](p.tab, "(back - restarted) / 1000"))
	}
	wall.is("$('#question .count b')?.textContent", "1")
	zh.is("$('#question input:checked').value", "1")
	if now := wall.where(); now == where {
		t.Error("the wall did not go on while the server was away")
	}
	zh.sees(wall.where())
	wall.press("n")
	zh.waitFor("$('#question .right')")
	zh.is("[...document.querySelectorAll('#question i')].map((i) => i.textContent).join()", "0,1,0")
}

// startNATS starts a server for rooms; port 0 takes a free one.
func startNATS(t *testing.T, port int, dir string) *server.Server {
	t.Helper()
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(patience) {
		t.Fatal("the NATS server did not start")
	}
	return s
}

// TestClassOfTwoServers has the presenter at one server and who follows at another, with one NATS server for both, which goes away and comes
// back: the presenter is told that the class is cut off, and all catch up.
func TestClassOfTwoServers(t *testing.T) {
	dir := t.TempDir()
	nats := startNATS(t, 0, dir)
	config := room.Config{NATS: nats.ClientURL()}
	c := openClassAt(t, serveRooms(t, config), "/en/ordering/book/by-seq?at=1s", "")
	c.url = serveRooms(t, config)
	wall, zh := c.wall, c.member("zh")
	wall.press(kb.ArrowRight)
	zh.sees(wall.where())
	wall.is("$('footer [data-text]').textContent", "1")

	port := nats.Addr().(*net.TCPAddr).Port
	nats.Shutdown()
	nats.WaitForShutdown()
	wall.waitFor("$('[data-show=\"!$room.live\"]').checkVisibility()")
	wall.expect("status of 503")
	wall.press(kb.ArrowRight + kb.ArrowRight)
	wall.waitFor("$('class-desk').hasAttribute('data-cut')")
	startNATS(t, port, dir)
	wall.waitFor("!$('[data-show=\"!$room.live\"]').checkVisibility()")
	wall.waitFor("!$('class-desk').hasAttribute('data-cut')")
	zh.sees(wall.where())
}
