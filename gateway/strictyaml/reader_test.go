package strictyaml_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/strictyaml"
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
	HTTP  string        `yaml:"http" jsonschema:"enum=1.1,enum=2"`
	File  string        `yaml:"file" jsonschema:"oneof_required=file"`
	Text  string        `yaml:"text" jsonschema:"oneof_required=text"`
}

func exampleFormat() *strictyaml.Format {
	percent := strictyaml.Text{Expected: "a percentage", Style: strictyaml.Either}
	percent.Read = func(text string) (string, *strictyaml.Mismatch) {
		if plain, ok := strings.CutSuffix(text, "%"); ok {
			return plain, nil
		}
		return "", &strictyaml.Mismatch{Expected: percent.Expected}
	}
	return &strictyaml.Format{
		Name: "example", Of: example{}, Largest: 1000, Secret: regexp.MustCompile("pass|token"),
		Texts: map[string]strictyaml.Text{"percent": percent, "lower": strictyaml.Check(
			func(text string) *strictyaml.Mismatch {
				if strings.ToLower(text) != text {
					return &strictyaml.Mismatch{Expected: "a name in lower case"}
				}
				return nil
			})},
	}
}

func read(t *testing.T, dir, text string) (*example, error) {
	t.Helper()
	var into example
	r := strictyaml.NewReader(exampleFormat(), "e.yaml", dir,
		func(name string) (string, bool) { return "8080", name == "PORT" })
	if r.Document([]byte(text)) {
		r.Decode(&into)
	}
	return &into, r.Err()
}

func TestEveryShapeIsRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pass.txt"), []byte("let me in\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, dir, `name: a
listen: {port: "${PORT}", http: 2, file: here}
spare: {text: there}
tokens: {a: b}
weights: {x: 1_000, y: 0.5}
pair: [5%, 10%]
words: alone
pass: file:pass.txt
when: 2026-12-31
`)
	if err != nil {
		t.Fatal(err)
	}
	if got.Listen.Port != 8080 || got.Listen.HTTP != "2" || got.Listen.Grace != 24*time.Hour || got.Spare.Port != 80 ||
		got.Spare.Text != "there" {
		t.Errorf("%+v %+v", got.Listen, got.Spare)
	}
	if got.Tokens["a"] != "b" || got.Weights["x"] != 1000 || got.Pair != [2]float64{5, 10} || got.Words[0] != "alone" ||
		got.Pass != "let me in" || got.When.Day() != 31 {
		t.Errorf("%+v", got)
	}
	if got.Backup != nil {
		t.Error("a field without a tag was read")
	}
}

func TestProblemsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "large"), make([]byte, 65<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"nam: a":                        `e.yaml:1:1: unknown key "nam"; did you mean name?`,
		"listen: {prot: 1}":             `e.yaml:1:10: listen: unknown key "prot"; did you mean port?`,
		"port: 1":                       "it belongs at listen.port and spare.port",
		"name: ${TOKEN_OF_NOBODY}":      "e.yaml:1:7: name: TOKEN_OF_NOBODY is not set",
		"name: a\nlisten:\n\tport: 1":   "e.yaml:3:1: YAML error: tab used for indentation",
		"name: file:" + pipe:            "found a device or pipe",
		"name: file:/dev/zero":          "found a device or pipe",
		"name: file:large":              "found more than 65536 bytes",
		"name: file:" + dir:             "found a folder",
		"name: file:absent":             "found no such file",
		"name: 0042":                    "put it in quotes",
		"name: a\nname: b":              "given twice; the first is on line 1",
		"listen: {port: 0}":             "expected a whole number from 1 to 65535, found 0",
		"listen: {port: '1'}":           "write the number without quotes",
		"listen: {grace: 5}":            "add the unit: 5s",
		"listen: {http: 3}":             "expected one of 1.1, 2, found 3",
		"listen: {file: a, text: b}":    "expected one of file and text, found file and text",
		"listen: {port: 1}":             "expected one of file and text, found none of them",
		"listen: [1]":                   "expected a mapping with the keys port",
		"tokens: {A: b}":                "expected a name in lower case",
		"weights: {x: many}":            `expected a number, found "many"`,
		"pair: [1%]":                    "expected a list of 2 items, found a list of 1",
		"pair: [1, 2%]":                 "pair[0]: expected a percentage, found 1",
		"words: [a, '']":                "words[1]: expected a value, found nothing",
		"when: 2026-02-30":              "expected a day such as 2026-12-31",
		"listen: {}":                    "name: required, but missing",
		"pass: ${PORT} # was swordfish": "name: required, but missing",
		"pass: [swordfish]":             "expected text, found a list",
		"name: a\npass: \"swordfish\n":  "YAML error: ",
		strings.Repeat("#", 1001):       "expected at most 1000 bytes",
	} {
		_, err := read(t, dir, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "swordfish") {
			t.Errorf("shows a secret:\n%v", err)
		}
	}
}

func TestNoNameMakesReadingEndless(t *testing.T) {
	circle := filepath.Join(t.TempDir(), "circle")
	if err := os.Symlink(circle, circle); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{circle: "symbolic links", "a\x00b": "NUL"} {
		if _, err := strictyaml.ReadRegular(path, 10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
}

func TestAFlagIsReadAsItsKey(t *testing.T) {
	var into example
	r := strictyaml.NewReader(exampleFormat(), "e.yaml", "", os.LookupEnv)
	r.Document([]byte("name: a\nlisten: {file: b}\n"))
	r.Forget("name")
	r.Set("--listen", "listen", strictyaml.Flow("{port: 7, text: c}"))
	r.Set("--name", "name", strictyaml.Flow("b"))
	r.Decode(&into)
	if err := r.Err(); err != nil || into.Listen.Port != 7 || into.Listen.File != "" || into.Name != "b" {
		t.Errorf("%v, %+v", err, into)
	}
	r.Set("--pair", "pair", strictyaml.Flow("[1%, x]"))
	r.Decode(&into)
	if err := r.Err(); err == nil || err.Error() != `--pair: expected a percentage, found "x"` {
		t.Error(err)
	}
}
