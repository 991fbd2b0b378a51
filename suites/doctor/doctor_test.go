package doctor_test

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

func examine(t *testing.T, o reference.Options, change func(*deployment.File)) suites.Examination {
	t.Helper()
	gateway := testmust.Get(reference.Start(t.Context(), "127.0.0.1:0", o))(t)
	t.Cleanup(gateway.Close)
	dep := testmust.Get(deployment.Parse("reference", ".", gateway.Gateway.DeploymentYAML(gateway.URL),
		noEnvironment))(t)
	change(dep)
	return testmust.Get(suites.Examine(t.Context(), suites.Options{Deployment: dep}))(t)
}

func findFinding(t *testing.T, r suites.Examination, name string) doctor.Finding {
	t.Helper()
	at := slices.IndexFunc(r.Findings, func(f doctor.Finding) bool { return f.Name == name })
	if at < 0 {
		t.Fatalf("nothing was said about %s: %+v", name, r.Findings)
	}
	return r.Findings[at]
}

const stranger = "11111111-2222-4333-8444-555555555555"

func TestAHealthyDeployment(t *testing.T) {
	r := examine(t, reference.Options{Seed: 1}, func(*deployment.File) {})
	for _, f := range r.Findings {
		testmust.Equal(t, f.State, doctor.StateOK, f.Name, f.Text)
	}
	if !r.Reachable || r.Created != 1 || len(r.Findings) < 15 {
		t.Errorf("reachable %v, created %d, %d findings", r.Reachable, r.Created, len(r.Findings))
	}
	for _, rule := range suites.Catalogue() {
		if by := r.BlockingFinding(rule); by != nil {
			t.Errorf("%s is blocked by %+v on a healthy deployment", rule.ID, by)
		}
	}
}

// Anything else than a gateway is named, as the one obstacle if it prevents all tests.
func TestWhatAnswersInsteadOfAGateway(t *testing.T) {
	const refused = "credentials.platform_token"
	for name, c := range map[string]struct {
		status         int // 0: no answer
		wait           string
		address, proxy string
		finding, says  string
		cause          string // empty: no obstacle
	}{
		"a page": {
			status: 200, finding: "base_url", says: "a login page", cause: "A web page answers",
		},
		"a redirect": {status: 302, finding: "export.path", says: "base_url"},
		"nowhere": {
			status: 404, finding: "export.path", says: "export.path", cause: "returns 404 or 405",
		},
		"bad requests": {status: 400, finding: "export", says: "what the answer asks for"},
		"a refusal": {
			status: 401, finding: refused, says: "its value", cause: refused + " was refused",
		},
		"no permission": {status: 403, finding: refused, says: "whose user may"},
		"a teapot":      {status: 418, finding: "export", says: "the operators of the deployment"},
		"failing":       {status: 502, finding: "export", says: "look at the logs"},
		"throttled":     {status: 429, wait: "60", finding: "export", says: "try again later"},
		"asks to wait":  {status: 503, wait: "60", finding: "export", says: "try again later"},
		"silent":        {finding: "connection", says: "raise that timeout"},
		"unknown host": {
			address: "http://gateway.invalid", finding: "connection", says: "DNS", cause: "No connection to",
		},
		"no proxy": {
			proxy: "http://127.0.0.1:9", finding: "connection", says: "check proxy", cause: "to the proxy",
		},
		"nothing listens": {
			address: "http://127.0.0.1:9",
			finding: "connection", says: "port of base_url", cause: "No connection",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if c.status == 0 {
					// a server notices a lost client only after it read the body
					_, _ = io.Copy(io.Discard, r.Body)
					<-r.Context().Done()
					return
				}
				if c.wait != "" {
					w.Header().Set("Retry-After", c.wait)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte("<html>Welcome</html>"))
			}))
			t.Cleanup(server.Close)
			r := examine(t, reference.Options{Seed: 1}, func(d *deployment.File) {
				d.BaseURL, d.Proxy, d.Fixtures.ShareholderID = cmp.Or(c.address, server.URL), c.proxy, ""
				d.Limits.Timeout = time.Second
			})
			f, o := findFinding(t, r, c.finding), r.Obstacle
			if f.State != doctor.StateBroken || !strings.Contains(f.Advice, c.says) || r.Reachable {
				t.Errorf("reachable %t, %+v", r.Reachable, f)
			}
			if (o == nil) != (c.cause == "") || o != nil && !strings.Contains(o.Cause, c.cause) {
				t.Errorf("%+v", o)
			}
		})
	}
}

// deployed is the deployment file that a test changes.
type deployed = deployment.File

// The wrong key is named, not the fixture or credential that was used with it.
func TestTheKeyThatIsWrongIsBlamed(t *testing.T) {
	const section = "legal_representative."
	for key, change := range map[string]func(*deployed){
		section + "headers.transaction_id": func(d *deployed) {
			d.LegalRepresentative.Headers.TransactionID = "x-other"
		},
		section + "headers.nonce": func(d *deployed) { d.LegalRepresentative.Headers.Nonce = "x-other" },
		section + "path":          func(d *deployed) { d.LegalRepresentative.Path = "/v3/nowhere" },
		section + "fields.mother_name": func(d *deployed) {
			d.LegalRepresentative.Fields["mother_name"] = "mother"
		},
		section + "field_types.address.number": func(d *deployed) {
			d.LegalRepresentative.FieldTypes = map[string]string{"address.number": "string"}
		},
		"fixtures.shareholder_id": func(d *deployed) { d.Fixtures.ShareholderID = stranger },
		"export.path":             func(d *deployed) { d.Export.Path = "/v1/nowhere" },
		"export.csv.columns.id":   func(d *deployed) { d.Export.CSV.Columns.ID = "number" },
		"credentials.platform_token": func(d *deployed) {
			d.Credentials = deployment.Credentials{PlatformToken: d.Credentials.PlatformToken}
			d.Credentials.PlatformToken.Value = "nobody-issued-this"
		},
	} {
		for _, f := range examine(t, reference.Options{Seed: 5}, change).Findings {
			if (f.Name == key) != (f.State == doctor.StateBroken) {
				t.Errorf("%s is wrong, and %s is %s: %s", key, f.Name, f.State, f.Text)
			}
		}
	}
}

// Each problem is named with its advice, and the rules that need a broken key are not verified.
func TestWhatIsWrongIsNamedAndVerifiesNothing(t *testing.T) {
	catalogue := suites.Catalogue()
	rule := func(id string) rules.Rule {
		return catalogue[slices.IndexFunc(catalogue, func(r rules.Rule) bool { return r.ID == id })]
	}
	for name, c := range map[string]struct {
		change  func(*deployed)
		says    string
		blocked string // rules that the finding blocks
		open    string // a rule that it does not block
	}{
		"credentials.api_key": {
			func(d *deployed) { d.Credentials.APIKey.Value = "nobody-issued-this" },
			"refused with 401", "auth.api_key", "auth.missing",
		},
		"credentials.other_user": {
			func(d *deployed) { d.Credentials.OtherUser.Value = "nobody-issued-this" },
			"refused with 401", "export.isolation replay.none.other_user", "replay.none.same",
		},
		"credentials.expired_token": {
			func(d *deployed) { d.Credentials.ExpiredToken.Value = d.Credentials.PlatformToken.Value },
			"should be refused", "", "",
		},
		"fixtures.shareholder_id": {
			func(d *deployed) { d.Fixtures.ShareholderID = stranger },
			"400", "create.success.status create.echo.name", "export.success",
		},
		"fixtures.product_id": {
			func(d *deployed) { d.Fixtures.ProductID = stranger }, "refused: 400", "", "",
		},
		"fixtures.client_id": {
			func(d *deployed) { d.Fixtures.ClientID = "nobody" }, "has 0 of", "", "export.filter.client_id",
		},
		"fixtures.window": {
			func(d *deployed) { d.Fixtures.Window.End = d.Fixtures.Window.Start.Add(1) },
			"holds 1 quote", "", "",
		},
		"export.file": {func(d *deployed) {
			d.Export.File.State.Ready, d.Export.File.Timeout = []string{"NEVER"}, 200*time.Millisecond
		}, "not ready in time", "export.file.csv export.range.open", "export.success"},
		"export.csv.time_zone": {
			func(d *deployed) { d.Export.CSV.TimeZone = "" }, "no offset", "", "",
		},
		"limits.max_creates": {func(d *deployed) { d.Limits.MaxCreates = 20 }, "at most 20", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := reference.Options{Seed: 3}
			if name == "export.csv.time_zone" {
				o.Choices.CSV.Dates = reference.DatesWithoutZone
			}
			r := examine(t, o, c.change)
			if f := findFinding(t, r, name); f.State == doctor.StateOK || f.Advice == "" ||
				!strings.Contains(f.Text, c.says) {
				t.Errorf("%s: %s (do: %s)", f.State, f.Text, f.Advice)
			}
			for id := range strings.FieldsSeq(c.blocked) {
				if by := r.BlockingFinding(rule(id)); by == nil || by.Name != name || by.Advice == "" {
					t.Errorf("%s is blocked by %+v", id, by)
				}
			}
			if c.open != "" && r.BlockingFinding(rule(c.open)) != nil {
				t.Errorf("%s is blocked by %+v", c.open, r.BlockingFinding(rule(c.open)))
			}
		})
	}
}

func TestWhatIsBlocked(t *testing.T) {
	r := doctor.Report{Findings: []doctor.Finding{
		{Name: "a", State: doctor.StateBroken},
		{Name: "b", State: doctor.StateOK},
		{Name: "d", State: doctor.StateOK, BlockedKeys: []string{"e"}},
	}}
	for need, blocked := range map[string]bool{
		"a": true, "b": false, "c": false, "d": false, "e": true,
	} {
		if by := r.BlockingFinding(rules.Rule{Needs: []string{need}}); (by != nil) != blocked {
			t.Errorf("%s: %+v", need, by)
		}
	}
}
