// Package find looks for a run in which something happens: it tries one seed after another, and makes what it finds small.
package find

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"imscope/sim/im"
)

// Condition is what a run is looked for by, such as missing_unnoticed >= 1 && inverted_pairs == 0: a formula over the variables of a
// scenario, in the language of github.com/expr-lang/expr.
type Condition struct {
	text      string
	program   *vm.Program
	variables []Variable
}

// A ConditionError says what is wrong with a condition, and where: lines and columns count from 1.
type ConditionError struct {
	Line, Column int
	Text         string
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// What bounds the work that a condition may make: its length in bytes, and the nodes of its tree.
const (
	mostBytes = 300
	mostNodes = 100
)

// functions are the built-in ones that conditions may call.
var functions = []string{"len", "abs", "min", "max", "indexOf"}

// Parse reads a condition on runs of s. The error is a *ConditionError.
func Parse(text string, s *im.Scenario) (*Condition, error) {
	if len(text) > mostBytes {
		return nil, &ConditionError{1, mostBytes + 1, fmt.Sprintf("a condition has at most %d bytes", mostBytes)}
	}
	c := &Condition{text: text, variables: Variables(s)}
	options := []expr.Option{expr.Env(c.environment(newOutcome(s))), expr.AsBool(), expr.MaxNodes(mostNodes), expr.DisableAllBuiltins()}
	for _, name := range functions {
		options = append(options, expr.EnableBuiltin(name))
	}
	loops := new(loops)
	var err error
	if c.program, err = expr.Compile(text, append(options, expr.Patch(loops))...); err == nil {
		err = loops.found(text)
	}
	return c, located(err)
}

// loops finds what goes through a list or makes one: a condition must not take long.
type loops struct{ first ast.Node }

// Visit looks at one node of the tree.
func (l *loops) Visit(node *ast.Node) {
	_, loop := (*node).(*ast.PredicateNode)
	if b, ok := (*node).(*ast.BinaryNode); ok && b.Operator == ".." {
		loop = true
	}
	if loop && l.first == nil {
		l.first = *node
	}
}

func (l *loops) found(text string) error {
	if l.first == nil {
		return nil
	}
	err := &file.Error{Location: l.first.Location(), Message: "loops and ranges are not for conditions"}
	return err.Bind(file.NewSource(text))
}

// located turns an error of the library into a *ConditionError.
func located(err error) error {
	if err == nil {
		return nil
	}
	var at *file.Error
	if errors.As(err, &at) {
		return &ConditionError{max(at.Line, 1), at.Column + 1, at.Message}
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return &ConditionError{1, 1, text}
}

// holds reports whether a run satisfies the condition. The error is a *ConditionError: some conditions, such as ben[3] == "A1", cannot
// be computed for every run.
func (c *Condition) holds(o *outcome) (bool, error) {
	v, err := expr.Run(c.program, c.environment(o))
	if err != nil {
		return false, located(err)
	}
	return v.(bool), nil
}

// environment holds the values of the variables.
func (c *Condition) environment(o *outcome) map[string]any {
	values := make(map[string]any, len(c.variables))
	for _, v := range c.variables {
		values[v.Name] = v.of(o)
	}
	return values
}
