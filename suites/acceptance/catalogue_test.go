package acceptance

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/catalogue"
	"github.com/gateassay/gateassay/suites"
)

func TestCatalogueIsWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^(` + strings.Join(rules.Suites(), "|") + `)(\.[a-z][a-z0-9_]*)+$`)
	seen := map[string]bool{}
	for _, r := range suites.Catalogue() {
		if !form.MatchString(r.ID) {
			t.Errorf("%s: an ID reads operation.topic.detail", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("%s is in the catalogue twice", r.ID)
		}
		seen[r.ID] = true
		if r.Level != rules.Must && r.Level != rules.Should && r.Level != rules.Observe {
			t.Errorf("%s: level %q", r.ID, r.Level)
		}
		if r.Section == "" || len(r.Statement) < 10 || !strings.HasSuffix(r.Statement, ".") {
			t.Errorf("%s: a rule has a section, and a statement that is a sentence: %q, %q", r.ID, r.Section,
				r.Statement)
		}
	}
}

// The rules that programs and waivers name: they must not be renamed.
func TestPromisedIDs(t *testing.T) {
	promised := []string{
		"create.success.*", "create.response.*", "create.echo.*", "create.person_type", "create.default.*",
		"create.required.*",
		"create.shareholder.*", "create.participation.*", "create.money.*", "create.cpf.*", "create.dates.*",
		"create.flags.*",
		"create.qualification.*", "create.email.*", "create.header.*", "create.repeat.*", "create.permission",
		"create.body.*",
		"create.documents.*", "export.success", "export.response.*", "export.header.*", "export.body.*",
		"export.file.*",
		"export.range.start_inclusive", "export.range.end_exclusive", "export.range.partition",
		"export.range.precision",
		"export.range.offset", "export.range.open", "export.range.empty", "export.range.follows_sort",
		"export.default.*",
		"export.order.*", "export.filter.*", "export.isolation", "replay.late", "replay.race.*",
		"replay.blocked_is_4xx",
		"auth.bearer", "auth.api_key", "auth.missing", "auth.bearer.*", "auth.api_key.*", "auth.confidential",
		"export.response.file_state",
	}
	catalogue := suites.Catalogue()
	for _, pattern := range promised {
		found := false
		for _, r := range catalogue {
			found = found || rules.Match(pattern, r.ID) && (strings.Contains(pattern, "*") || r.ID == pattern)
		}
		if !found {
			t.Errorf("no rule matches %s", pattern)
		}
	}
}

func TestPageIsFresh(t *testing.T) {
	written, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if catalogue.Markdown(suites.Catalogue()) != string(written) {
		t.Error("docs/rules.md is stale: run make generate")
	}
}

// Where a deployment file gives no path, an operation is at the one that the document gives it.
func TestOperationsAreWhereTheDocumentPutsThem(t *testing.T) {
	dep, err := deployment.Parse("x", ".", []byte("name: x\nbase_url: http://127.0.0.1\ncredentials: {api_key: k}\n"),
		os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"create": dep.LegalRepresentative.Path, "export": dep.Export.Path} {
		if o := rules.FindOperation(name); o.Path != path || o.Method != "POST" {
			t.Errorf("%s: %s %s, and %s in a deployment file", name, o.Method, o.Path, path)
		}
	}
}
