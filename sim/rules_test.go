package sim_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// module is where the packages of sim are imported from.
const module = "imscope/sim"

// allowed are the packages that sim may import: nothing that does I/O, knows the wall clock, or draws luck of its own. Of package
// time only the durations are used, which a rule below holds.
var allowed = map[string]bool{
	"bufio": true, "cmp": true, "context": true, "errors": true, "fmt": true, "io": true, "iter": true, "math": true, "math/bits": true,
	"slices": true, "strconv": true, "strings": true, "time": true,
}

// wallClock are the functions of package time that know what time it is, or wait.
var wallClock = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true, "NewTicker": true, "NewTimer": true,
}

// TestRules checks what makes a run the same everywhere: no file of sim but its tests imports what is not allowed, asks for the
// time, starts a goroutine, goes through a map, or computes with floating point, draw.go excepted.
func TestRules(t *testing.T) {
	c := checker{t: t, fset: token.NewFileSet(), std: importer.Default(), done: make(map[string]*types.Package)}
	for _, dir := range packages(t) {
		c.check(dir)
	}
	if len(c.done) < 3 {
		t.Errorf("only %d packages looked at", len(c.done))
	}
}

// packages lists the folders of sim that hold Go files, but for modules of their own.
func packages(t *testing.T) (dirs []string) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if _, missing := os.Stat(filepath.Join(file, "go.mod")); missing == nil {
			return filepath.SkipDir
		}
		if dir := filepath.Dir(file); strings.HasSuffix(file, ".go") && (len(dirs) == 0 || dirs[len(dirs)-1] != dir) {
			dirs = append(dirs, dir)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

type checker struct {
	t    *testing.T
	fset *token.FileSet
	std  types.Importer
	done map[string]*types.Package
}

// Import finds the packages of sim in their folders, and all others where the compiler does.
func (c *checker) Import(name string) (*types.Package, error) {
	if dir, ok := strings.CutPrefix(name+"/", module+"/"); ok {
		return c.check(path.Clean(dir)), nil
	}
	return c.std.Import(name)
}

// check looks at the package in dir.
func (c *checker) check(dir string) *types.Package {
	if p := c.done[dir]; p != nil {
		return p
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		c.t.Fatal(err)
	}
	var parsed []*ast.File
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(c.fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			c.t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: c}
	p, err := config.Check(path.Join(module, filepath.ToSlash(dir)), c.fset, parsed, info)
	if err != nil {
		c.t.Fatal(err)
	}
	c.done[dir] = p
	for _, f := range parsed {
		c.imports(f)
		c.code(f, info)
	}
	return p
}

func (c *checker) imports(f *ast.File) {
	for _, i := range f.Imports {
		name := strings.Trim(i.Path.Value, `"`)
		if name != module && !strings.HasPrefix(name, module+"/") && !allowed[name] {
			c.t.Errorf("%s: imports %s", c.fset.Position(i.Pos()), name)
		}
	}
}

func (c *checker) code(f *ast.File, info *types.Info) {
	floats := filepath.Base(c.fset.Position(f.Pos()).Filename) == "draw.go"
	ast.Inspect(f, func(n ast.Node) bool {
		complain := func(what string) { c.t.Errorf("%s: %s", c.fset.Position(n.Pos()), what) }
		switch n := n.(type) {
		case *ast.GoStmt:
			complain("starts a goroutine")
		case *ast.RangeStmt:
			if _, ok := info.TypeOf(n.X).Underlying().(*types.Map); ok {
				complain("goes through a map, whose order is not the same twice")
			}
		case *ast.Ident:
			if o := info.Uses[n]; o != nil && o.Pkg() != nil && o.Pkg().Path() == "time" && wallClock[n.Name] && o.Parent() == o.Pkg().Scope() {
				complain("asks for the time: " + n.Name)
			}
		}
		if e, ok := n.(ast.Expr); ok && !floats && isFloat(info.TypeOf(e)) {
			complain("computes with floating point")
		}
		return true
	})
}

func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}
