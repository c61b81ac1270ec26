package lessonfile

import "fmt"

// Error says what is wrong with a text, and where.
type Error struct {
	Line, Column int    // from 1; in characters
	Word         string // what stands there; empty at the end of the line
	Want         Want   // what should be there
	Valid        string // what would be right, or an example
}

// Want is what should be where a text is wrong.
type Want uint8

// What can be wanted.
const (
	WantStatement   Want = iota + 1 // one of the words that begin one
	WantStep                        // at least one
	WantText                        // something to say
	WantLanguage                    // one of the site's
	WantEarlier                     // languages come first
	WantLink                        // an address of this site
	WantPlace                       // a chapter, scenario or protocol that there is
	WantParam                       // a parameter of this page, and a value that it takes
	WantMoment                      // a moment that the run has
	WantShorter                     // a run short enough to draw
	WantMomentFirst                 // a moment before this
	WantQuestion                    // a question before this
	WantAnswers                     // 2 to 6 answers, or a number
	WantOneRight                    // one right answer
	WantNothing                     // answers or a number, not both
	WantNumber                      // a number
	WantEnd                         // nothing more
	WantFewer                       // less of it
)

// wanted says it in English and Chinese.
var wanted = [...][2]string{
	WantStatement:   {"a line begins with one of", "一行的开头是其中之一"},
	WantStep:        {"a lesson has at least one step", "一节课至少要有一步"},
	WantText:        {"a text should follow", "这里该有文字"},
	WantLanguage:    {"a language should be named, once", "这里该写一种语言，每种只写一次"},
	WantEarlier:     {"the languages come before all else", "语言要写在最前面"},
	WantLink:        {"an address of this site should stand", "这里该是本站的一个地址"},
	WantPlace:       {"there is only", "只有"},
	WantParam:       {"this page takes", "这一页能写"},
	WantMoment:      {"the run has no such moment; it has", "这次运行没有这一刻，它有"},
	WantShorter:     {"the run is too long to be drawn", "这次运行太长，画不出来"},
	WantMomentFirst: {"a moment of the chapter should come first", "前面要先有这一章的一刻"},
	WantQuestion:    {"a question should come first", "前面要先有一个问题"},
	WantAnswers:     {"a question has 2 to 6 answers, or a number", "一个问题要有 2 到 6 个答案，或者一个数"},
	WantOneRight:    {"one answer is right, and only one", "正确答案有且只有一个"},
	WantNothing:     {"a question has either answers or one number", "一个问题要么有几个答案，要么有一个数"},
	WantNumber:      {"a number should stand", "这里该是一个数"},
	WantEnd:         {"the line should end", "这一行该结束了"},
	WantFewer:       {"there may be at most", "最多只能有"},
}

// Error says it in English, as compilers do: line:column: what is wrong.
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.In("en")) }

// In says what is wrong in a language, en or zh, without the place.
func (e *Error) In(lang string) string {
	stands, ended, colon, which := "“"+e.Word+"”", "the end of the line", ": ", 0
	if lang == "zh" {
		ended, colon, which = "这一行的结尾", "：", 1
	}
	if e.Word == "" {
		stands = ended
	}
	text := stands + colon + wanted[e.Want][which]
	if e.Valid != "" {
		text += colon + e.Valid
	}
	return text
}
