package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/testmust"
)

const (
	wholeToken = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjcifQ.eyJzdWIiOiI5Zk1rLXRlc3QtdXNlciIsImV4cCI6NDEwMjQ0NDgwMH0.q9Xw3Zt7Yb1Kd5Lf8Gh2Jm4Np6Rs0Uv_Aa-Cc"
	wholeKey   = "gk_live_7Hq2Wd9Xz4/Rt6+Yb8=Lm1Nc3<&\"é"
	person     = "José d'Ávila & Gonçalves"
)

// forms are the forms that SECURITY.md promises to find.
var forms = map[string]func(string) string{
	"plain":             func(s string) string { return s },
	"query":             url.QueryEscape,
	"query, lower case": func(s string) string { return lowerPercentEscapes(url.QueryEscape(s)) },
	"path":              url.PathEscape,
	"JSON":              escapeJSONMinimally,
	"JSON for HTML":     escapeJSON,
	"JSON, slashes":     func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
	"HTML":              html.EscapeString,
	"query, every sign": each("%%%02X"),
	"JSON, every sign":  jsonUnits,
	"HTML, every sign":  func(s string) string { return signs(s, "&#%d;") },
	"HTML, digits":      func(s string) string { return signs(s, "&#x%04x;") },
	"Base64":            func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"Base64 of more": func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte("user:" + s + "!"))
	},
	"Base64 for URLs": func(s string) string {
		return base64.RawURLEncoding.EncodeToString([]byte("u" + s))
	},
	"hexadecimal":          func(s string) string { return hex.EncodeToString([]byte(s)) },
	"hexadecimal, capital": func(s string) string { return fmt.Sprintf("%X", s) },
}

// each formats every byte, signs every character, and jsonUnits escapes all as JSON does.
func each(format string) func(string) string {
	return func(s string) (out string) {
		for _, b := range []byte(s) {
			out += fmt.Sprintf(format, b)
		}
		return out
	}
}

func signs(s, format string) (out string) {
	for _, c := range s {
		out += fmt.Sprintf(format, c)
	}
	return out
}

func jsonUnits(s string) (out string) {
	for _, unit := range utf16.Encode([]rune(s)) {
		out += fmt.Sprintf(`\u%04x`, unit)
	}
	return out
}

// left reports whether a text still contains least consecutive bytes of given.
func left(text, given string, least int) bool {
	for i := 0; i+least <= len(given); i++ {
		if strings.Contains(text, given[i:i+least]) {
			return true
		}
	}
	return false
}

func TestEachFormIsFound(t *testing.T) {
	r := New(&deployment.File{})
	r.AddSecret(wholeToken)
	r.AddSecret(wholeKey)
	r.AddPersonal(person)
	for name, form := range forms {
		for _, value := range []string{wholeToken, strings.Split(wholeToken, ".")[1], wholeKey, person} {
			given := form(value)
			// the text around it shares the first and last characters of Base64
			core := given[4 : len(given)-6]
			for _, around := range []string{"%s", "so %s it is", "X-Echo: %s", "X%sY", "?token=%s&x=1"} {
				text := fmt.Sprintf(around, given)
				if got := r.Text(text); left(got, core, 14) {
					t.Errorf("%s, %q: %q became %q", name, around, text, got)
				}
			}
			for _, body := range []any{map[string]any{"id": given, given: []string{"a", given}}, given} {
				text, _ := json.Marshal(body)
				got := r.Body(text)
				var back any
				if json.Unmarshal(got, &back) != nil || left(fmt.Sprint(back), core, 14) {
					t.Errorf("%s in JSON: %s became %s", name, text, got)
				}
			}
		}
	}
	at := &url.URL{
		Scheme: "https", Host: "x.example", Path: "/of/" + wholeKey,
		RawQuery: "a=" + url.QueryEscape(wholeKey),
	}
	if got := r.Address(at); left(got, url.QueryEscape(wholeKey), 12) {
		t.Error(got)
	}
	// escapes that readers of a URL decode
	at.RawQuery = "a=" + url.QueryEscape(signs(wholeKey, "&#%d;"))
	testmust.Equal(t, r.Address(at), "https://x.example/of/%5Bredacted%5D?a=redacted")
	for name, values := range r.Header(http.Header{"X-" +
		wholeToken: {wholeToken}, "Authorization": {"Bearer abc", "", "Basic"}}) {
		if left(name+strings.Join(values, " "), wholeToken, 12) || name == "Authorization" &&
			strings.Join(values, ",") != "Bearer [redacted],,Basic" {
			t.Errorf("%s: %q", name, values)
		}
	}
}

// A deployment may repeat an altered key without the signs that a header or a database rejects.
func TestASecretIsFoundWithoutTheSignsAroundIt(t *testing.T) {
	const half = "gk_live_7Hq2Wd9Xz4Rt6"
	for _, altered := range []string{half + "*", half + ".*", "x, " + half, "%" + half + "%"} {
		r := New(&deployment.File{})
		r.AddSecret(altered)
		for _, text := range []string{"no encoding " + half, "no encoding " + strings.ToLower(half)} {
			if got := strings.ToLower(r.Text(text)); left(got, strings.ToLower(half), 12) {
				t.Errorf("%q: %q became %q", altered, text, got)
			}
		}
	}
}

// TestWhatIsSecretByItsPlace checks secrets that are not registered, but known by place or
// shape.
func TestWhatIsSecretByItsPlace(t *testing.T) {
	r := New(&deployment.File{})
	for text, want := range map[string]string{
		"GET /f?X-Amz-Signature=abc&page=2":      "GET /f?X-Amz-Signature=redacted&page=2",
		"see https://user:pw@files.example/x":    "see https://[redacted]@files.example/x",
		"Authorization: Bearer abcdefghijklmnop": "Authorization: Bearer [redacted]",
		"got eyJhbGciOiJub25lIn0.eyJhIjoxfQ.":    "got [redacted]",
	} {
		testmust.Equal(t, r.Text(text), want, text)
	}
	at := testmust.Get(url.Parse("https://u:p@files.example/f?sig=abcdefgh12&page=2#x"))(t)
	r.AddPresignedAddress(at)
	if got := r.Address(at) +
		r.Text(" abcdefgh12"); got != "https://files.example/f?sig=redacted&page=2 [redacted]" {
		t.Error(got)
	}
}

func TestOrdinaryTextIsLeftAlone(t *testing.T) {
	r := New(
		&deployment.File{Name: "staging-gateway", BaseURL: "https://staging.gateway.example/base"})
	r.AddSecret(wholeToken)
	r.AddSecret("abc")
	r.AddPersonal(person, "abc")
	for _, s := range []string{
		"https://staging.gateway.example/base/v3/users/legal-representatives", "abcdef",
		"7f5d1c1e-0f0b-4a56-9a0c-2b8d0f6e1a55 and " +
			"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
		strings.Repeat("A", 300), "gateassay Maria 12 of 77, 2025-01-01T00:00:00Z",
	} {
		testmust.Equal(t, r.Text(s), s)
	}
	testmust.Equal(t, r.Text("abc"), Placeholder)
}

func TestJSONKeepsItsSpelling(t *testing.T) {
	r := New(&deployment.File{})
	for _, s := range []string{
		`{ "a" : 1e5,"a":1.50 , "b":[ true,null, "x\u00e9\/" ] }` + "\n", `[]`,
		`{"income":33.330,"x":{}}`, `"text"`,
		"\t[1,\n2]", `{"error":{"name":"phone_number"}}`, `{"phone_number":true}`, `{"name":null}`,
	} {
		testmust.Equal(t, string(r.Body([]byte(s))), s)
	}
	got := string(r.Body([]byte(`{"document":{"number":"529.982.247-25"},"address":{"number":12.5,` +
		`"zip_code":"01310-100"},"number":7,"phone_number":["+55 11 99999-0000"]}`)))
	if strings.Contains(got, "529.982") || strings.Contains(got, "01310-100") ||
		strings.Contains(got, "99999-0000") ||
		!strings.Contains(got, `"number":7`) || !json.Valid([]byte(got)) {
		t.Error(got)
	}
	deep := append(bytes.Repeat([]byte(`{"a":`), 9000), '1')
	deep = append(deep, bytes.Repeat([]byte("}"), 9000)...)
	if got := r.Body(deep); !bytes.Equal(got, deep) {
		t.Error("a deeply nested body changed")
	}
}

func TestTheBeginningOfALongBodyHoldsNoHalfSecret(t *testing.T) {
	r := New(&deployment.File{})
	r.AddSecret(wholeKey)
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Repeat("x",
			rapid.IntRange(0, 90).Draw(rt, "before")) + wholeKey + strings.Repeat("y", 9000)
		body := []byte(text)
		if rapid.Bool().Draw(rt, "JSON") {
			body = []byte(`{"a":` + exactjson.Quote(text) + `}`)
		}
		kept, short := r.BodyPrefix(body, 100, true)
		if len(kept) > 100 || !short || left(string(kept), wholeKey, 8) {
			rt.Fatalf("%v %q", short, kept)
		}
	})
}

// FuzzBody checks that a credential is redacted in any surroundings, and that JSON stays JSON.
func FuzzBody(f *testing.F) {
	for _, form := range forms {
		f.Add([]byte(`{"id":`+exactjson.Quote(form(person))+`,"a":[101,121,74]}`), 3)
		f.Add([]byte("x="+form(person)+"&y=\\u0041%41"), 0)
	}
	r := New(&deployment.File{})
	const key = "gk_live_7Hq2Wd9Xz4/Rt6+Yb8=Lm1Nc3"
	r.AddSecret(key)
	r.AddPersonal(person)
	f.Fuzz(func(t *testing.T, around []byte, at int) {
		at = max(0, min(at, len(around)))
		if clean := r.Text(string(around[:at]) + key + string(around[at:])); strings.Contains(clean,
			key) {
			t.Errorf("%q", clean)
		}
		if clean := r.Body(around); json.Valid(around) && !json.Valid(clean) {
			t.Errorf("%q became %q", around, clean)
		}
	})
}

func TestWhatAnErrorQuotesOfAnAnswerIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		`malformed HTTP response "1\",\"street\":\"Rua das Flores"`:      `malformed HTTP response "…"`,
		`malformed MIME header line: +5511987654321`:                     `malformed MIME header line: …`,
		`Unsolicited response received starting with "ab\"c"; err=<nil>`: `Unsolicited response received starting with "…"; err=<nil>`,
		`malformed HTTP status code "11 98765-43`:                        `malformed HTTP status code "…"`,
		`read tcp 127.0.0.1:80: connection reset by peer`:                `read tcp 127.0.0.1:80: connection reset by peer`,
	} {
		testmust.Equal(t, RemoveQuotations(text), want, text)
	}
}
