package cmd

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// reader finds parts of credentials in a text. It shares no code with the redactor.
type reader map[string]bool // all parts of the credentials with twelve characters

func newReader(secrets []string) reader {
	r := reader{}
	for _, s := range secrets {
		if parts := strings.Split(s, "."); len(parts) == 3 {
			s = parts[1] + "." + parts[2] // all tokens have the same header
		}
		for i := 0; i+12 <= len(s); i++ {
			r[strings.ToLower(s[i:i+12])] = true
		}
	}
	return r
}

var (
	base64Runs = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}`)
	escapes    = regexp.MustCompile(`(?:%|\\\\?u00|&#(?:x0*)?)([0-9A-Fa-f]{2,3});?`)
	hexRuns    = regexp.MustCompile(`[0-9A-Fa-f]{24,}`)
	urlBase64  = strings.NewReplacer("+", "-", "/", "_")
)

// find returns a part of a credential that a text contains, literally or (with decode) encoded;
// empty: none.
func (r reader) find(text string, decode bool) string {
	plain := strings.ToLower(text)
	for i := 0; i+12 <= len(plain); i++ {
		if r[plain[i:i+12]] {
			return plain[i : i+12]
		}
	}
	var read []byte
	if decode {
		for _, run := range base64Runs.FindAllString(text, -1) {
			for offset := range 4 {
				part := urlBase64.Replace(run[offset:])
				some, _ := base64.RawURLEncoding.DecodeString(part[:len(part)-len(part)%4])
				read = append(append(read, some...), '\n')
			}
		}
		for _, run := range hexRuns.FindAllString(text, -1) {
			for offset := range 2 {
				some, _ := hex.DecodeString(run[offset : len(run)-(len(run)-offset)%2])
				read = append(append(read, some...), '\n')
			}
		}
		read = append(read, escapes.ReplaceAllStringFunc(text, func(sign string) string {
			base := 16
			if strings.HasPrefix(sign, "&#") && sign[2] != 'x' {
				base = 10
			}
			code, _ := strconv.ParseUint(escapes.FindStringSubmatch(sign)[1], base, 8)
			return string(rune(code))
		})...)
		return r.find(string(read), false)
	}
	return ""
}

// unescaped returns a file followed by the unescaped texts of its JSON lines.
func unescaped(data []byte) string {
	var b strings.Builder
	b.Write(data)
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString("\n" + v)
		case []any:
			for _, e := range v {
				add(e)
			}
		case map[string]any:
			for k, e := range v {
				b.WriteString("\n" + k)
				add(e)
			}
		}
	}
	var v any
	for line := range bytes.Lines(data) {
		if json.Unmarshal(bytes.Trim(line, ", \n"), &v) == nil {
			add(v)
		}
	}
	if json.Unmarshal(data, &v) == nil {
		add(v)
	}
	return b.String()
}

// No file of a run and no terminal line contains twelve characters of a credential, or of a
// person's data, wherever and in whatever encoding the deployment repeats them.
func TestNoSecretIsWrittenAnywhere(t *testing.T) {
	t.Parallel()
	deployment, address, secrets, people := canary(t)
	conform := []string{"conform", "-d", deployment, "--timeout", "2s", "--verbose"}
	if testing.Short() {
		for _, rule := range []string{
			"auth.*",
			"create.success.*", "create.echo.*", "create.repeat.*", "export.success", "export.file.*",
		} {
			conform = append(conform, "--rule", rule)
		}
	}
	find := newReader(secrets)
	for _, args := range [][]string{
		{"doctor", "-d", deployment},
		{"deployment", "init", "--url", address, "--token-env", "CANARY"},
		append(conform, "--out"),
		{
			"load", "run",
			"-d", deployment, "--rate", "100/s", "--duration", "1s", "--repeats", "20%", "--yes", "--out",
		},
		{
			"load", "run", "-d", deployment,
			"--rate", "50/s", "--duration", "1s", "--engine", "direct", "--yes", "--slo", "none", "--out",
		},
	} {
		out, runs := filepath.Join(t.TempDir(), "run"), args[len(args)-1] == "--out"
		if runs {
			args = append(args, out)
		}
		c := exec.Command("gateassay", args...)
		c.Env = append(os.Environ(), "CANARY="+secrets[0])
		said, err := c.CombinedOutput()
		if got := code(t, err); got == 4 || runs && got == 2 || len(said) < 100 {
			t.Errorf("%v: %v: %s", args, err, said)
		}
		files := map[string][]byte{"the terminal": said}
		_ = filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				files[filepath.Base(path)], err = os.ReadFile(path)
			}
			return err
		})
		if runs && len(files) < 6 {
			t.Errorf("%s left %d files", args[0], len(files)-1)
		}
		for name, data := range files {
			text := unescaped(data)
			if found := find.find(text, true); found != "" {
				at := strings.Index(strings.ToLower(text), found)
				t.Errorf("%s of %s holds %q of a credential: %q", name, args[0], found,
					text[max(0, at-300):min(len(text), max(at, 0)+300)])
			}
			if filepath.Ext(name) == ".sh" { // a script sends the invented people of the run
				continue
			}
			text = strings.ToLower(text)
			for _, part := range people.parts {
				if at := strings.Index(text, part); at >= 0 {
					t.Errorf("%s of %s still holds %q: …%q…", name, args[0], part,
						text[max(0, at-200):min(len(text), at+200)])
					break
				}
			}
		}
	}
	if len(people.parts) < 60 {
		t.Errorf("%d values were sent", len(people.parts))
	}
}
