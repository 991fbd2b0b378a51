package cmd

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Releases support Windows: every package must type-check there, with and without buckets. Reading
// the sources takes a tenth of the time of a cross-compilation.
func TestEveryPackageIsForWindows(t *testing.T) {
	t.Parallel()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedImports | packages.NeedDeps,
		Dir: "gateassay-cloud", Env: append(os.Environ(), "GOOS=windows", "CGO_ENABLED=0"),
	}, "./...", "github.com/gateassay/gateassay/...")
	if err != nil || len(all) < 50 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	for _, p := range all {
		for _, e := range p.Errors {
			t.Error(e)
		}
	}
}
