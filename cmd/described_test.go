package cmd

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
)

// described lists the gateways of internal/description/testdata. Names that the reference gateway
// cannot change are replaced: in the paths and forms of requests, and in the answers about a file.
var described = []struct {
	name, description, under string
	headers                  reference.CreateHeaders
	choices                  reference.Choices
	sent, answered           []string
}{
	{
		name: "cambio", description: "cambio.yaml", under: "/parceiros",
		headers: reference.CreateHeaders{
			TransactionID: "X-Transacao-Id", Nonce: "X-Nonce", Language: "X-Idioma",
			OnBehalfOf: "X-Em-Nome-De",
		},
		choices: reference.Choices{NumberAsText: true},
		sent: []string{
			"/parceiros/v3/qsa/representantes-legais/", "/users/legal-representatives/", "/documentos",
			"/documents",
			"/parceiros/v3/qsa/representantes-legais", "/v3/users/legal-representatives",
			"/parceiros/v1/extratos/cotacoes/exportacoes", "/v1/reports/quote-statement/exports",
			"/parceiros/v1/arquivos/", "/v1/files/",
			"documentoIdentidade", "identity_document", "declaracaoPoderes", "qualification_declaration",
		},
		answered: []string{
			`"state"`, `"situacao"`, "READY", "PRONTO", "PROCESSING", "PROCESSANDO",
			`"url"`, `"enderecoDownload"`,
		},
	},
	{
		name: "northwind", description: "northwind.json",
		headers: reference.CreateHeaders{
			TransactionID: "Idempotency-Key", Nonce: "X-Request-Nonce", Language: "X-Preferred-Locale",
			OnBehalfOf: "X-On-Behalf-Of",
		},
		choices: reference.Choices{
			NumberAsText: true, PerDocument: true, ExportStatus: http.StatusAccepted,
			InvalidStatus: http.StatusUnprocessableEntity,
			Retrieval:     reference.RetrievalDirect, DocumentForm: map[string]string{"idType": "CNH"},
		},
		sent: []string{
			"/v3/representatives/", "/users/legal-representatives/", "/v3/representatives",
			"/v3/users/legal-representatives",
			"/v1/quote-exports/", "/v1/files/", "/v1/quote-exports", "/v1/reports/quote-statement/exports",
			"/files", "/documents", "/content", "", "idDocument", "identity_document", "powersDeclaration",
			"qualification_declaration",
		},
	},
	{
		name: "meridian", description: "meridian.yaml", under: "/gateway",
		headers: reference.CreateHeaders{
			TransactionID: "transaction-id", Nonce: "request-nonce", Language: "accept-language-tag",
			OnBehalfOf: "acting-for",
		},
		choices: reference.Choices{
			BasePath: "/gateway", Retrieval: reference.RetrievalDirect, NestedState: true,
		},
	},
}

// A deployment file filled in from a description verifies every rule, as one written by hand does.
func TestADescriptionVerifiesWhatAFileByHandDoes(t *testing.T) {
	for _, d := range described {
		testdata := filepath.Join("..", "internal", "description", "testdata")
		generated := filepath.Join(t.TempDir(), "d.yaml")
		testmust.Succeed(t, exec.Command("gateassay", "deployment", "init", "--openapi",
			filepath.Join(testdata, d.description), "--out", generated).Run())
		byHand := filepath.Join(testdata, d.name+".hand.yaml")
		var names struct {
			Create deployment.LegalRepresentative `yaml:"legal_representative"`
		}
		testmust.Succeed(t, yaml.Unmarshal(testmust.Get(os.ReadFile(byHand))(t), &names))
		d.choices.CreateHeaders, d.choices.Fields = d.headers, names.Create.Fields
		for _, path := range []string{generated, byHand} {
			if testing.Short() && (path == byHand || d.name != "northwind") {
				continue
			}
			t.Run(d.name+" "+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				var file, given map[string]any
				gateway := testmust.Get(reference.New(reference.Options{Seed: 9, Choices: d.choices}))(t)
				server := httptest.NewServer(renaming(gateway, d.sent, d.answered))
				t.Cleanup(server.Close)
				testmust.Succeed(t, yaml.Unmarshal(gateway.DeploymentYAML(server.URL), &file))
				testmust.Succeed(t, yaml.Unmarshal(testmust.Get(os.ReadFile(path))(t), &given))
				delete(file, "legal_representative")
				delete(file, "export")
				for _, key := range []string{"legal_representative", "export", "headers"} {
					if given[key] != nil {
						file[key] = given[key]
					}
				}
				file["base_url"] = server.URL + d.under
				dep := testmust.Get(deployment.Parse(path, ".", testmust.Get(yaml.Marshal(file))(t),
					os.LookupEnv))(t)
				run := testmust.Get(suites.Run(t.Context(),
					suites.Options{Deployment: dep, Out: filepath.Join(t.TempDir(), "run"), Seed: 9}))(t).Run
				for _, rule := range run.Rules {
					if rule.Level != "observe" && rule.Verdict != "pass" {
						t.Errorf("%s: %s: %s", rule.Verdict, rule.ID, rule.Reason)
					}
				}
			})
		}
	}
}

// renaming returns a gateway that replaces texts in requests and answers.
func renaming(gateway http.Handler, sent, answered []string) http.Handler {
	inward, outward := strings.NewReplacer(sent...), strings.NewReplacer(answered...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = inward.Replace(r.URL.Path)
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			body, _ := io.ReadAll(r.Body)
			body = []byte(inward.Replace(string(body)))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		inner := httptest.NewRecorder()
		gateway.ServeHTTP(inner, r)
		maps.Copy(w.Header(), inner.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(inner.Code)
		if strings.HasPrefix(r.URL.Path, "/v1/files/") {
			_, _ = io.WriteString(w, outward.Replace(inner.Body.String()))
		} else {
			_, _ = w.Write(inner.Body.Bytes())
		}
	})
}
