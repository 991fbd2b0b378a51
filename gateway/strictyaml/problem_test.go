package strictyaml_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

func TestTheCaretStandsBelowTheColumn(t *testing.T) {
	long := strings.Repeat("é", 300)
	for name, c := range map[string]struct {
		line   string
		column int
		below  rune
	}{
		"first":           {"rate: fast", 1, 'r'},
		"middle":          {"rate: fast", 7, 'f'},
		"after the last":  {"rate:", 6, 0},
		"after tabs":      {"\t\tx: y", 3, 'x'},
		"cut behind":      {"x" + long, 1, 'x'},
		"cut before":      {long + "x", 301, 'x'},
		"cut on both":     {long + "x" + long, 301, 'x'},
		"control unseen":  {"\x1b[31mx", 6, 'x'},
		"far past an end": {"x", 9, 0},
	} {
		p := strictyaml.Problem{File: "f.yaml", Line: 3, Column: c.column, Message: "expected this, found that"}
		p.SourceLine, p.Caret = strictyaml.Cut(c.line, c.column)
		lines := strings.Split(p.String(), "\n")
		if len(lines) != 3 {
			t.Fatalf("%s: %q", name, lines)
		}
		shown, pointer := []rune(lines[1]), []rune(lines[2])
		if strings.ContainsRune(lines[1], '\x1b') || len(shown) > strictyaml.Widest+11 {
			t.Errorf("%s: %q", name, lines[1])
		}
		at := len(pointer) - 1
		if pointer[at] != '^' || at < len(shown) && shown[at] != c.below || at >= len(shown) && c.below != 0 {
			t.Errorf("%s: the caret is at %d of\n%s\n%s", name, at, lines[1], lines[2])
		}
		for i, r := range pointer[:at] {
			if i < len(shown) && i > 8 && (shown[i] == '\t') != (r == '\t') {
				t.Errorf("%s: a tab is not kept at %d", name, i)
			}
		}
	}
}

func TestLinesAreCountedAsYAMLDoes(t *testing.T) {
	got := strictyaml.Lines("a\r\nb\rc\nd\u0085e\u2028f\u2029g")
	if !slices.Equal(got, []string{"a", "b", "c", "d", "e", "f", "g"}) {
		t.Errorf("%q", got)
	}
}

func TestReadSaysWhyAFileCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(
			dir, "absent.yaml"): "absent.yaml: expected a readable plan, found no such file\n       hint: write one",
		dir: dir + ": expected a readable plan, found a folder",
	} {
		_, err := (&strictyaml.Format{Name: "plan", Largest: 10, Absent: "write one"}).Read(path)
		var problems *strictyaml.Problems
		if !errors.As(err, &problems) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if strings.Contains(path, "absent") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAHopelessFileIsNotPrintedWhole(t *testing.T) {
	var p strictyaml.Problems
	for i := range 60 {
		p.All = append(p.All, strictyaml.Problem{File: "f", Line: 60 - i, Column: 1, Message: "no"})
	}
	p.Sort()
	text := p.Error()
	if !strings.HasPrefix(text, "f:1:1: ") || !strings.HasSuffix(text, "and 10 more problems") ||
		strings.Count(text, "\n") != 50 {
		t.Error(text)
	}
}
