package strictyaml_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/strictyaml"
)

// TestTheCaretStandsBelowTheColumn checks that the caret is below its character in any line, and
// that neither line is too long or contains control characters.
func TestTheCaretStandsBelowTheColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		char := rapid.SampledFrom([]rune("ab: é\t\x1b\u2028"))
		line := []rune(rapid.StringOfN(char, 0, 400, -1).Draw(t, "line"))
		column := rapid.IntRange(1, len(line)+3).Draw(t, "column")
		p := strictyaml.Problem{
			File: "f.yaml", Line: 3, Column: column, Message: "m", SourceLine: string(line) + "x",
		}
		lines := strings.Split(p.String(), "\n")
		if len(lines) == 1 &&
			(len(p.SourceLine) > 160 || strings.ContainsAny(p.SourceLine, "\x1b\u2028")) {
			return
		}
		shown, at := []rune(lines[1]), strings.Index(lines[2], "^")
		if len(lines) != 3 || strings.ContainsAny(lines[1], "\x1b\u2028") ||
			at != len("     3 | ")+column-1 {
			t.Fatalf("%q", lines)
		}
		if want := append(line, 'x', 0, 0, 0)[column-1]; at < len(shown) && unicode.IsPrint(want) &&
			shown[at] != want {
			t.Fatalf("the caret is at %d of\n%s\n%s", at, lines[1], lines[2])
		}
	})
}

func TestReadSaysWhyAFileCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(
			dir, "absent.yaml"): "absent.yaml: the plan cannot be read: no such file or directory\n       " +
			"hint: write one",
		dir: dir + ": the plan cannot be read: expected a regular file, found a folder, a pipe or a " +
			"device",
	} {
		_, err := (&strictyaml.Format{Name: "plan", Begin: "write one"}).Read(path)
		var problems *strictyaml.Problems
		if !errors.As(err, &problems) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
