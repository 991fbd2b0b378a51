package create_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// A deployment that ignores unknown names is not blamed for a wrong name in the deployment file.
// The reason names the key.
func TestAWrongNameInTheFileAccusesNobody(t *testing.T) {
	// a deployment that does not need these
	filling := func(headers ...string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for _, name := range headers {
					if r.Header.Get(name) == "" {
						r.Header.Set(name, uuid.NewString())
					}
				}
				next.ServeHTTP(w, r)
			})
		}
	}
	const fields = "legal_representative:\n  fields:\n    "
	for name, c := range map[string]struct {
		old, wrong string
		wrap       func(http.Handler) http.Handler
		topics     []string
		key        string
		unclear    []string
		fails      []string
	}{
		"document_number": {
			"legal_representative:\n", fields + "document_number: cpf_x\n", filling(),
			[]string{"cpf", "echo", "success", "response"},
			"fields.document_number",
			[]string{"create.cpf.letters"},
			nil,
		},
		"on_behalf_of": {
			"    on_behalf_of: ", "    on_behalf_of: x-for # ", filling(),
			[]string{"header"},
			"headers.on_behalf_of",
			[]string{"create.header.on_behalf_of.runs_as", "create.header.on_behalf_of.unknown"},
			nil,
		},
		// A header that nobody requires is a finding, whatever its name.
		"nonce": {
			"    nonce: ", "    nonce: x-once # ", filling("nonce"),
			[]string{"header"},
			"headers.nonce",
			[]string{"create.header.nonce.malformed"},
			[]string{"create.header.nonce.absent"},
		},
		"transaction_id": {
			"    transaction_id: ", "    transaction_id: x-object # ",
			filling("x-transaction-uuid"),
			[]string{"header", "repeat"},
			"headers.transaction_id",
			[]string{"create.repeat.identical", "create.header.transaction_id.malformed"},
			[]string{"create.header.transaction_id.absent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judge(t, suitetest.SuiteRunner{
				Options: reference.Options{Seed: 5}, WrapGateway: c.wrap,
				KeepRule: func(r rules.Rule) bool { return slices.Contains(c.topics, r.Topic()) },
				EditYAML: func(yaml string) string { return strings.Replace(yaml, c.old, c.wrong, 1) },
			})
			failsOnly(t, o, c.fails...)
			for _, rule := range c.unclear {
				named := func(r record.CheckResult) bool {
					return r.Rule == rule && r.Verdict == record.VerdictInconclusive &&
						strings.Contains(r.Message, "check legal_representative."+c.key+":")
				}
				if !slices.ContainsFunc(o.Checks, named) {
					t.Errorf("%s does not name %s:%s", rule, c.key,
						o.Explain(record.VerdictInconclusive, record.VerdictNotVerified))
				}
			}
		})
	}
}

// A deployment that is described by its right names is blamed for each violation.
func TestNamesOfTheFileThatAreReadAreJudged(t *testing.T) {
	named := testmust.Get(reference.FindVariant("other-names"))(t)
	for rule, fault := range map[string]string{
		"create.cpf.letters":     "create.cpf.letters_accepted",
		"create.echo.birth_date": "create.echo.birth_date_moved",
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			failsOnly(t, judge(t, suitetest.SuiteRunner{
				Options:  reference.Options{Seed: 3, Faults: []string{fault}, Choices: named.Choices},
				KeepRule: only(rule),
			}), rule)
		})
	}
}
