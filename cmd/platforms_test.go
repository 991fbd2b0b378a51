package cmd

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gateassay/gateassay/internal/testmust"
)

// Releases support Windows: every package must type-check there. Reading the sources, and those of
// other modules without the bodies of their functions, takes a fraction of the time of a
// cross-compilation.
func TestEveryPackageIsForWindows(t *testing.T) {
	t.Parallel()
	ours := testmust.Get(filepath.Abs(".."))(t) + string(filepath.Separator)
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedImports | packages.NeedDeps,
		Env: append(os.Environ(), "GOOS=windows", "CGO_ENABLED=0"),
		ParseFile: func(set *gotoken.FileSet, path string, text []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
			if err == nil && !strings.HasPrefix(path, ours) {
				for _, d := range file.Decls {
					if f, is := d.(*ast.FuncDecl); is {
						f.Body = nil
					}
				}
			}
			return file, err
		},
	}, "github.com/gateassay/gateassay/...")
	if err != nil || len(all) < 50 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	for _, p := range all {
		for _, e := range p.Errors {
			t.Error(e)
		}
	}
}
