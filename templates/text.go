package templates

import "strings"

// place says in which line a fault is.
func (f TextFault) place(l Lang) string {
	return l.In("Line ", "第 ") + l.Int(f.Line) + l.In(", ", " 行，")
}

// pointer points at what is wrong, below the line.
func (f TextFault) pointer() string {
	return strings.Repeat(" ", f.Before) + strings.Repeat("^", max(1, f.Wrong))
}
