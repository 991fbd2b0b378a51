package deployment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
)

// problems parses a document that must be refused and returns its problems.
func problems(t *testing.T, text string) *strictyaml.Problems {
	t.Helper()
	_, err := parse(text)
	var all *strictyaml.Problems
	if !errors.As(err, &all) {
		t.Fatalf("accepted, or another error: %v\n%s", err, text)
	}
	return all
}

// TestEachMistakeIsNamed checks the lines of mistakes.txt: the rest of a minimal document, and
// the key and a part of the only problem in it.
func TestEachMistakeIsNamed(t *testing.T) {
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/mistakes.txt"))(t))) {
		text, found, _ := strings.Cut(strings.TrimSpace(line), " → ")
		key, says, _ := strings.Cut(found, ": ")
		all := problems(t, minimal+strings.ReplaceAll(text, "⏎", "\n")+"\n").All
		if p := all[0]; len(all) != 1 || p.Key != strings.TrimPrefix(key, "-") ||
			!strings.Contains(p.String(), says) || p.Line < 4 || p.Column < 1 {
			t.Errorf("%s: want %q of %s, got\n%v", text, says, key, all)
		}
	}
}

func TestCredentialsThatAreIssued(t *testing.T) {
	f := testmust.Get(parse(
		"name: a\nbase_url: http://h\ncredentials:\n  api_key: {command: [echo, k], refresh: 10m}\n" +
			"  other_user: {oauth2: {token_url: http://h/t, client_id: a, client_secret: s3cret-s3cret}}\n",
	))(t)
	c := f.Credentials
	if c.APIKey.Method != AuthAPIKey || c.APIKey.Issuer.Refresh != 10*time.Minute ||
		c.APIKey.Issuer.Command[1] != "k" || c.OtherUser.Method != AuthBearer ||
		c.OtherUser.Issuer.OAuth2.ClientID != "a" ||
		f.Secrets()["other_user.oauth2.client_secret"] != "s3cret-s3cret" {
		t.Errorf("%+v, %+v", c.APIKey.Issuer, f.Secrets())
	}
}

// TestCredentialsThatCannotBeUsed checks the lines of credentials.txt: a credentials section,
// and a part of the problem in it.
func TestCredentialsThatCannotBeUsed(t *testing.T) {
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/credentials.txt"))(t))) {
		text, says, _ := strings.Cut(strings.TrimSpace(line), " → ")
		_, err := parse("name: a\nbase_url: http://h\ncredentials: " + text + "\n")
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestSecretsAreWhatAuthenticates(t *testing.T) {
	env := environment(map[string]string{"ROUTE": "a-route-that-is-long", "SHORT": "blue"})
	f := testmust.Get(Parse("t.yaml", "",
		[]byte("name: a\nbase_url: https://h\ncredentials: {api_key: k}\n"+
			"proxy: http://user:swordfish@h:1\nheaders: {x-token: abcdefgh, x-route: '${ROUTE}', "+
			"x-environment: '${SHORT}'}\n"),
		env))(t)
	for name, want := range map[string]string{
		"headers.x-token": "abcdefgh", "headers.x-route": "a-route-that-is-long",
		"proxy": "swordfish",
	} {
		testmust.Equal(t, f.Secrets()[name], want, name)
	}
	testmust.Equal(t, len(f.Secrets()), 4, "secrets")
}

func TestBaseURLs(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://h": true, "https://h:1/base/": true, "http://[::1]:80": true,
		"ftp://h": false, "h": false, "//h": false, "http://": false, "http://h?q": false,
		"http://h/#f":    false,
		"http://h:0":     false,
		"http://h:99999": false, "http://h:": false, "http:h": false, "http://a b": false,
		"http://user:pass@h": false,
	} {
		_, err := parse("name: a\nbase_url: '" + address + "'\ncredentials: {api_key: k}\n")
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "pass@") {
			t.Errorf("shows the password: %v", err)
		}
	}
}

func TestRequiredKeys(t *testing.T) {
	all := problems(t, "tls: {}\n")
	var keys []string
	for _, p := range all.All {
		keys = append(keys, p.Key)
	}
	testmust.Equal(t, strings.Join(keys, " "), "name base_url credentials", "keys")
	all = problems(t, "name: a\nbase_url: http://h\ncredentials: {other_user: b}\n")
	testmust.Equal(t, len(all.All), 1)
	testmust.Contain(t, all.Error(), "at least one of platform_token and api_key")
}

// A line may hold a secret, so problems do not quote the file.
func TestPrintsLikeACompiler(t *testing.T) {
	all := problems(t, minimal+"limits:\n    in_flight: many\n\ttimeout: x\n")
	if len(all.All) != 1 || all.All[0].Line != 6 {
		t.Errorf("the tab is on line 6:\n%v", all)
	}
	all = problems(t, minimal+"limits:\n    in_flight: many\n    timeout: 15\n")
	want := "t.yaml:5:16: limits.in_flight: expected a whole number from 1 to 10000, found " +
		"\"many\"\n" +
		"t.yaml:6:14: limits.timeout: expected a duration greater than zero with its unit, such as 15s " +
		"or 2m, at most 1h, found 15"
	testmust.Equal(t, all.Error(), want, "message")
}

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
