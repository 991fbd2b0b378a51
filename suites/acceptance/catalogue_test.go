package acceptance

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/catalogue"
	"github.com/gateassay/gateassay/suites"
)

func TestCatalogueIsWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^(` + strings.Join(rules.SuiteNames(), "|") + `)(\.[a-z][a-z0-9_]*)+$`)
	plans := testmust.Get(suites.ForecastRun(suites.Options{}))(t)
	for _, p := range plans.Rules {
		if !form.MatchString(p.Rule.ID) {
			t.Errorf("%s: an ID reads operation.topic.detail", p.Rule.ID)
		}
		if p.Cases == 0 {
			t.Errorf("%s has no case", p.Rule.ID)
		}
		if p.Rule.Level != rules.Must && p.Rule.Level != rules.Should && p.Rule.Level != rules.Observe {
			t.Errorf("%s: level %q", p.Rule.ID, p.Rule.Level)
		}
		if p.Rule.Section == "" || len(p.Rule.Statement) < 10 ||
			!strings.HasSuffix(p.Rule.Statement, ".") {
			t.Errorf("%s: a rule has a section, and a statement that is a sentence: %q, %q", p.Rule.ID,
				p.Rule.Section, p.Rule.Statement)
		}
	}
}

// Rule IDs that programs and waivers use: they must not be renamed.
func TestPromisedIDs(t *testing.T) {
	const promised = `auth.missing auth.bearer auth.bearer.* auth.api_key auth.api_key.* auth.confidential
		create.body.* create.cpf.* create.dates.* create.default.* create.documents.* create.echo.* create.email.* create.flags.*
		create.header.* create.money.* create.participation.* create.permission create.person_type create.qualification.*
		create.repeat.* create.required.* create.response.* create.shareholder.* create.success.*
		export.body.* export.default.* export.file.* export.filter.* export.header.* export.isolation export.order.*
		export.range.empty export.range.end_exclusive export.range.follows_sort export.range.offset export.range.open
		export.range.partition export.range.precision export.range.start_inclusive export.response.file_state export.success
		replay.blocked_is_4xx replay.late replay.race.*`
	catalogue := suites.Catalogue()
	for pattern := range strings.FieldsSeq(promised) {
		if !slices.ContainsFunc(catalogue,
			func(r rules.Rule) bool { return rules.MatchesPattern(pattern, r.ID) }) {
			t.Errorf("no rule matches %s", pattern)
		}
	}
}

func TestPageIsFresh(t *testing.T) {
	written := testmust.Get(os.ReadFile("../../docs/rules.md"))(t)
	if catalogue.Markdown(suites.Catalogue()) != string(written) {
		t.Error("docs/rules.md is stale: run make generate")
	}
}

// Without a path in the deployment file, an operation has the path of the document.
func TestOperationsAreWhereTheDocumentPutsThem(t *testing.T) {
	dep, err := deployment.Parse("x", ".",
		[]byte("name: x\nbase_url: http://127.0.0.1\ncredentials: {api_key: k}\n"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"create": dep.LegalRepresentative.Path, "export": dep.Export.Path,
	} {
		if o := rules.FindOperation(name); o.Path != path || o.Method != "POST" {
			t.Errorf("%s: %s %s, and %s in a deployment file", name, o.Method, o.Path, path)
		}
	}
}
