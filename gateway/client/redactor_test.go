package client

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const (
	personName  = "gateassay João D'Ávila \"Zé\" Sobrinho"
	motherName  = "Conceição Aparecida Antunes"
	personMail  = "joao.davila.77@mail.example"
	personPhone = "+5511987654321"
	personCPF   = "52998224725"
	street      = "Rua das Acácias & Flores"
)

// everySpelling lists how a hostile server may write a text.
func everySpelling(s string) []string {
	var percent, unicode, entities strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&percent, "%%%02x", b)
	}
	for _, c := range s {
		fmt.Fprintf(&unicode, `\u%04x`, c)
		fmt.Fprintf(&entities, "&#%d;", c)
	}
	quoted, _ := json.Marshal(s)
	return []string{
		s, url.QueryEscape(s), url.PathEscape(s), strings.ToUpper(s), strings.ToLower(s), html.EscapeString(s), string(quoted),
		percent.String(), url.QueryEscape(url.QueryEscape(s)), unicode.String(), entities.String(),
		hex.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte(s)), base64.URLEncoding.EncodeToString([]byte(s)),
		base64.StdEncoding.EncodeToString([]byte("user:" + s)), base64.StdEncoding.EncodeToString([]byte("a" + s + "bc")),
	}
}

// readings are the texts that somebody could make of s by undoing the usual encodings.
func readings(s string) []string {
	all := []string{s, html.UnescapeString(s)}
	for range 3 {
		if plain, err := url.QueryUnescape(s); err == nil {
			s = plain
			all = append(all, s)
		}
	}
	unescaped := unicodeEscape.ReplaceAllStringFunc(all[0], func(e string) string {
		var text string
		_ = json.Unmarshal([]byte(`"\`+strings.TrimLeft(e, `\`)+`"`), &text)
		return text
	})
	return append(all, unescaped)
}

func TestNothingThatIdentifiesReachesHARorCurl(t *testing.T) {
	answer := ""
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization")+" "+url.QueryEscape(personMail))
		w.Header().Add("Set-Cookie", "session="+testKey)
		w.Header().Set("Location", "https://cdn.example/f?X-Amz-Signature=abcdef0123456789&x=1&apikey="+url.QueryEscape(testKey))
		_, _ = io.WriteString(w, answer)
	})
	dep := testDeployment(server)
	dep.LegalRepresentative.Fields = map[string]string{"mother_name": "family.mother", "phone_number": "fone"}
	path := filepath.Join(t.TempDir(), "exchanges.har")
	har, err := NewHAR(path, "gateassay", "test")
	if err != nil {
		t.Fatal(err)
	}
	var curls strings.Builder
	c := newClient(t, dep, Options{OnExchange: func(x *Exchange) {
		if err := har.Append(x); err != nil {
			t.Error(err)
		}
		curls.WriteString(x.Recorded.Curl + "\n")
		if x.Err != nil {
			t.Error(x.Err)
		}
	}})
	personal := []string{personName, motherName, personMail, personPhone, personCPF, street}
	c.Redactor().Personal(personName, street)
	body, _ := json.Marshal(map[string]any{
		"name": personName, "family": map[string]any{"mother": motherName}, "email": personMail, "fone": personPhone,
		"document": map[string]any{"number": personCPF, "type": "CPF"}, "address": map[string]any{"street": street, "number": 4711471147},
		"birth_date": "1981-03-17", "income": 150000,
	})
	secrets := []string{testToken, testKey, "other-user-secret-value", strings.Split(testToken, ".")[1], strings.Split(testToken, ".")[2]}
	var answers []string
	for _, v := range append(secrets, personal...) {
		for _, s := range everySpelling(v) {
			answers = append(answers, "so: "+s+" end", `{"message":`+quote(s)+`,"`+strings.Trim(quote(s), `"`)+`":[1]}`, `{"half":"`+s)
		}
	}
	answers = append(answers, `{"nested":`+quote(string(body))+`}`, string(body), string(body)[:len(body)-9])
	if strings.Contains(testToken, " ") {
		t.Fatal("the token must be one word")
	}
	for i, a := range answers {
		answer = a
		r := &Request{
			Label: "hostile", Operation: Other, Path: "/p/" + url.PathEscape(personMail), Body: body, Credential: dep.Credentials.PlatformToken,
			Query:  url.Values{"x-api-key": {testKey}, "q": {personName}, "token": {"short"}},
			Header: http.Header{"Content-Type": {"application/json"}, "nonce": {"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"}, "X-About": {personCPF}}, Fresh: []string{"nonce"},
		}
		switch i % 4 {
		case 1:
			r.Credential = dep.Credentials.APIKey
		case 2:
			r.Credential = nil
			r.Header["authorization"] = []string{"Bearer " + testToken[:len(testToken)-1] + "A"}
		case 3:
			r.Credential = nil
			r.Header["X-API-KEY"] = []string{testKey[:9]}
			r.Body = body[:len(body)-5]
		}
		c.Once(background(), r)
	}
	if err := har.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Log struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if err := json.Unmarshal(written, &log); err != nil || len(log.Log.Entries) != len(answers) {
		t.Fatalf("%v, %d entries for %d", err, len(log.Log.Entries), len(answers))
	}
	forbidden := append(append([]string{testToken[:len(testToken)-1] + "A", "1981-03-17", "4711471147", "abcdef0123456789", testKey[:9]}, secrets...), personal...)
	texts := map[string]string{"curl": curls.String()}
	for i, e := range log.Log.Entries {
		texts[fmt.Sprintf("entry %d (%s)", i, answers[i])] = allText(e)
	}
	for where, s := range texts {
		for _, reading := range readings(s) {
			low := strings.ToLower(reading)
			for _, f := range forbidden {
				if strings.Contains(low, strings.ToLower(f)) {
					at := strings.Index(low, strings.ToLower(f))
					t.Fatalf("%s still holds %q: …%s…", where, f, reading[max(0, at-60):min(len(reading), at+len(f)+20)])
				}
				for _, code := range codes(f) {
					if len(code) > 8 && strings.Contains(reading, code) {
						t.Fatalf("%s still holds %q encoded", where, f)
					}
				}
			}
		}
	}
	for _, want := range []string{`$GATEWAY_TOKEN"`, `$GATEWAY_API_KEY"`, `nonce: $(uuidgen)"`, "gateassay"} {
		if !strings.Contains(curls.String(), want) {
			t.Errorf("no curl command holds %s", want)
		}
	}
}

// allText is every string of a JSON document, keys too, a line each.
func allText(raw []byte) string {
	var out strings.Builder
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case string:
			out.WriteString(v + "\n")
		case json.Number:
			out.WriteString(string(v) + "\n")
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for k, e := range v {
				if k == "timings" || k == "time" || k == "startedDateTime" || strings.HasSuffix(k, "ize") || k == "_seq" {
					continue
				}
				out.WriteString(k + "\n")
				visit(e)
			}
		}
	}
	visit(parseJSON(raw))
	return out.String()
}

func TestLeaksNameTheCredential(t *testing.T) {
	answer := ""
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/header" {
			w.Header().Set("X-Debug", "key="+testKey)
		}
		_, _ = io.WriteString(w, answer)
	})
	c := newClient(t, testDeployment(server), Options{})
	for _, tc := range []struct{ path, answer, want string }{
		{"/", "nothing", ""},
		{"/", "sig " + strings.Split(testToken, ".")[2], "platform_token"},
		{"/header", "", "api_key"},
		{"/header", testToken + "other-user-secret-value", "platform_token api_key other_user"},
	} {
		answer = tc.answer
		if x := c.Once(background(), get(tc.path)); strings.Join(x.Leaks, " ") != tc.want {
			t.Errorf("%q: %v", tc.answer, x.Leaks)
		}
	}
}

func TestJSONKeepsItsSpelling(t *testing.T) {
	r := newRedactor(testDeployment("http://x"))
	for _, s := range []string{
		`{ "a" : 1e5,"a":1.50 , "b":[ true,null, "x\u00e9\/" ] }` + "\n", `[]`, `{"income":33.330,"x":{}}`, `"text"`, "\t[1,\n2]",
		`{"error":{"name":"phone_number"}}`,
	} {
		if got := string(r.body([]byte(s))); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	for _, s := range []string{`{"phone_number":true}`, `{"name":null}`} {
		if got := string(r.body([]byte(s))); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	got := string(r.body([]byte(`{"document":{"number":"529.982.247-25"},"address":{"number":12.5,"zip_code":"01310-100"},"number":7,"phone_number":["+55 11 99999-0000"]}`)))
	for _, gone := range []string{"529.982", "12.5", "01310-100", "99999-0000"} {
		if strings.Contains(got, gone) {
			t.Errorf("%s is still in %s", gone, got)
		}
	}
	if !strings.Contains(got, `"number":7`) || !json.Valid([]byte(got)) {
		t.Error(got)
	}
	deep := bytes.Repeat([]byte(`{"a":`), 9000)
	deep = append(append(deep, '1'), bytes.Repeat([]byte("}"), 9000)...)
	if got := r.body(deep); !bytes.Equal(got, deep) {
		t.Error("a deeply nested body changed")
	}
}

func TestPseudonymsKeepTheShape(t *testing.T) {
	p := newPseudonyms([]byte("key"))
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Z][a-z]{3,9} [A-Z][a-zãé]{3,9}`), rapid.StringMatching(`\d{11}`),
			rapid.StringMatching(`[a-z]{3,8}@[a-z]{3,8}\.com`), rapid.StringMatching(`gateassay-\d{5}`)).Draw(rt, "value")
		out := p.of(v)
		if out != p.of(v) || len(out) != len(v) {
			rt.Fatalf("%q became %q", v, out)
		}
		for i := range len(v) {
			if shape(v[i]) != shape(out[i]) || shape(v[i]) == 'x' && v[i] != out[i] {
				rt.Fatalf("%q became %q: another shape at %d", v, out, i)
			}
		}
		if validCPF(v) != validCPF(out) && cpfShape.MatchString(v) {
			rt.Fatalf("CPF %s became %s", v, out)
		}
		if _, domain, ok := strings.Cut(v, "@"); ok && mailShape.MatchString(v) && !strings.HasSuffix(out, "@"+domain[strings.LastIndex(domain, "@")+1:]) {
			rt.Fatalf("%s became %s", v, out)
		}
		if strings.Contains(v, "gateassay-") && !strings.Contains(out, "gateassay-") {
			rt.Fatalf("%s became %s", v, out)
		}
	})
	if v := p.of(personCPF); !validCPF(v) || v == personCPF {
		t.Error(v)
	}
	seen := map[string]bool{}
	for i := range 3000 {
		seen[p.of(fmt.Sprintf("%04d", i))] = true
	}
	if len(seen) != 3000 {
		t.Errorf("3000 values share %d pseudonyms", len(seen))
	}
	if a, b := p.of("Maria Silva"), newPseudonyms([]byte("another")).of("Maria Silva"); a == b {
		t.Error("two runs gave the same pseudonym")
	}
	next := time.Now().AddDate(2, 0, 0).Format(time.DateOnly)
	for _, d := range []string{"1981-03-17", "1996-02-29", next, "1990-12-31"} {
		out := p.of(d)
		was, _ := time.Parse(time.DateOnly, d)
		is, err := time.Parse(time.DateOnly, out)
		if err != nil || out == d || was.After(time.Now()) != is.After(time.Now()) || strings.HasSuffix(d, "02-29") != strings.HasSuffix(out, "02-29") {
			t.Errorf("%s became %s", d, out)
		}
	}
	if out := p.of("1981-02-30"); !strings.HasSuffix(out, "-02-30") {
		t.Errorf("the day that does not exist is gone: %s", out)
	}
	for _, n := range []string{"10", "-7", "0.5", "1e5", "99.99E+2", "0"} {
		if out := p.ofNumber(n); !json.Valid([]byte(out)) || len(out) != len(n) {
			t.Errorf("%s became %s", n, out)
		}
	}
}

func shape(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c >= 'A' && c <= 'Z':
		return 'A'
	}
	return 'x'
}

func TestAnyInputIsRedactedWithoutPanic(t *testing.T) {
	r := newRedactor(testDeployment("http://x"))
	rapid.Check(t, func(rt *rapid.T) {
		b := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Custom(func(t *rapid.T) []byte {
			return []byte(rapid.StringMatching(`[\{\["name:,\]\}0-9\\u%&;#]{0,40}`).Draw(t, "json"))
		})).Draw(rt, "body")
		r.learn(b)
		before := json.Valid(b)
		if after := r.body(b); before && !json.Valid(after) {
			rt.Fatalf("%q became %q", b, after)
		}
	})
}
