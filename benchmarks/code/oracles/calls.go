// What Go's own type checker says of each call of a repository, for `python -m benchmarks code exact`:
// go run calls.go REPOSITORY > calls.json
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type call struct {
	Path, Name string
	Line       int
	Targets    [][]any
	Known      bool
}

var root, module string
var fset = token.NewFileSet()
var std = importer.ForCompiler(fset, "source", nil)
var done = map[string]*types.Package{}
var out = []call{}
var seen = map[string]bool{}

type imp struct{}

func (imp) Import(path string) (*types.Package, error) {
	if p, ok := done[path]; ok {
		return p, nil
	}
	if path == module || strings.HasPrefix(path, module+"/") {
		check(path, filepath.Join(root, strings.TrimPrefix(path, module)), "")
		if done[path] != nil {
			return done[path], nil
		}
	}
	if !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
		if p, err := std.Import(path); err == nil {
			done[path] = p
			return p, nil
		}
	}
	return nil, fmt.Errorf("no %s", path)
}

func check(path, dir, tests string) {
	if tests == "" {
		done[path] = nil
	}
	groups := map[string][]*ast.File{}
	ents, _ := os.ReadDir(dir)
	for _, e := range ents {
		n := e.Name()
		if !strings.HasSuffix(n, ".go") {
			continue
		}
		if strings.HasSuffix(n, "_windows.go") || strings.HasSuffix(n, "_windows_test.go") || strings.Contains(n, "appengine") {
			continue
		}
		src, _ := os.ReadFile(filepath.Join(dir, n))
		if m := regexp.MustCompile(`(?m)^//go:build (.*)$`).FindSubmatch(src); m != nil {
			c := string(m[1])
			if !strings.HasPrefix(c, "!") || strings.Contains(c, "&&") {
				continue
			}
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, n), src, 0)
		if err != nil {
			continue
		}
		isTest := strings.HasSuffix(n, "_test.go")
		name := f.Name.Name
		if isTest && tests == "" {
			continue
		}
		groups[name] = append(groups[name], f)
	}
	for name, files := range groups {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		conf := types.Config{Importer: imp{}, Error: func(error) {}, FakeImportC: true}
		pp := path
		if tests != "" {
			pp = path
			if strings.HasSuffix(name, "_test") {
				pp = path + "_test"
			}
		}
		pkg, _ := conf.Check(pp, fset, files, info)
		if tests == "" && (done[path] == nil) {
			done[path] = pkg
		}
		collect(files, info)
	}
}

func collect(files []*ast.File, info *types.Info) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun := c.Fun
		loop:
			for {
				switch x := fun.(type) {
				case *ast.ParenExpr:
					fun = x.X
				case *ast.IndexExpr:
					fun = x.X
				case *ast.IndexListExpr:
					fun = x.X
				default:
					break loop
				}
			}
			var id *ast.Ident
			switch x := fun.(type) {
			case *ast.Ident:
				id = x
			case *ast.SelectorExpr:
				id = x.Sel
			default:
				return true
			}
			at := fset.Position(id.Pos())
			rel, err := filepath.Rel(root, at.Filename)
			if err != nil || strings.HasPrefix(rel, "..") {
				return true
			}
			one := call{Path: rel, Name: id.Name, Line: at.Line, Targets: [][]any{}}
			obj := info.Uses[id]
			if obj != nil {
				one.Known = true
				if fn, ok := obj.(*types.Func); ok {
					obj = fn.Origin()
				}
				if obj.Pos().IsValid() {
					d := fset.Position(obj.Pos())
					if r, err := filepath.Rel(root, d.Filename); err == nil && !strings.HasPrefix(r, "..") {
						one.Targets = append(one.Targets, []any{r, d.Line, fmt.Sprintf("%T", obj), obj.Name()})
					}
				}
			}
			key := fmt.Sprint(rel, at.Line, at.Column)
			if !seen[key] {
				seen[key] = true
				out = append(out, one)
			}
			return true
		})
	}
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	src, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	module = string(regexp.MustCompile(`(?m)^module\s+(\S+)`).FindSubmatch(src)[1])
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			rel, _ := filepath.Rel(root, p)
			if strings.HasPrefix(d.Name(), ".") && rel != "." || d.Name() == "testdata" || d.Name() == "vendor" {
				return filepath.SkipDir
			}
			ip := module
			if rel != "." {
				ip = module + "/" + rel
			}
			check(ip, p, "t")
		}
		return nil
	})
	n := 0
	for _, c := range out {
		if len(c.Targets) > 0 {
			n++
		}
	}
	fmt.Fprintln(os.Stderr, len(out), "calls", n, "inside")
	json.NewEncoder(os.Stdout).Encode(out)
}
