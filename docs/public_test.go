package docs_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// TestThePublicPackagesStaySmall counts what an importer of the module can name, methods included.
// Everything else is internal; stability.md promises what is left.
func TestThePublicPackagesStaySmall(t *testing.T) {
	const most = 400
	names := 0
	for _, dir := range []string{
		"suites", "suites/spec", "suites/matchers", "suites/target", "suites/record",
		"gateway/deployment", "gateway/rules", "gateway/reference", "load", "reports",
	} {
		set, files := token.NewFileSet(), []*ast.File(nil)
		for _, path := range testmust.Get(filepath.Glob(filepath.Join("..", dir, "*.go")))(t) {
			if !strings.HasSuffix(path, "_test.go") {
				files = append(files, testmust.Get(parser.ParseFile(set, path, nil, parser.ParseComments))(t))
			}
		}
		p := testmust.Get(doc.NewFromFiles(set, files, dir))(t)
		names += countNames(p.Consts) + countNames(p.Vars) + len(p.Funcs)
		for _, one := range p.Types {
			names += 1 + countNames(one.Consts) + countNames(one.Vars) + len(one.Funcs) + len(one.Methods)
		}
	}
	if names == 0 || names > most {
		t.Errorf("%d exported identifiers, at most %d: can the new ones be internal?", names, most)
	}
}

func countNames(values []*doc.Value) (n int) {
	for _, v := range values {
		for _, name := range v.Names {
			if ast.IsExported(name) {
				n++
			}
		}
	}
	return n
}
