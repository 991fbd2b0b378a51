package har

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/must"
)

// What a deployment repeats of a request, in a header, an address or a text, is replaced as it is in the request. How
// it may be spelled is for the tests of package redact.
func TestNothingThatIdentifiesReachesHARorCurl(t *testing.T) {
	const person, mother, mail, cpf = "João D'Ávila Sobrinho", "Conceição Antunes", "joao.davila@mail.example", "52998224725"
	dep := testDeployment(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization")+" "+url.QueryEscape(mail))
		w.Header().Add("Set-Cookie", "session="+testKey)
		w.Header().Set("Location", "https://cdn.example/f?X-Amz-Signature=abcdef0123456789&apikey="+url.QueryEscape(testKey))
		_, _ = io.Copy(w, r.Body)
		_, _ = io.WriteString(w, " was sent with "+testToken+" and "+testOther)
	})
	dep.LegalRepresentative.Fields = map[string]string{"mother_name": "family.mother"}
	path := filepath.Join(t.TempDir(), "exchanges.har")
	har := must.Get(Create(path, "gateassay", "test"))(t)
	texts := ""
	c := newClient(t, dep, func(x *client.Exchange) {
		if err := har.Append(x); err != nil || x.Err != nil {
			t.Error(err, x.Err)
		}
		texts += x.Recorded.Curl + "\n"
	})
	c.Redactor().Personal(person, mother, mail, cpf, "1981-03-17")
	body := must.Get(json.Marshal(map[string]any{
		"name": person, "family": map[string]any{"mother": mother}, "email": mail, "document": map[string]any{"number": cpf},
		"birth_date": "1981-03-17", "income": 150000,
	}))(t)
	altered := testToken[:len(testToken)-1] + "A"
	for i, header := range []http.Header{{}, {}, {"Authorization": {"Bearer " + altered}}, {"X-Api-Key": {testKey[:9]}}} {
		r := &client.Request{
			Label: "hostile", Operation: client.Other, Path: "/p/" + url.PathEscape(mail), Body: body, Header: header,
			Query: url.Values{"x-api-key": {testKey}, "q": {person}}, Fresh: []string{"nonce"},
		}
		header["Content-Type"], header["X-About"] = []string{"application/json"}, []string{cpf}
		header["nonce"] = []string{"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"}
		switch i {
		case 0:
			r.Credential = dep.Credentials.PlatformToken
		case 1:
			r.Credential = dep.Credentials.APIKey
		}
		c.Once(t.Context(), r)
	}
	must.Succeed(t, har.Close())
	for _, want := range []string{`$GATEWAY_TOKEN"`, `$GATEWAY_API_KEY"`, `nonce: $(uuid4)"`} {
		if !strings.Contains(texts, want) {
			t.Errorf("no curl command holds %s", want)
		}
	}
	texts += string(must.Get(os.ReadFile(path))(t))
	for _, secret := range []string{
		testToken, testKey, testOther, altered, testKey[:9], "abcdef0123456789", person, mother, mail, cpf, "1981-03-17",
	} {
		for _, spelled := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			if at := strings.Index(texts, spelled); at >= 0 {
				t.Errorf("%q is in …%s…", secret, texts[max(0, at-60):min(len(texts), at+60)])
			}
		}
	}
}
