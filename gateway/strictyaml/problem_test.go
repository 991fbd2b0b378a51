package strictyaml_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

// Whatever the line, the caret stands below its character, and neither line is too long or holds what acts on a terminal.
func TestTheCaretStandsBelowTheColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		char := rapid.SampledFrom([]rune("ab: é\t\x1b\u2028"))
		line := []rune(rapid.StringOfN(char, 0, 400, -1).Draw(t, "line"))
		column := rapid.IntRange(1, len(line)+3).Draw(t, "column")
		p := strictyaml.Problem{File: "f.yaml", Line: 3, Column: column, Message: "expected this, found that"}
		p.SourceLine, p.Caret = strictyaml.Cut(string(line)+"x", column)
		lines := strings.Split(p.String(), "\n")
		shown, pointer := []rune(lines[1]), []rune(lines[2])
		at := len(pointer) - 1
		if len(lines) != 3 || strings.ContainsAny(lines[1], "\x1b\u2028") || len(shown) > strictyaml.Widest+11 ||
			pointer[at] != '^' {
			t.Fatalf("%q", lines)
		}
		if want := append(line, 'x', 0, 0, 0)[column-1]; at < len(shown) && want != '\t' && want != 0x1b && want != 0x2028 && shown[at] != want {
			t.Fatalf("the caret is at %d of\n%s\n%s", at, lines[1], lines[2])
		}
	})
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
			dir, "absent.yaml"): "absent.yaml: expected a readable plan, found no such file or directory\n       hint: write one",
		dir: dir + ": expected a readable plan, found a device or pipe, or a folder; give a regular file",
	} {
		_, err := (&strictyaml.Format{Name: "plan", Largest: 10, Begin: "write one"}).Read(path)
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
		p.All = append(p.All, strictyaml.Problem{File: "f", Line: 1 + i, Column: 1, Message: "no"})
	}
	text := p.Error()
	if !strings.HasPrefix(text, "f:1:1: ") || !strings.HasSuffix(text, "and 10 more problems") ||
		strings.Count(text, "\n") != 50 {
		t.Error(text)
	}
}
