package docs_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/template"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/description"
	"github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/target"
)

var update = flag.Bool("update", false, "write docs/openapi.yaml again")

// types maps the kind of a field to its type in the OpenAPI description.
var types = map[schema.FieldKind]string{
	schema.KindText: "type: string", schema.KindEmail: "type: string",
	schema.KindIdentifier: "type: string, minLength: 1",
	schema.KindUUID:       "type: string, format: uuid",
	schema.KindDigits:     "type: string, pattern: \"^[0-9]+$\"",
	schema.KindDate:       "type: string, format: date",
	schema.KindEnum:       "type: string, enum: [PARTNER, ATTORNEY, ADMINISTRATOR, OTHER]",
	schema.KindCents:      "type: integer",
	schema.KindPercentage: "type: number, minimum: 0, maximum: 100",
	schema.KindNumber:     "type: number", schema.KindBoolean: "type: boolean",
	schema.KindCPF:      "type: string, enum: [CPF]",
	schema.KindDateTime: "type: string, format: date-time", schema.KindObject: "type: object",
}

// TestOpenAPIIsFresh compares docs/openapi.yaml with the tables that the rules are made from.
func TestOpenAPIIsFresh(t *testing.T) {
	var described struct {
		Properties struct {
			Create struct {
				Properties struct {
					Fields struct {
						Properties map[string]struct{ Description string }
					}
				}
			} `json:"legal_representative"`
		}
	}
	testmust.Succeed(t, json.Unmarshal(settings.Schema(), &described))
	plain := testmust.Get(deployment.Parse("plain", ".",
		[]byte("name: x\nbase_url: http://x\ncredentials: {api_key: x}\n"+
			"legal_representative: {documents: {one_request_per_document: false}}"), os.LookupEnv))(t)
	paths := plain.LegalRepresentative.Fields
	// properties returns the lines of the fields that have a path, below their parent.
	properties := func(path func(schema.Field) string, more func(schema.Field, *string)) (lines []string) {
		inside := map[string][]string{}
		for _, f := range schema.AllFields() {
			group, name, nested := strings.Cut(path(f), ".")
			if !nested {
				group, name = "", group
			}
			line := name + ": {" + types[f.Kind]
			more(f, &line)
			if says := described.Properties.Create.Properties.Fields.Properties[f.Name].Description; says != "" {
				line += ", description: " + strconv.Quote(says)
			}
			switch {
			case name == "" || f.Kind == schema.KindObject:
			case nested:
				inside[group] = append(inside[group], "    "+line+"}")
			default:
				lines = append(lines, line+"}")
			}
		}
		for _, group := range slices.Sorted(maps.Keys(inside)) {
			lines = slices.Concat(lines, []string{group + ":", "  type: object", "  properties:"},
				inside[group])
		}
		return lines
	}
	var modes, required []string
	for _, m := range rules.ReplayModes() {
		modes = append(modes, m.Header)
	}
	for _, f := range schema.AllFields() {
		if f.Required {
			required = append(required, f.Name)
		}
	}
	layout := template.Must(template.ParseFiles("openapi.gotmpl"))
	var page bytes.Buffer
	testmust.Succeed(t, layout.Execute(&page, map[string]any{
		"Create": rules.FindOperation("create"), "Export": rules.FindOperation("export"),
		"Names": plain.LegalRepresentative,
		"Header": map[string]string{
			"Product": target.HeaderProduct, "Nonce": target.HeaderNonce, "Replay": target.HeaderReplay,
			"Wallet":      target.HeaderWallet,
			"Transaction": target.HeaderTransaction, "Language": target.HeaderLanguage,
			"Target": target.HeaderTargetUser,
		},
		"Modes": strings.Join(modes[1:], ", "), "Required": strings.Join(required, ", "),
		"Request": properties(func(f schema.Field) string { return paths[f.Name] },
			func(f schema.Field, line *string) {
				switch {
				case strings.HasPrefix(f.Name, "address."):
					*line = strings.TrimSuffix(*line, types[f.Kind]) + "x-not-shown: [name, type]"
				case !creationfields.IsDocumented(plain.LegalRepresentative.Fields, f.Name):
					*line += ", x-not-shown: name"
				}
				if f.Name == "document_country_of_issue" {
					*line += ", default: BRA"
				}
			}),
		"Record": properties(func(f schema.Field) string { return f.Path },
			func(f schema.Field, line *string) {
				if f.Name != "" && !f.Required { // was not sent
					kind, rest, _ := strings.Cut(strings.TrimPrefix(types[f.Kind], "type: "), ",")
					rest = strings.Replace(rest, "OTHER]", "OTHER, null]", 1)
					*line = strings.TrimSuffix(*line, types[f.Kind]) + strings.TrimSuffix(
						"type: ["+kind+`, "null"],`+rest, ",")
				}
			}),
	}))
	if *update {
		testmust.Succeed(t, os.WriteFile("openapi.yaml", page.Bytes(), 0o644))
	}
	if string(testmust.Get(os.ReadFile("openapi.yaml"))(t)) != page.String() {
		t.Error("docs/openapi.yaml is out of date: go generate ./docs writes it again")
	}
}

// described loads the description, which must be valid.
func described(t *testing.T) *openapi3.T {
	t.Helper()
	doc := testmust.Get(description.Load(t.Context(), "openapi.yaml"))(t)
	testmust.Succeed(t, doc.Validate(t.Context()))
	doc.Servers = nil
	return doc
}

// A deployment file made from the description has only defaults and no guesses.
func TestOpenAPINamesTheDefaults(t *testing.T) {
	for _, s := range description.Propose(testmust.Get(description.Load(t.Context(),
		"openapi.yaml"))(t)) {
		_, preset, _ := strings.Cut(s.Key, "legal_representative.fields.")
		if paths := creationfields.RequestPaths(nil); preset != "" &&
			(s.Comment != "" || strings.Trim(s.Value, `"`) != paths[preset]) {
			t.Errorf("%s: %s %s", s.Key, s.Value, s.Comment)
		}
	}
}

// The description allows every answer of a whole run and every accepted request.
func TestOpenAPIDescribesTheReferenceGateway(t *testing.T) {
	router := testmust.Get(legacy.NewRouter(described(t)))(t)
	gateway := testmust.Get(reference.New(reference.Options{Seed: 3}))(t)
	seen := map[string]int{}
	var mutex sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		route, params, err := router.FindRoute(r)
		answer := httptest.NewRecorder()
		gateway.ServeHTTP(answer, r)
		if err == nil {
			r.Body = io.NopCloser(bytes.NewReader(body))
			sent := &openapi3filter.RequestValidationInput{
				Request: r, PathParams: params, Route: route,
				Options: &openapi3filter.Options{
					AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
				},
			}
			got := &openapi3filter.ResponseValidationInput{
				RequestValidationInput: sent, Status: answer.Code, Header: answer.Header(),
				Options: sent.Options,
			}
			if err := openapi3filter.ValidateResponse(r.Context(),
				got.SetBodyBytes(answer.Body.Bytes())); err != nil {
				t.Errorf("%s: %d: %v", r.URL.Path, answer.Code, err)
			}
			empty := bytes.Contains(body, []byte("null")) ||
				slices.ContainsFunc(slices.Collect(maps.Values(r.Header)),
					func(values []string) bool { return values[0] == "" }) // an empty header counts as absent
			if err := openapi3filter.ValidateRequest(r.Context(), sent); answer.Code < 300 && !empty &&
				err != nil {
				t.Errorf("%s was accepted: %v\n%s", r.URL.Path, err, body)
			}
			mutex.Lock()
			seen[route.Operation.OperationID+" "+strconv.Itoa(answer.Code)]++
			mutex.Unlock()
		}
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(server.Close)
	dep := testmust.Get(deployment.Parse("reference", ".", gateway.DeploymentYAML(server.URL),
		os.LookupEnv))(t)
	testmust.Get(suites.Run(t.Context(),
		suites.Options{Deployment: dep, Out: t.TempDir() + "/run", Seed: 3}))(t)
	for _, answer := range []string{"createLegalRepresentative " +
		"201", "exportQuoteStatement 200", "uploadDocuments 201"} {
		if seen[answer] == 0 {
			t.Errorf("no %s among %v", answer, seen)
		}
	}
	t.Log(seen)
}
