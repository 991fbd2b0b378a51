package deployment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestHostileDocuments(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	longLists := minimal + "proxy: &c [" + strings.Repeat("x,", 9000) + "]\nload: {credentials: [" +
		strings.Repeat("{command: *c},", 9000) + "]}\n"
	for name, c := range map[string]struct{ text, says string }{
		"empty":      {"", "an empty one"},
		"null":       {"---\n", "an empty one"},
		"a list":     {"- a\n", "found a list"},
		"a text":     {"hello\n", "found a value that is not shown"},
		"not UTF-8":  {"name: a\nbase_url: \xff\n", "invalid leading UTF-8 octet"},
		"UTF-16":     {"\xff\xfen\x00", "found a value that is not shown"},
		"alias bomb": {bomb, "unknown key \"j\""},
		"bomb in a list": {
			minimal +
				"export: {file: {request: 'GET /{file_id}', state: {pointer: /a, ready: &a [x, *a]}}}",
			"found an alias",
		},
		"self, known keys": {"limits: &a {limits: *a}\n", "unknown key \"limits\""},
		"deep":             {strings.Repeat("[", 100_000), "depth"},
		"many mistakes":    {strings.Repeat("x: 1\n", 20_000), "t.yaml:47:1: unknown key"},
		"many secrets": {"credentials: [" + strings.Repeat("abcdefghi,",
			20_000) + "]", "found a list"},
		"long lists":      {longLists, "found an alias"},
		"a long key":      {strings.Repeat("k", 100_000) + ": 1\n", "unknown key"},
		"a key of a list": {minimal + "[a]: b\n", "a key that is text"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(c.text)
			var all *strictyaml.Problems
			if !errors.As(err, &all) {
				t.Fatalf("got %v", err)
			}
			testmust.Contain(t, err.Error(), c.says)
		})
	}
}

// TestByteOrderMarksAndWindowsLines checks that the file and what it refers to may be in UTF-8
// or UTF-16 with Windows line ends.
func TestByteOrderMarksAndWindowsLines(t *testing.T) {
	dir := t.TempDir()
	for name, write := range map[string]func(string) []byte{
		"UTF-8": func(s string) []byte { return []byte("\uFEFF" + s) },
		"UTF-16LE": func(s string) []byte {
			return testmust.Get(unicode.UTF16(unicode.LittleEndian,
				unicode.UseBOM).NewEncoder().Bytes([]byte(s)))(t)
		},
		"UTF-16BE": func(s string) []byte {
			return testmust.Get(unicode.UTF16(unicode.BigEndian,
				unicode.UseBOM).NewEncoder().Bytes([]byte(s)))(t)
		},
	} {
		testmust.Succeed(t, os.WriteFile(filepath.Join(dir, "token"), write("té-token\r\n"), 0o600))
		text := "name: é\r\nbase_url: https://münchen.example:8443/x\r\ncredentials: {api_key: " +
			"file:token}\r\n"
		f, err := Parse("t.yaml", dir, write(text), os.LookupEnv)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		testmust.Equal(t, f.Name+" "+f.Credentials.APIKey.Value, "é té-token", name)
		testmust.Equal(t, f.BaseURL, "https://xn--mnchen-3ya.example:8443/x", "base_url as it is sent")
	}
	testmust.Succeed(t, os.WriteFile(filepath.Join(dir, "token"), []byte("t\x00o\x00"), 0o600))
	_, err := Parse("t.yaml", dir, []byte(head+"credentials: {api_key: file:token}\n"), os.LookupEnv)
	testmust.FailWith(t, err, "save it as UTF-8")
}

func FuzzParse(f *testing.F) {
	sample := testmust.Get(os.ReadFile("testdata/full.yaml"))(f)
	for _, seed := range []string{
		string(sample), minimal, "", "name: ${", "a: &a [*a]",
		"credentials: {platform_token:x}", "? [a]\n: |\n  b\n", "\r6",
		"waivers: [{rule: create.*, reason: \"$${x}\", until: 2026-12-31}]",
		"limits: {timeout: .inf, in_flight: !!int x}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("t.yaml", "testdata", []byte(text), fullEnvironment)
		var all *strictyaml.Problems
		switch {
		case err == nil &&
			(file == nil || file.Name == "" || file.BaseURL == "" || file.Credentials.Main() == nil):
			t.Errorf("accepted without a required key: %+v", file)
		case err != nil && (!errors.As(err, &all) || len(all.All) == 0 || file != nil):
			t.Errorf("not a list of problems: %v", err)
		case err != nil:
			for _, p := range all.All {
				if p.Message == "" || p.Line > 1+len(text) || p.Line < 0 {
					t.Errorf("incomplete: %+v", p)
				}
			}
			if strings.Contains(err.Error(), "main-token") && !strings.Contains(text, "main-token") {
				t.Errorf("shows what a variable holds:\n%v", err)
			}
		}
	})
}
