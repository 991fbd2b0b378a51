package doctor_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

type file = deployment.File

func examine(t *testing.T, o reference.Options, change func(*file)) doctor.Report {
	t.Helper()
	gateway, err := reference.Start(t.Context(), "127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(gateway.Close)
	dep, err := deployment.Parse("reference", ".", gateway.Gateway.DeploymentYAML(gateway.URL),
		func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(dep)
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return doctor.Examine(t.Context(), dep, c)
}

func find(t *testing.T, r doctor.Report, name string) doctor.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("nothing was said about %s: %+v", name, r.Findings)
	return doctor.Finding{}
}

// broken lists what is said to be broken, as often as it is said.
func broken(r doctor.Report) (names []string) {
	for _, f := range r.Findings {
		if f.State == doctor.Broken {
			names = append(names, f.Name)
		}
	}
	return names
}

const stranger = "11111111-2222-4333-8444-555555555555"

func TestAHealthyDeployment(t *testing.T) {
	r := examine(t, reference.Options{Seed: 1}, nil)
	untried := []string{"legal_representative.headers.language", "fixtures.target_user_shareholder_id"}
	for _, f := range r.Findings {
		if want := slices.Contains(untried, f.Name); f.State != doctor.OK && !want || f.State != doctor.Untried && want {
			t.Errorf("%s: %s: %s", f.Name, f.State, f.Text)
		}
	}
	if !r.Reachable || r.Created != 1 || len(r.Findings) < 15 {
		t.Errorf("reachable %v, created %d, %d findings", r.Reachable, r.Created, len(r.Findings))
	}
	for _, rule := range suites.Catalogue() {
		if by := r.Blocked(rule); by != nil {
			t.Errorf("%s is blocked by %+v on a healthy deployment", rule.ID, by)
		}
	}
}

func TestWhatAnswersInsteadOfAGatewayIsNamed(t *testing.T) {
	for status, want := range map[int]struct{ name, advice string }{
		200: {"base_url", "a login page"}, 302: {"export.path", "check base_url"},
		404: {"export.path", "check base_url"}, 502: {"export", "out of order"},
		503: {"export", "try again later"}, 418: {"export", "those who run the deployment"},
		400: {"export", "what the answer asks for"},
		401: {"credentials.platform_token", "its value"}, 403: {"credentials.platform_token", "may start exports"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<html>Welcome</html>"))
		}))
		t.Cleanup(server.Close)
		r := examine(t, reference.Options{Seed: 1}, func(d *file) { d.BaseURL, d.Fixtures.ShareholderID = server.URL, "" })
		if f := find(t, r, want.name); f.State != doctor.Broken || !strings.Contains(f.Do, want.advice) || r.Reachable {
			t.Errorf("%d: reachable %t, %+v", status, r.Reachable, f)
		}
	}
}

// Names of documents are compared with those that a refusal mentions. Where it mentions none, or one, which may be but
// the first that is missing, nothing is said of the others.
func TestMistypedDocumentsAreNoticed(t *testing.T) {
	for wrong, want := range map[string]doctor.State{
		"selfie": doctor.Warning, "selfie qualification_declaration": doctor.Untried,
		"selfie qualification_declaration identity_document": doctor.Untried,
	} {
		r := examine(t, reference.Options{Seed: 1}, func(d *file) {
			for _, key := range strings.Fields(wrong) {
				d.LegalRepresentative.Documents.Parts[key] = "part-" + key[:3]
			}
		})
		if f := find(t, r, "legal_representative.documents.parts"); f.State != want {
			t.Errorf("%q: %+v", wrong, f)
		}
	}
}

// The key that is wrong is blamed, not the fixture or the credential that was used on the way.
func TestTheKeyThatIsWrongIsBlamed(t *testing.T) {
	for key, change := range map[string]func(*file){
		"legal_representative.headers.transaction_id": func(d *file) { d.LegalRepresentative.Headers.TransactionID = "x-other" },
		"legal_representative.headers.nonce":          func(d *file) { d.LegalRepresentative.Headers.Nonce = "x-other" },
		"legal_representative.path":                   func(d *file) { d.LegalRepresentative.Path = "/v3/nowhere" },
		"legal_representative.fields.mother_name":     func(d *file) { d.LegalRepresentative.Fields["mother_name"] = "mother" },
		"legal_representative.field_types.address.number": func(d *file) {
			d.LegalRepresentative.FieldTypes["address.number"] = "string"
		},
		"fixtures.shareholder_id":             func(d *file) { d.Fixtures.ShareholderID = stranger },
		"legal_representative.documents.path": func(d *file) { d.LegalRepresentative.Documents.Path = "/v3/nowhere/{id}" },
		"export.path":                         func(d *file) { d.Export.Path = "/v1/nowhere" },
		"credentials.platform_token": func(d *file) {
			d.Credentials = deployment.Credentials{PlatformToken: d.Credentials.PlatformToken}
			d.Credentials.PlatformToken.Value = "nobody-issued-this"
		},
	} {
		r := examine(t, reference.Options{Seed: 5}, change)
		if names := broken(r); !slices.Equal(names, []string{key}) {
			t.Errorf("%s is wrong, and what is said to be broken is %v", key, names)
		}
	}
}

// What is wrong is named with what to do, and what is given and cannot serve leaves its rules unverified.
func TestWhatIsWrongIsNamedAndVerifiesNothing(t *testing.T) {
	catalogue := suites.Catalogue()
	rule := func(id string) rules.Rule {
		return catalogue[slices.IndexFunc(catalogue, func(r rules.Rule) bool { return r.ID == id })]
	}
	for name, c := range map[string]struct {
		change  func(*file)
		says    string
		blocked string // rules that the finding blocks
		open    string // a rule that it does not
	}{
		"credentials.api_key": {
			func(d *file) { d.Credentials.APIKey.Value = "nobody-issued-this" }, "refused with 401",
			"auth.api_key create.header.language.default", "auth.api_key.altered",
		},
		"credentials.other_user": {
			func(d *file) { d.Credentials.OtherUser.Value = "nobody-issued-this" }, "refused with 401",
			"export.isolation replay.none.other_user", "replay.none.same",
		},
		"credentials.expired_token": {
			func(d *file) { d.Credentials.ExpiredToken.Value = d.Credentials.PlatformToken.Value }, "should have expired", "", "",
		},
		"fixtures.shareholder_id": {
			func(d *file) { d.Fixtures.ShareholderID = stranger }, "400", "create.success.status create.echo.name",
			"export.success",
		},
		"fixtures.foreign_shareholder_id": {
			func(d *file) { d.Fixtures.ForeignShareholderID = d.Fixtures.ShareholderID }, "accepted, although",
			"create.shareholder.foreign", "create.shareholder.unknown",
		},
		"fixtures.product_id": {func(d *file) { d.Fixtures.ProductID = stranger }, "refused: 400", "", ""},
		"fixtures.client_id": {
			func(d *file) { d.Fixtures.ClientID = "nobody" }, "has 0 of", "export.filter.client_id export.order.asc",
			"export.range.open",
		},
		"fixtures.window": {
			func(d *file) { d.Fixtures.Window.End = d.Fixtures.Window.Start.Add(1) }, "holds 1 quote", "", "",
		},
		"export.file": {func(d *file) {
			d.Export.File.State.Ready, d.Export.File.Timeout = []string{"NEVER"}, 200*time.Millisecond
		}, "not ready in time", "export.file.csv export.range.open", "export.success"},
		"export.csv.time_zone": {func(d *file) { d.Export.CSV.TimeZone = "" }, "no offset", "", ""},
		doctor.Creations:       {func(d *file) { d.Limits.MaxCreates = 20 }, "at most 20", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := reference.Options{Seed: 3}
			if name == "export.csv.time_zone" {
				o.Choices.CSV.Dates = reference.Zoneless
			}
			r := examine(t, o, c.change)
			if f := find(t, r, name); f.State == doctor.OK || f.Do == "" || !strings.Contains(f.Text, c.says) {
				t.Errorf("%s: %s (do: %s)", f.State, f.Text, f.Do)
			}
			for id := range strings.FieldsSeq(c.blocked) {
				if by := r.Blocked(rule(id)); by == nil || by.Name != name || by.Do == "" {
					t.Errorf("%s is blocked by %+v", id, by)
				}
			}
			if c.open != "" && r.Blocked(rule(c.open)) != nil {
				t.Errorf("%s is blocked by %+v", c.open, r.Blocked(rule(c.open)))
			}
		})
	}
}

// An upload that has to be refused leaves nothing behind, whatever form a deployment takes documents in.
func TestUploadsAreTriedWithoutDocuments(t *testing.T) {
	tried := 0
	for _, v := range reference.Variants() {
		if !v.Choices.PerDocument && len(v.Choices.DocumentForm) == 0 {
			continue
		}
		tried++
		r := examine(t, reference.Options{Seed: 4, Choices: v.Choices}, nil)
		f := find(t, r, "legal_representative.documents.path")
		if f.State != doctor.OK || !strings.Contains(f.Text, "refuses") {
			t.Errorf("%s: %s: %s", v.Name, f.State, f.Text)
		}
	}
	if tried == 0 {
		t.Error("no variant takes documents in another form")
	}
}

// One of several that would do is enough.
func TestAlternativesAreNotBlocked(t *testing.T) {
	r := doctor.Report{Findings: []doctor.Finding{{Name: "a", State: doctor.Broken}, {Name: "c", State: doctor.Absent}}}
	for need, blocked := range map[string]bool{
		"a": true, "b": false, "a|b": false, "b|a": false, "a|c": true, "c|a": true,
	} {
		if by := r.Blocked(rules.Rule{Needs: []string{need}}); (by != nil) != blocked {
			t.Errorf("%s: %+v", need, by)
		}
	}
}

func TestWhatIsNotGivenIsListed(t *testing.T) {
	r := examine(t, reference.Options{Seed: 1, Choices: reference.Choices{MinimalFile: true}}, nil)
	if f := find(t, r, "fixtures.shareholder_id"); f.State != doctor.Absent || !r.Reachable {
		t.Errorf("%t, %+v", r.Reachable, f)
	}
}
