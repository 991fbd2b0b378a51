package strictyaml_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

type example struct {
	Name    string             `yaml:"name" jsonschema:"required" jsonschema_extras:"sample=x"`
	Listen  listen             `yaml:"listen"`
	Backup  *listen            `yaml:"-"`
	Spare   *listen            `yaml:"spare" jsonschema_extras:"optional=true"`
	Tokens  map[string]string  `yaml:"tokens" jsonschema_extras:"names=lower"`
	Weights map[string]float64 `yaml:"weights"`
	Pair    [2]float64         `yaml:"pair" jsonschema:"format=percent"`
	Words   []string           `yaml:"words" jsonschema_extras:"scalar=one"`
	Pass    string             `yaml:"pass" jsonschema_extras:"secret=true"`
	When    time.Time          `yaml:"when" jsonschema:"format=date"`
}

type listen struct {
	Port  int           `yaml:"port" jsonschema:"minimum=1,maximum=65535,default=80"`
	Grace time.Duration `yaml:"grace" jsonschema:"default=1d"`
	HTTP  string        `yaml:"http" jsonschema:"format=http"`
	File  string        `yaml:"file"`
	Text  string        `yaml:"text"`
}

func exampleFormat() *strictyaml.Format {
	percent := yamlschema.ScalarFormat{
		Expected: "a percentage", Amount: true,
		Read: func(text string) (string, bool) {
			return strings.CutSuffix(text, "%")
		},
	}
	return &strictyaml.Format{
		Name: "example", Example: example{}, Secret: regexp.MustCompile("pass|token"),
		Texts: map[string]yamlschema.ScalarFormat{
			"percent": percent,
			"http":    yamlschema.OneOfWords("one of 1.1, 2", "1.1", "2"),
			"lower": yamlschema.NewScalarFormat("a name in lower case",
				func(text string) bool { return strings.ToLower(text) == text }),
		},
	}
}

func read(t *testing.T, dir, text string) (*example, error) {
	t.Helper()
	var into example
	r := strictyaml.NewReader(exampleFormat(), "e.yaml", dir,
		func(name string) (string, bool) { return "8080", name == "PORT" })
	if r.ParseDocument([]byte(text)) {
		r.Decode(&into)
	}
	return &into, r.Err()
}

func TestEveryShapeIsRead(t *testing.T) {
	dir := t.TempDir()
	testmust.Succeed(t, os.WriteFile(filepath.Join(dir, "pass.txt"), []byte("let me in\n"), 0o600))
	got := testmust.Get(read(t, dir, `name: a
listen: {port: "${PORT}", http: 2, file: here}
spare: {text: there}
tokens: {a: b}
weights: {x: 1_000, y: 0.5}
pair: [5%, 10%]
words: alone
pass: file:pass.txt
when: 2026-12-31
`))(t)
	if got.Listen.Port != 8080 || got.Listen.HTTP != "2" || got.Listen.Grace != 24*time.Hour ||
		got.Spare.Port != 80 || got.Spare.Text != "there" {
		t.Errorf("%+v %+v", got.Listen, got.Spare)
	}
	if got.Tokens["a"] != "b" || got.Weights["x"] != 1000 || got.Pair != [2]float64{5, 10} ||
		got.Words[0] != "alone" || got.Pass != "let me in" || got.When.Day() != 31 {
		t.Errorf("%+v", got)
	}
	if got.Backup != nil {
		t.Error("a field without a tag was read")
	}
}

// TestProblemsSayWhatToDo checks the lines of problems.txt: a document, and a part of its
// problem. No problem may contain swordfish.
func TestProblemsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	testmust.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	testmust.Succeed(t, os.WriteFile(filepath.Join(dir, "large"), make([]byte, 2<<20), 0o600))
	signs := strings.NewReplacer("⏎", "\n", "⇥", "\t", "PIPE", pipe, "DIR", dir)
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/problems.txt"))(t))) {
		text, want, _ := strings.Cut(strings.TrimSpace(line), " → ")
		_, err := read(t, dir, signs.Replace(text))
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "swordfish") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestAFlagIsReadAsItsKey(t *testing.T) {
	flow := func(text string) *yaml.Node {
		var document yaml.Node
		testmust.Succeed(t, yaml.Load([]byte(text), &document))
		return document.Content[0]
	}
	read := func(pair string) (into example, err error) {
		r := strictyaml.NewReader(exampleFormat(), "e.yaml", "", os.LookupEnv)
		r.ParseDocument([]byte("name: a\nlisten: {file: b}\nwords: [c]\n"))
		r.SetFromFlag("", "words", nil)
		r.SetFromFlag("--listen", "listen", flow("{port: 7, text: c}"))
		r.SetFromFlag("--name", "name", flow("b"))
		r.SetFromFlag("--pair", "pair", flow(pair))
		r.Decode(&into)
		return into, r.Err()
	}
	into, err := read("[1%, 2%]")
	if err != nil || into.Listen.Port != 7 || into.Listen.File != "" || into.Name != "b" ||
		into.Words != nil {
		t.Errorf("%v, %+v", err, into)
	}
	if _, err := read("[1%, x]"); err == nil ||
		err.Error() != `--pair: expected a percentage, found "x"` {
		t.Error(err)
	}
}

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
