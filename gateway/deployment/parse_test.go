package deployment

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

var update = flag.Bool("update", false, "write what full.yaml is read as")

// environment returns a lookup of variables in a map.
func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := pairs[name]
		return value, ok
	}
}

var fullEnvironment = environment(map[string]string{
	"GATEWAY_TOKEN": "main-token", "GATEWAY_API_KEY": "main-key", "GATEWAY_EXPIRED": "old-token",
	"GATEWAY_EARLY":        "early-token",
	"GATEWAY_UNPRIVILEGED": "small-token", "IN_FLIGHT": "8",
})

func full(t *testing.T) *File {
	t.Helper()
	data := testmust.Get(os.ReadFile("testdata/full.yaml"))(t)
	f := testmust.Get(Parse("full.yaml", "testdata", data, fullEnvironment))(t)
	return f
}

// TestEveryKeyIsRead compares the parsed full.yaml with full.golden.
func TestEveryKeyIsRead(t *testing.T) {
	f := full(t)
	got := string(testmust.Get(json.MarshalIndent(f, "", " "))(t)) + fmt.Sprintln(f.Secrets())
	if *update {
		testmust.Succeed(t, os.WriteFile("testdata/full.golden", []byte(got), 0o644))
	}
	testmust.Equal(t, got, string(testmust.Get(os.ReadFile("testdata/full.golden"))(t)))
}

const minimal = "name: a\nbase_url: http://localhost:8080/\ncredentials: {api_key: key}\n"

func parse(text string) (*File, error) {
	return Parse("t.yaml", "testdata", []byte(text), fullEnvironment)
}

func TestDefaults(t *testing.T) {
	f := testmust.Get(parse(minimal))(t)
	testmust.Equal(t, f.BaseURL, "http://localhost:8080", "base_url")
	testmust.Equal(t, f.Credentials.Main().Name, "api_key", "main credential")
	testmust.Equal(t, f.LegalRepresentative.Path, "/v3/users/legal-representatives", "create path")
	testmust.Equal(t, f.LegalRepresentative.Headers,
		CreateHeaders{"x-transaction-uuid", "nonce", "x-lang", "x-product-target-user-uuid"})
	testmust.Equal(t, f.LegalRepresentative.Fields["qualification"], "representor_type")
	testmust.Equal(t, f.Export.Path, "/v1/reports/quote-statement/exports", "export path")
	testmust.Equal(t, f.Limits, Limits{
		RequestsPerSecond: 20, InFlight: 16, Timeout: 15 * time.Second, MaxCreates: 80,
		MaxFile: 1024, MaxRequests: 2000, Depth: "standard",
	}, "limits")
	testmust.Equal(t, f.Load.Allow, false, "load")
	if f.Export.File != nil || f.LegalRepresentative.Documents != nil || f.Fixtures.Window != nil {
		t.Error("defaults made up a mapping that the document does not have")
	}
	f = testmust.Get(parse(minimal + "export: {file: {request: 'GET /f/{file_id}'}}\n" +
		"legal_representative: {documents: {one_request_per_document: true}}"))(t)
	testmust.Equal(t, f.Export.File.Timeout, time.Minute, "retrieval timeout")
	testmust.Equal(t, f.LegalRepresentative.Documents.Path,
		"/users/legal-representatives/{id}/documents")
	testmust.Equal(t, len(f.LegalRepresentative.Documents.Parts), 3, "parts")
}

func TestReferences(t *testing.T) {
	env := environment(map[string]string{"HOST": "gw.example", "PORT": "8443", "ON": "true"})
	text := "name: 'a$${b}${PORT}'\nbase_url: https://${HOST}:${PORT}/x\ncredentials: {api_key: " +
		"file:other.key}\nload: {allow: '${ON}'}\n" +
		"waivers: [{rule: create.required.*, reason: \"${HOST}\", until: '2026-12-31'}]\n"
	f := testmust.Get(Parse("t.yaml", "testdata", []byte(text), env))(t)
	testmust.Equal(t, f.Name, "a${b}8443", "name")
	testmust.Equal(t, f.BaseURL, "https://gw.example:8443/x", "base_url")
	testmust.Equal(t, f.Credentials.APIKey.Value, "other-key", "key")
	testmust.Equal(t, f.Load.Allow, true, "allow")
	testmust.Equal(t, f.Waivers[0].Reason, "gw.example", "reason")
}

func TestCredentialsDoNotPrint(t *testing.T) {
	f := full(t)
	c := f.Credentials.PlatformToken
	text := testmust.Get(c.MarshalText())(t)
	for _, printed := range []string{
		fmt.Sprintf("%v %+v %#v %s %q %d %x", c, c, c, c, c, c, c),
		fmt.Sprintf("%v %+v %#v", *c, *c, *c), string(text),
	} {
		if strings.Contains(printed, "main-token") {
			t.Errorf("printed the secret: %s", printed)
		}
	}
}

// inCredential matches keys of the long form of a credential, which the template does not show.
var inCredential = regexp.MustCompile(`^(credentials|load\.credentials)\..*`)

func TestEveryKeyHasADefaultOrASample(t *testing.T) {
	seen := map[string]bool{}
	yamlschema.Walk("", yamlschema.FromStruct(File{}, ""), func(path string, s *jsonschema.Schema) {
		seen[path] = true
		if s.Properties == nil && yamlschema.SampleValue(s) == "" && !inCredential.MatchString(path) {
			t.Errorf("%s has neither", path)
		}
	})
	for key := range loadKeyTables().Samples {
		if !seen[key] && !strings.HasPrefix(key, "oauth2.") {
			t.Errorf("there is no %s", key)
		}
	}
	for key := range loadKeyTables().Defaults {
		if !seen[key] {
			t.Errorf("there is no %s", key)
		}
	}
}

func TestATokenHoldsWhileItsRenewalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := errors.New("out of order")
		issuer, ended := &Issuer{},
			func() context.Context { ctx, end := context.WithCancel(t.Context()); end(); return ctx }()
		for _, step := range []struct {
			later   time.Duration
			failing bool
			ctx     context.Context
			want    error
		}{
			{0, true, ended, context.Canceled},
			{0, false, t.Context(), nil}, // an interrupt is no error for others
			{90 * time.Second, true, t.Context(), nil},
			{20 * time.Second, true, t.Context(), fails},
			{0, false, t.Context(), fails}, // it is not retried at once
			{2 * renewalRetryPause, false, t.Context(), nil},
		} {
			time.Sleep(step.later)
			got, err := issuer.Token(step.ctx, func(context.Context) (string, time.Time, error) {
				if step.failing {
					return "", time.Time{}, fails
				}
				return "a", time.Now().Add(100 * time.Second), nil
			})
			if (got == "a") != (step.want == nil) || !errors.Is(err, step.want) {
				t.Errorf("%+v: %v, %v", step, got, err)
			}
		}
	})
}

const head = "name: a\nbase_url: http://h\n"

// TestProblemsNeverShowASecret checks the lines of secrets.txt: a document that is refused, or
// after + the rest of one. No problem may contain the word SECRET.
func TestProblemsNeverShowASecret(t *testing.T) {
	long := strings.Repeat("SECRET-", 60)
	env := environment(
		map[string]string{"LONG": long, "TOKEN": "SECRET value", "OTHER": "SECRETSECRET"})
	signs := strings.NewReplacer("⏎", "\n", "␍", "\r", "LONGTEXT", long)
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/secrets.txt"))(t))) {
		text := signs.Replace(strings.TrimSuffix(line, "\n"))
		if rest, ok := strings.CutPrefix(text, "+"); ok {
			text = head + rest
		}
		_, err := Parse("t.yaml", "testdata", []byte(text), env)
		if err == nil {
			t.Errorf("accepted: %s", line)
		} else if shown := fmt.Sprintf("%v %+v",
			err, err.(*strictyaml.Problems).All); strings.Contains(shown, "SECRET") {
			t.Errorf("%s shows\n%s", line, shown)
		}
	}
}

func TestEmptyVariableOfACredential(t *testing.T) {
	_, err := Parse("t.yaml", "testdata",
		[]byte(head+"credentials:\n  platform_token: ${EMPTY}\n  api_key: k\n"),
		environment(map[string]string{"EMPTY": ""}))
	testmust.FailWith(t, err, "EMPTY is empty")
}
