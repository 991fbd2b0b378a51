package redact

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const (
	wholeToken = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjcifQ.eyJzdWIiOiI5Zk1rLXRlc3QtdXNlciIsImV4cCI6NDEwMjQ0NDgwMH0.q9Xw3Zt7Yb1Kd5Lf8Gh2Jm4Np6Rs0Uv_Aa-Cc"
	wholeKey   = "gk_live_7Hq2Wd9Xz4/Rt6+Yb8=Lm1Nc3"
)

// each applies f to every character.
func each(s string, format string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func every(s string, n int, between string) string {
	var parts []string
	for part := range slices.Chunk([]byte(s), n) {
		parts = append(parts, string(part))
	}
	return strings.Join(parts, between)
}

func utf16Bytes(s string, high bool) string {
	var order binary.AppendByteOrder = binary.LittleEndian
	if high {
		order = binary.BigEndian
	}
	var b []byte
	for _, c := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, c)
	}
	return string(b)
}

// shapes is how programs write a text without meaning to hide it.
var shapes = map[string]func(string) string{
	"plain":                  func(s string) string { return s },
	"upper case":             strings.ToUpper,
	"first two thirds":       func(s string) string { return s[:len(s)*2/3] },
	"last two thirds":        func(s string) string { return s[len(s)/3:] },
	"middle":                 func(s string) string { return s[len(s)/4 : len(s)*3/4] },
	"lines":                  func(s string) string { return every(s, 7, "\r\n ") },
	"escaped lines":          func(s string) string { return every(s, 7, `\r\n`) },
	"spaces":                 func(s string) string { return every(s, 1, " ") },
	"quotes":                 func(s string) string { return every(s, 4, `" + "`) },
	"no width":               func(s string) string { return every(s, 3, "\u200b") },
	"full-width":             func(s string) string { return strings.Map(wide, s) },
	"percent":                url.QueryEscape,
	"every byte percent":     func(s string) string { return each(s, "%%%02x") },
	"percent twice":          func(s string) string { return url.QueryEscape(each(s, "%%%02X")) },
	"JSON escapes":           func(s string) string { return each(s, `\u%04x`) },
	"character references":   func(s string) string { return each(s, "&#%d;") },
	"entities":               html.EscapeString,
	"quoted-printable":       func(s string) string { return each(s, "=%02X") },
	"soft line ends":         func(s string) string { return every(s, 9, "=\r\n") },
	"Base64":                 b64,
	"Base64 of more":         func(s string) string { return strings.ReplaceAll(b64("user:"+s+"!"), "/", "_") },
	"MIME Base64":            func(s string) string { return every(b64("x"+s), 64, "\r\n") },
	"MIME Base64, escaped":   func(s string) string { return every(b64(s), 76, `\n`) },
	"Base64 twice":           func(s string) string { return b64(b64(s)) },
	"Base64, percent":        func(s string) string { return url.QueryEscape(b64(s)) },
	"Base32":                 func(s string) string { return base32.StdEncoding.EncodeToString([]byte(s)) },
	"UTF-16":                 func(s string) string { return utf16Bytes(s, false) },
	"UTF-16, big-endian":     func(s string) string { return utf16Bytes(s, true) },
	"Base64 of UTF-16":       func(s string) string { return b64(utf16Bytes(s, false)) },
	"hexadecimal":            hexadecimal,
	"hexadecimal and spaces": func(s string) string { return every(strings.ToUpper(hexadecimal(s)), 2, " ") },
	"hexadecimal and colons": func(s string) string { return every(hexadecimal(s), 2, ":") },
	"bytes in a program":     func(s string) string { return "{" + each(s, "0x%02x, ") + "}" },
	"\\x escapes":            func(s string) string { return each(s, `\x%02x`) },
	"list of bytes":          func(s string) string { return fmt.Sprint([]byte(s)) },
	"list with commas":       func(s string) string { return "[" + each(s, "%d, ") + "0]" },
}

func wide(c rune) rune {
	if c > ' ' && c < 0x7f {
		return c + 0xfee0
	}
	return c
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func hexadecimal(s string) string { return hex.EncodeToString([]byte(s)) }

// remains reports whether a text says anything of what was given away in a shape: a piece of it that is long enough.
func remains(text, shaped string, least int) string {
	text, shaped = strings.ToLower(text), strings.ToLower(shaped)
	for i := 0; i+least <= len(shaped); i++ {
		if piece := shaped[i : i+least]; strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}

func TestAnyRunOfACredentialIsFoundInAnyShape(t *testing.T) {
	r := New(&deployment.File{})
	r.Secret("token", wholeToken)
	r.Secret("key", wholeKey)
	parts := strings.Split(wholeToken, ".")
	for name, shape := range shapes {
		for _, secret := range []string{wholeToken, wholeKey, parts[1], parts[2]} {
			shaped := shape(secret)
			// 12 characters of it, as far as they are written, and the edges
			least := max(13, len(shaped)*16/len(secret))
			for _, around := range []string{"%s", "so %s it is", "token=%s&x=1", "X%sY"} {
				text := fmt.Sprintf(around, shaped)
				if got := r.Text(text); remains(got, shaped, least) != "" {
					t.Errorf("%s, %q: %q became %q", name, around, text, got)
				}
			}
			body, err := json.Marshal(map[string]any{"id": shaped, shaped: []string{"a", shaped}})
			if err != nil {
				t.Fatal(err)
			}
			got := string(r.Body(body))
			if !json.Valid([]byte(got)) || remains(got, strings.Trim(quote(shaped), `"`), least) != "" {
				t.Errorf("%s in JSON: %s became %s", name, body, got)
			}
		}
	}
}

func TestBytesOfACredentialInAListOfJSONAreFound(t *testing.T) {
	r := New(&deployment.File{})
	r.Secret("key", wholeKey)
	numbers, _ := json.Marshal([]int{1, 2})
	list := "["
	for _, c := range []byte(wholeKey) {
		list += fmt.Sprintf("%d,", c)
	}
	list += "0]"
	pieces, _ := json.Marshal(strings.Split(every(wholeKey, 5, " "), " "))
	body := fmt.Sprintf(`{"kept":%s,"bytes":%s,"pieces":{"of":%s},"end":"kept as well"}`, numbers, list, pieces)
	want := `{"kept":[1,2],"bytes":"[redacted]","pieces":{"of":"[redacted]"},"end":"kept as well"}`
	if got := string(r.Body([]byte(body))); got != want {
		t.Errorf("%s became %s, expected %s", body, got, want)
	}
}

func TestOrdinaryTextIsLeftAlone(t *testing.T) {
	r := New(&deployment.File{Name: "staging-gateway", BaseURL: "https://staging.gateway.example/base"})
	r.Secret("token", wholeToken)
	r.Secret("key", "staging-gateway-example-key-77")
	for _, s := range []string{
		"https://staging.gateway.example/base/v3/users/legal-representatives", "staging-gateway",
		"7f5d1c1e-0f0b-4a56-9a0c-2b8d0f6e1a55 and 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
		"[101, 121, 74, 104, 98, 71, 99, 105, 79, 105]", strings.Repeat("A",
			300), "gateassay Maria 12 of 77, 2025-01-01T00:00:00Z",
	} {
		if got := r.Text(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	if got := r.Text("key staging-gateway-example-key-77!"); got != "key [redacted]!" {
		t.Error(got)
	}
}

func BenchmarkBody(b *testing.B) {
	r := New(&deployment.File{})
	for i := range 50 {
		r.Secret("token", fmt.Sprintf("%s%d", wholeToken[:len(wholeToken)-3], i))
	}
	row := `{"id":"7f5d1c1e-0f0b-4a56-9a0c-2b8d0f6e1a55","note":"an ordinary text, as answers hold it","at":"2025-01-01T00:00:00Z","n":12.5},`
	body := []byte("[" + strings.Repeat(row, 40) + "1]")
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r.Body(body)
	}
}
