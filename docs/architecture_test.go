package docs_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

const module = "github.com/gateassay/gateassay/"

// listed is a package as go list describes it.
type listed struct {
	Dir, ImportPath, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

// packages lists the packages of this module.
func packages(t *testing.T) []listed {
	t.Helper()
	command := exec.Command("go", "list",
		"-json=Dir,ImportPath,Name,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports",
		"./...")
	command.Dir, command.Stderr = "..", os.Stderr
	out := testmust.Get(command.Output())(t)
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		all = append(all, p)
	}
}

// picture reads the architecture page of CONTRIBUTING.md: the levels from the top down, and the
// packages that it names.
func picture(t *testing.T) (levels [][]string, named []string) {
	t.Helper()
	data := testmust.Get(os.ReadFile("../CONTRIBUTING.md"))(t)
	_, page, _ := strings.Cut(string(data), "## The architecture in one page\n")
	page, _, _ = strings.Cut(page, "\n## ")
	top := regexp.MustCompile(`^    ([a-z]+(?:/[a-z]+)*)/  `)
	below := regexp.MustCompile(`^      ([a-z/-]+(?:, [a-z/-]+)*)  `)
	folder := ""
	for line := range strings.Lines(page) {
		if strings.Contains(line, "→") && levels == nil {
			for level := range strings.SplitSeq(strings.TrimSpace(line), "→") {
				levels = append(levels, strings.Split(strings.TrimSpace(level), ", "))
			}
		} else if m := top.FindStringSubmatch(line); m != nil {
			folder = m[1]
			named = append(named, folder)
		} else if m := below.FindStringSubmatch(line); m != nil {
			for name := range strings.SplitSeq(m[1], ", ") {
				named = append(named, path.Join(folder, name))
			}
		}
	}
	if len(levels) < 3 || len(named) < 20 {
		t.Fatalf("CONTRIBUTING.md: found the levels %v and %d packages", levels, len(named))
	}
	return levels, named
}

func level(levels [][]string, importPath string) int {
	first, _, _ := strings.Cut(importPath, "/")
	return slices.IndexFunc(levels, func(l []string) bool { return slices.Contains(l, first) })
}

// upward lists the packages whose tests may import higher levels.
var upward = []string{"suites", "suites/acceptance", "suites/proof"}

// TestDependenciesRunOneWay checks every import against the line of levels in CONTRIBUTING.md. A
// package may import packages further right and those of its own folder; the last two levels may
// import each other.
func TestDependenciesRunOneWay(t *testing.T) {
	levels, _ := picture(t)
	for _, p := range packages(t) {
		from := level(levels, p.ImportPath)
		if from < 0 {
			t.Errorf("%s is in no folder that CONTRIBUTING.md orders: %v", p.ImportPath, levels)
			continue
		}
		allowed := func(other string) bool {
			first, _, _ := strings.Cut(p.ImportPath, "/")
			folder, _, _ := strings.Cut(other, "/")
			to := level(levels, other)
			return folder == first || p.Name == "main" || to > from || to == from && to == len(levels)-1
		}
		imports := slices.Clone(p.Imports)
		if !slices.Contains(upward, p.ImportPath) && !strings.HasPrefix(p.ImportPath, "docs") {
			imports = slices.Concat(imports, p.TestImports, p.XTestImports)
		}
		for _, other := range imports {
			if other, ours := strings.CutPrefix(other, module); ours && !allowed(other) {
				t.Errorf("%s imports %s; CONTRIBUTING.md allows what is right of it in %v", p.ImportPath, other,
					levels)
			}
		}
	}
}

// TestThePictureShowsEveryPackage fails if CONTRIBUTING.md omits a package or names a folder
// that does not exist.
func TestThePictureShowsEveryPackage(t *testing.T) {
	_, named := picture(t)
	for _, p := range packages(t) {
		if !slices.Contains(named, p.ImportPath) {
			t.Errorf("CONTRIBUTING.md does not show %s", p.ImportPath)
		}
	}
	for _, name := range named {
		if _, err := os.Stat(filepath.Join("..", name)); err != nil {
			t.Errorf("CONTRIBUTING.md shows %s: %v", name, err)
		}
	}
}

// TestNoTwoPackagesHaveOneName keeps imports readable: package names are unique, and no file
// renames an import.
func TestNoTwoPackagesHaveOneName(t *testing.T) {
	names := map[string]string{}
	for _, p := range packages(t) {
		if other, taken := names[p.Name]; taken && p.Name != "main" {
			t.Errorf("%s and %s are both called %s", other, p.ImportPath, p.Name)
		}
		names[p.Name] = p.ImportPath
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			file := filepath.Join(p.Dir, name)
			parsed := testmust.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly))(t)
			for _, i := range parsed.Imports {
				if i.Name != nil && i.Name.Name != "." && strings.Contains(i.Path.Value, module) {
					t.Errorf("%s imports %s as %s", file, i.Path.Value, i.Name.Name)
				}
			}
		}
	}
}

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
