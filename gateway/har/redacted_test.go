package har

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
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/must"
)

const (
	personName  = "gateassay João D'Ávila \"Zé\" Sobrinho"
	motherName  = "Conceição Aparecida Antunes"
	personMail  = "joao.davila.77@mail.example"
	personPhone = "+5511987654321"
	personCPF   = "52998224725"
	street      = "Rua das Acácias & Flores"
)

var unicodeEscape = regexp.MustCompile(`\\+u[0-9A-Fa-f]{4}`)

// everySpelling lists how programs repeat a text, see SECURITY.md.
func everySpelling(s string) []string {
	whole, _ := json.Marshal(s)
	return []string{
		s, url.QueryEscape(s), url.PathEscape(s), strings.ToLower(s), html.EscapeString(s), string(whole),
		hex.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte(s)),
		base64.URLEncoding.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte("user:" + s)),
		base64.StdEncoding.EncodeToString([]byte("a" + s + "bc")),
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
	dep := testDeployment(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization")+" "+url.QueryEscape(personMail))
		w.Header().Add("Set-Cookie", "session="+testKey)
		w.Header().Set("Location",
			"https://cdn.example/f?X-Amz-Signature=abcdef0123456789&x=1&apikey="+url.QueryEscape(testKey))
		_, _ = io.WriteString(w, answer)
	})
	dep.LegalRepresentative.Fields = map[string]string{"mother_name": "family.mother", "phone_number": "fone"}
	path := filepath.Join(t.TempDir(), "exchanges.har")
	har := must.Get(Create(path, "gateassay", "test"))(t)
	var curls strings.Builder
	c := newClient(t, dep, func(x *client.Exchange) {
		if err := har.Append(x); err != nil {
			t.Error(err)
		}
		curls.WriteString(x.Recorded.Curl + "\n")
		if x.Err != nil {
			t.Error(x.Err)
		}
	})
	personal := []string{personName, motherName, personMail, personPhone, personCPF, street}
	c.Redactor().Personal(personName, street)
	body, _ := json.Marshal(map[string]any{
		"name": personName, "family": map[string]any{"mother": motherName}, "email": personMail, "fone": personPhone,
		"document": map[string]any{"number": personCPF, "type": "CPF"}, "address": map[string]any{
			"street": street,
			"number": 4711471147,
		},
		"birth_date": "1981-03-17", "income": 150000,
	})
	secrets := []string{
		testToken, testKey, testOther, strings.Split(testToken, ".")[1],
		strings.Split(testToken, ".")[2],
	}
	var answers []string
	for _, v := range append(secrets, personal...) {
		for _, s := range everySpelling(v) {
			answers = append(answers, "so: "+s+" end",
				`{"message":`+quoted(s)+`,"`+strings.Trim(quoted(s), `"`)+`":[1]}`, `{"half":"`+s)
		}
	}
	answers = append(answers, `{"nested":`+quoted(string(body))+`}`, string(body), string(body)[:len(body)-9])
	for i, a := range answers {
		answer = a
		r := &client.Request{
			Label: "hostile", Operation: client.Other, Path: "/p/" +
				url.PathEscape(personMail), Body: body, Credential: dep.Credentials.PlatformToken,
			Query: url.Values{"x-api-key": {testKey}, "q": {personName}, "token": {"short"}},
			Header: http.Header{
				"Content-Type": {"application/json"},
				"nonce":        {"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"}, "X-About": {personCPF},
			}, Fresh: []string{"nonce"},
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
		c.Once(t.Context(), r)
	}
	must.Succeed(t, har.Close())
	written := must.Get(os.ReadFile(path))(t)
	var log struct {
		Log struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if err := json.Unmarshal(written, &log); err != nil || len(log.Log.Entries) != len(answers) {
		t.Fatalf("%v, %d entries for %d", err, len(log.Log.Entries), len(answers))
	}
	forbidden := append(append([]string{
		testToken[:len(testToken)-1] + "A", "1981-03-17", "4711471147",
		"abcdef0123456789", testKey[:9],
	}, secrets...), personal...)
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
					t.Fatalf("%s still holds %q: …%s…", where, f,
						reading[max(0, at-60):min(len(reading), at+len(f)+20)])
				}
				for _, code := range []string{
					hex.EncodeToString([]byte(f)), base64.RawStdEncoding.EncodeToString([]byte(f))[:len(f)],
				} {
					if len(code) > 8 && strings.Contains(reading, code) {
						t.Fatalf("%s still holds %q encoded", where, f)
					}
				}
			}
		}
	}
	for _, want := range []string{`$GATEWAY_TOKEN"`, `$GATEWAY_API_KEY"`, `nonce: $(uuid4)"`, "gateassay"} {
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
				if k == "timings" || k == "time" || k == "startedDateTime" || strings.HasSuffix(k, "ize") ||
					k == "_seq" {
					continue
				}
				out.WriteString(k + "\n")
				visit(e)
			}
		}
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	var doc any
	if in.Decode(&doc) == nil {
		visit(doc)
	}
	return out.String()
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
