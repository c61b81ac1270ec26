package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"imscope/templates"
)

var (
	han    = regexp.MustCompile(`\p{Han}`)
	letter = regexp.MustCompile(`[A-Za-z]`)
)

// TestTextsInTwoLanguages reads the sources and checks each pair of texts: none is missing, none stands in the place of the other, and
// both have the same verbs for what is filled in.
func TestTextsInTwoLanguages(t *testing.T) {
	pairs := 0
	for _, pattern := range []string{"*.go", "../templates/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				en, zh, ok := textPair(n)
				if !ok {
					return true
				}
				pairs++
				where := set.Position(n.Pos())
				// Chinese does without some words that join others, and without blanks between sentences.
				if en == "" && zh != "" || zh == "" && len(letter.FindAllString(en, -1)) > len("are") {
					t.Errorf("%v: a text is missing: %q, %q", where, en, zh)
				}
				if han.MatchString(en) || len(letter.FindAllString(verb.ReplaceAllString(en, ""), -1)) > len("are") && !han.MatchString(zh) {
					t.Errorf("%v: not two languages: %q, %q", where, en, zh)
				}
				if a, b := verbs(en), verbs(zh); !slices.Equal(a, b) {
					t.Errorf("%v: %q is filled in with %q, %q with %q", where, en, a, zh, b)
				}
				return true
			})
		}
	}
	if pairs < 100 {
		t.Errorf("only %d pairs of texts found", pairs)
	}
}

// textPair returns the texts of a call of In, f or Count.
func textPair(n ast.Node) (en, zh string, ok bool) {
	call, isCall := n.(*ast.CallExpr)
	if !isCall {
		return "", "", false
	}
	name := ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	var at [2]int
	switch {
	case (name == "In" || name == "f") && len(call.Args) >= 2:
		at = [2]int{0, 1}
	case name == "Count" && len(call.Args) == 4:
		at = [2]int{2, 3}
	default:
		return "", "", false
	}
	en, enOK := literal(call.Args[at[0]])
	zh, zhOK := literal(call.Args[at[1]])
	return en, zh, enOK && zhOK
}

// literal is the text of a string in the source; what is put between its parts is left out.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, aOK := literal(e.X)
		b, bOK := literal(e.Y)
		return a + b, aOK || bOK
	}
	return "", false
}

var verb = regexp.MustCompile(`%(\[\d\])?[a-z]`)

// verbs lists the kinds of what a text is filled in with, by place.
func verbs(text string) []string {
	var out []string
	for i, v := range verb.FindAllString(text, -1) {
		if v[1] == '[' {
			i = int(v[2] - '1')
			v = "%" + v[4:]
		}
		out = append(out, strconv.Itoa(i)+v)
	}
	slices.Sort(out)
	return out
}

// TestTextsOfPages goes through every kind of page in both languages.
func TestTextsOfPages(t *testing.T) {
	h := site()
	for _, lang := range templates.Langs {
		addresses := []string{"", "/none", "/ordering/none", "/ordering/book/none", "/a/b/c/d/e", "/ordering?loss=2&x=1&at=6s~7", "/ordering/random?seed=x&phones=10&messages=301",
			"/ordering/random?messages=300&latency=10s&loss=0.9&rto=50ms", "/ordering/random/by-seq?phones=5&loss=0.5&attempts=1&write=50ms&ids=off&dedupe=off&reopen=erik&at=end&guess=same",
			"/ordering?send=a1-5s&at=end&guess=lines", "/ordering?reopen=ana&at=end&guess=order", "/ordering/book/by-seq?at=end&guess=same"}
		everyLink(func(l Link) {
			if l.Lang == lang && !long(&l.Scenario) {
				addresses = append(addresses, strings.TrimPrefix(l.String(), "/"+lang.Code()))
			}
		})
		terms := 0
		for _, a := range addresses {
			a = "/" + lang.Code() + a
			page := document(t, get(h, a).Body.String())
			speaksOneLanguage(t, lang, a, page)
			nothingIsNameless(t, a, page)
			terms += termsAreExplained(t, a, page)
		}
		if terms == 0 {
			t.Errorf("%s: no text has a term", lang.Code())
		}
	}
}

// shownText gives f every text of a page that a reader sees or hears in the page's language.
func shownText(n *html.Node, f func(text string)) {
	if n.Type == html.TextNode {
		f(n.Data)
	}
	if n.Type == html.ElementNode {
		switch {
		case slices.Contains([]atom.Atom{atom.Code, atom.Pre, atom.Script, atom.Style}, n.DataAtom), hasAttr(n, "lang") && n.DataAtom != atom.Html:
			return
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "aria-label", "title", "alt", "placeholder", "data-play", "data-pause", "data-again", "data-done":
				f(a.Val)
			case "content":
				if attr(n, "name") == "description" {
					f(a.Val)
				}
			}
		}
	}
	for c := range n.ChildNodes() {
		shownText(c, f)
	}
}

// english is three English words on end; names of things have two at most.
var english = regexp.MustCompile(`[A-Za-z]{2,}([ ,]+[A-Za-z]{2,}){2}`)

// speaksOneLanguage checks that a page has no text of the other language, apart from the link to it.
func speaksOneLanguage(t *testing.T, lang templates.Lang, address string, page *html.Node) {
	wrong := [...]*regexp.Regexp{templates.English: han, templates.Chinese: english}[lang]
	shownText(page, func(text string) {
		if wrong.MatchString(text) {
			t.Errorf("%s: %q", address, text)
		}
	})
}

// nothingIsNameless checks that everything on a page that needs a text has one.
func nothingIsNameless(t *testing.T, address string, page *html.Node) {
	needs := []atom.Atom{atom.A, atom.Button, atom.H1, atom.H2, atom.H3, atom.Th, atom.Dt, atom.Dd, atom.Label, atom.Legend, atom.Option, atom.Summary, atom.Title,
		atom.Strong, atom.Figcaption, atom.P, atom.Output, atom.Small}
	for _, n := range elements(page, func(n *html.Node) bool { return slices.Contains(needs, n.DataAtom) }) {
		if text(n) == "" && attr(n, "id") != "sentence" {
			t.Errorf("%s: <%s class=%q> says nothing", address, n.Data, attr(n, "class"))
		}
	}
}

// termsAreExplained checks that every term which a text explains in place is in the glossary of its page, and counts them.
func termsAreExplained(t *testing.T, address string, page *html.Node) int {
	glossary := elements(page, func(n *html.Node) bool { return hasAttr(n, "popover") })
	terms := elements(page, func(n *html.Node) bool { return hasAttr(n, "popovertarget") })
	for _, n := range terms {
		id := attr(n, "popovertarget")
		if !slices.ContainsFunc(glossary, func(n *html.Node) bool { return attr(n, "id") == id }) {
			t.Errorf("%s: nothing explains %q (%s)", address, text(n), id)
		}
	}
	return len(terms)
}
