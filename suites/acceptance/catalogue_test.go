package acceptance

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/catalogue"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/internal/ruleset"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
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

// declare declares the rules for a deployment and samples the cases by depth and seed.
func declare(dep *deployment.File, depth string, seed int64) *spec.Plan {
	t := target.New(dep, nil, seed)
	t.Depth = depth
	p, _ := ruleset.Declare(t, spec.Options{}, nil)
	return p
}

// Case names are the same in every run, so that test histories continue: every case of any depth,
// seed and deployment is also a case of a thorough run of the embedded gateway.
func TestCasesHaveTheSameNamesInEveryRun(t *testing.T) {
	gateway := testmust.Get(reference.New(reference.Options{Seed: 1}))(t)
	parse := func(yaml string) *deployment.File {
		return testmust.Get(deployment.Parse("x.yaml", ".", []byte(yaml), os.LookupEnv))(t)
	}
	full := parse(string(gateway.DeploymentYAML("http://127.0.0.1")))
	all := map[string]bool{}
	for _, k := range declare(full, deployment.DepthThorough, 0).Cases() {
		all[k.String()] = true
	}
	seventh := testmust.Get(reference.New(reference.Options{Seed: 7}))(t)
	other := parse(string(seventh.DeploymentYAML("https://other.example")))
	const embedded = "the embedded gateway"
	for name, dep := range map[string]*deployment.File{
		embedded: full, "another seed's": other,
		"the least": parse("name: x\nbase_url: http://x.example\ncredentials: {platform_token: abc}\n"),
		"only a key": parse("name: x\nbase_url: http://x.example\ncredentials: {api_key: " +
			"abc}\nfixtures: {client_id: CL-1}\n"),
		"other names": parse("name: x\nbase_url: http://x.example\ncredentials: {platform_token: " +
			"abc}\n" + otherNames),
	} {
		for _, depth := range deployment.Depths() {
			if name != embedded && depth != deployment.DepthThorough {
				continue // the depth selects cases, whatever the deployment
			}
			for seed := range int64(3) {
				cases := declare(dep, depth, seed).Cases()
				for _, k := range cases {
					if !all[k.String()] {
						t.Errorf("%s, depth %s, seed %d: %s is in no thorough run", name, depth, seed, k)
					}
				}
				if name == embedded && depth == deployment.DepthThorough && len(cases) != len(all) {
					t.Errorf("seed %d: %d of %d cases at depth thorough", seed, len(cases), len(all))
				}
			}
		}
	}
}

const otherNames = `legal_representative:
  headers: {transaction_id: X-Tx, nonce: X-Nonce, language: Accept-Language, on_behalf_of: X-For}
  fields: {document_number: cpf, qualification: qualification, pep: flags.pep}
  field_types: {income: string, address.number: string}
`

// Three standard runs with consecutive seeds try every sampled case. Quick runs try one case of
// each must and security rule, and more only if they cost nothing.
func TestWhatTheDepthsTry(t *testing.T) {
	dep := &deployment.File{}
	thorough, tried := declare(dep, deployment.DepthThorough, 1), map[string]bool{}
	for seed := int64(40); seed < 43; seed++ {
		for _, k := range declare(dep, deployment.DepthStandard, seed).Cases() {
			tried[k.String()] = true
		}
	}
	left := 0
	for _, k := range thorough.Cases() {
		if !tried[k.String()] {
			left++
			if k.Rule.Level != "must" && k.Rule.Level != "should" {
				t.Errorf("%s is only observed, and no standard run observes it", k)
			}
		}
	}
	if left == 0 || left > len(thorough.Cases())/2 {
		t.Errorf("%d of %d cases are for thorough runs alone", left, len(thorough.Cases()))
	}
	for _, r := range declare(dep, deployment.DepthQuick, 1).SelectedRules() {
		if r.Level != "must" && !r.Security {
			t.Errorf("a quick run tries %s", r.ID)
		}
	}
	for _, r := range thorough.Rules() {
		n := len(r.SampledCases(deployment.DepthQuick, 1))
		if binding := string(r.Level) == "must" || r.Security; binding != (n > 0) ||
			n > 1 && !strings.HasPrefix(r.ID, "export.") && r.ID != "auth.missing" { // two operations
			t.Errorf("a quick run tries %d cases of %s", n, r.ID)
		}
	}
}
