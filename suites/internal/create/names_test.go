package create_test

import (
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
	const fields = "legal_representative:\n  fields:\n    "
	for name, c := range map[string]struct {
		old, wrong string
		ignored    string // a header that the deployment does not need
		topics     []string
		key        string
		unclear    []string
		fails      []string
	}{
		"document_number": {
			old: "legal_representative:\n", wrong: fields + "document_number: cpf_x\n",
			topics: []string{"cpf", "echo", "success", "response"},
			key:    "fields.document_number", unclear: []string{"create.cpf.letters"},
		},
		"on_behalf_of": {
			old: "    on_behalf_of: ", wrong: "    on_behalf_of: x-for # ",
			topics: []string{"header"}, key: "headers.on_behalf_of",
			unclear: []string{"create.header.on_behalf_of.runs_as", "create.header.on_behalf_of.unknown"},
		},
		// A header that nobody requires is a finding, whatever its name.
		"nonce": {
			old: "    nonce: ", wrong: "    nonce: x-once # ", ignored: "nonce",
			topics: []string{"header"}, key: "headers.nonce",
			unclear: []string{"create.header.nonce.malformed"},
			fails:   []string{"create.header.nonce.absent"},
		},
		"transaction_id": {
			old: "    transaction_id: ", wrong: "    transaction_id: x-object # ",
			ignored: "x-transaction-uuid", topics: []string{"header", "repeat"},
			key:     "headers.transaction_id",
			unclear: []string{"create.repeat.identical", "create.header.transaction_id.malformed"},
			fails:   []string{"create.header.transaction_id.absent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judge(t, suitetest.SuiteRunner{
				Options: reference.Options{Seed: 5}, WrapGateway: filling(uuid.NewString, strings.Fields(c.ignored)...),
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
