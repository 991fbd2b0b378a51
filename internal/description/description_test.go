package description_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/description"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/internal/testmust"
)

const head = "openapi: 3.1.0\ninfo: {title: \"${HOME}\", version: '1'}\nservers: [{url: /api}]\n"

// creating returns a description with a creation whose body has a schema.
func creating(schema, components string) string {
	return head + "paths: {/representatives: {post: {requestBody: {content: {application/json: " +
		"{schema: " + schema +
		"}}}, responses: {'201': {description: made}}}}}\ncomponents: {schemas: {" + components + "}}\n"
}

func proposed(t *testing.T, text string) map[string]settings.Line {
	t.Helper()
	path, found := filepath.Join(t.TempDir(), "d.yaml"), map[string]settings.Line{}
	testmust.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	for _, s := range description.Propose(testmust.Get(description.Load(t.Context(), path))(t)) {
		found[s.Key] = s
	}
	return found
}

// TestGuessesAreMarked checks that certain values have no comment, that those suggested by a name
// or a description are guesses, and that ambiguous ones stay open.
func TestGuessesAreMarked(t *testing.T) {
	found := proposed(t, creating(
		`{properties: {
		socio_id: {type: string}, mae: {properties: {nome: {type: string}}}, fullName: {type: string}, e-mail: {type: string},
		f1: {type: string, description: Data de nascimento}, f2: {type: string}, rg.numero: {type: string}, pep: {type: string},
		function: {enum: [PARTNER, ATTORNEY]}, telefone: {type: [string, 'null']}, renda: {type: string},
		endereco: {anyOf: [{$ref: '#/components/schemas/Endereco'}, {type: 'null'}]}}}`,
		"Endereco: {properties: {CEP: {type: string}, numero: {type: string}, numeroDaCasa: {readOnly: "+
			"true, type: string}}}",
	))
	const under, none = "legal_representative.fields.", "not found: nothing in the description " +
		"looks like it"
	for key, want := range map[string]string{
		"shareholder_id": `"socio_id"`, "mother_name": `"mae.nome"`, "name": `"fullName"`,
		"email":         `"e-mail"`,
		"qualification": `"function"`, "phone_number": `"telefone"`, "income": `"renda"`,
		"address":          `"endereco"`,
		"address.zip_code": `"endereco.CEP"`, "address.number": `"endereco.numero"`,
		"birth_date": `"f1" guessed: from its description`,
		"pep":        none, "patrimony": none, "document_number": none,
	} {
		if got := strings.TrimSpace(found[under+key].Value + " " +
			found[under+key].Comment); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if types := found["legal_representative.field_types"].Value; types != "{income: string, "+
		"address.number: string}" {
		t.Errorf("types: %s", types)
	}
	testmust.Equal(t, found["name"].Value,
		`"$${HOME}"`, "a description names a variable of this machine")
}

// TestDescriptionsAddNoOtherSettings checks that no text of a description begins a line of the
// deployment file.
func TestDescriptionsAddNoOtherSettings(t *testing.T) {
	const proxied = `\nproxy: http://proxy.example\n#`
	for name, text := range map[string]string{
		"server": "openapi: 3.1.0\ninfo: {title: a, version: '1'}\nservers: [{url: \"/a" + proxied +
			"\"}]\npaths: {}\n",
		"value": strings.Replace(creating("{properties: {full_name: {type: string}, birthday: {type: "+
			"string}, email: {type: string}, phone: {type: string}, income: {type: number}, mother_name: "+
			"{type: string}, address: {properties: {zip_code: {type: string}}}}}", ""),
			"{post: {", "{post: {parameters: [{name: x-kind, in: header, required: true, schema: {type: "+
				"string, enum: [a, \"b"+proxied+"\"]}}], ", 1),
	} {
		lines := []settings.Line{
			{Key: "name", Value: "x"},
			{Key: "base_url", Value: "http://x"},
			{Key: "credentials.platform_token", Value: "x"},
		}
		found := proposed(t, text)
		testmust.Contain(t, fmt.Sprint(found), "proxy", name)
		base := found["base_url"]
		base.Value = "http://x"
		found["base_url"] = base
		file := settings.Template(settings.Replace(lines, slices.Collect(maps.Values(found))))
		dep := testmust.Get(deployment.Parse("d.yaml", ".", file, os.LookupEnv))(t)
		testmust.Equal(t, dep.Proxy, "", name, "the proxy")
	}
}

// TestEndlessSchemasEnd checks that a few lines which describe billions of places, or themselves,
// take no time.
func TestEndlessSchemasEnd(t *testing.T) {
	var doubling strings.Builder
	for i := range 40 {
		fmt.Fprintf(&doubling,
			"A%d: {properties: {a: {$ref: '#/components/schemas/A%d'}, b: {$ref: "+
				"'#/components/schemas/A%d'}}}, ",
			i, i+1, i+1)
	}
	for name, components := range map[string]string{
		"doubling": doubling.String() + "A40: {type: string}",
		"cycle": "A0: {allOf: [{$ref: '#/components/schemas/A1'}]}, A1: {properties: {email: {type: " +
			"string}, a: {$ref: '#/components/schemas/A0'}}}",
		"itself": "A0: {$ref: '#/components/schemas/A0'}",
		"deep":   "A0: " + strings.Repeat("{items: ", 2000) + "{}" + strings.Repeat("}", 2000),
	} {
		began := time.Now()
		proposed(t, creating("{$ref: '#/components/schemas/A0'}", components))
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

// TestWhatCannotBeRead checks that incomplete descriptions are refused, and that no other host is
// contacted.
func TestWhatCannotBeRead(t *testing.T) {
	var asked atomic.Int64
	other := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(other.Close)
	answers := http.NewServeMux()
	server := httptest.NewServer(answers)
	t.Cleanup(server.Close)
	for path, c := range map[string]struct{ text, says string }{
		"/page":    {"<html>Welcome</html>", "expected an OpenAPI description"},
		"/swagger": {"swagger: '2.0'", "convert Swagger 2.0"},
		"/remote":  {creating("{$ref: '"+other.URL+"/a.yaml'}", ""), "bundle it"},
		"/file":    {creating("{$ref: /etc/passwd}", ""), "bundle it"},
		"/null":    {"null", "expected OpenAPI 3.0"},
		"/nulls": {"openapi: 3.1.0\npaths: {/a: {post: {parameters: [null]}}}", "expected an OpenAPI " +
			"description"},
		"/bomb": {"a: &a [x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c " +
			"[*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]\nf: " +
			"[*d,*d,*d,*d,*d,*d,*d,*d]", "expected an OpenAPI description"},
		"/moved": {"", "found 302"}, "/gone": {"", "found 404"}, "/endless": {"", "16 MiB"},
	} {
		answers.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case path == "/moved":
				http.Redirect(w, r, other.URL, http.StatusFound)
			case path == "/gone":
				http.NotFound(w, r)
			default:
				_, err := w.Write([]byte(c.text))
				for path == "/endless" && err == nil {
					_, err = w.Write(make([]byte, 1<<20))
				}
			}
		})
		_, err := description.Load(t.Context(), server.URL+path)
		testmust.FailWith(t, err, c.says, path)
	}
	if _, err := description.Load(t.Context(), os.DevNull); err == nil || asked.Load() > 0 {
		t.Errorf("a device: %v; another host was asked %d times", err, asked.Load())
	}
	answers.HandleFunc("/right/d.yaml",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(head + "paths: {}")) })
	doc := testmust.Get(description.Load(t.Context(), server.URL+"/right/d.yaml"))(t)
	testmust.Equal(t, doc.Servers[0].URL, server.URL+"/api", "the server")
}
