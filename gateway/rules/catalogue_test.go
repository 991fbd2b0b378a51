package rules_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
)

func TestCatalogueIsWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^(create|export|replay|auth)(\.[a-z][a-z0-9_]*)+$`)
	seen := map[string]bool{}
	for _, r := range rules.All() {
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
			t.Errorf("%s: a rule has a section, and a statement that is a sentence: %q, %q", r.ID, r.Section, r.Statement)
		}
	}
}

// The rules that programs and waivers name: they must not be renamed.
func TestPromisedIDs(t *testing.T) {
	promised := []string{
		"create.success.*", "create.response.*", "create.echo.*", "create.person_type", "create.default.*", "create.required.*",
		"create.shareholder.*", "create.participation.*", "create.money.*", "create.cpf.*", "create.dates.*", "create.flags.*",
		"create.qualification.*", "create.email.*", "create.header.*", "create.repeat.*", "create.permission", "create.body.*",
		"create.documents.*", "export.success", "export.response.*", "export.header.*", "export.body.*", "export.file.*",
		"export.range.start_inclusive", "export.range.end_exclusive", "export.range.partition", "export.range.precision",
		"export.range.offset", "export.range.open", "export.range.empty", "export.range.follows_sort", "export.default.*",
		"export.order.*", "export.filter.*", "export.isolation", "replay.late", "replay.race.*", "replay.blocked_is_4xx",
		"auth.bearer", "auth.api_key", "auth.missing", "auth.bearer.*", "auth.api_key.*", "auth.confidential",
		"export.response.file_state",
	}
	for _, pattern := range promised {
		found := false
		for _, r := range rules.All() {
			found = found || rules.Match(pattern, r.ID) && (strings.Contains(pattern, "*") || r.ID == pattern)
		}
		if !found {
			t.Errorf("no rule matches %s", pattern)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, id string
		want        bool
	}{
		{"create.required.*", "create.required.email", true},
		{"create.required.*", "create.required.email.null", true},
		{"auth.bearer.*", "auth.bearer", true},
		{"auth.bearer.*", "auth.bearerx", false},
		{"auth.bearer", "auth.bearer.empty", false},
		{"*", "replay.late", true},
		{"replay.*.same", "replay.nonce.same", true},
		{"replay.*.same", "replay.nonce.other_nonce", false},
		{"*.late", "replay.late", true},
		{"create.*.null", "create.null", false},
	} {
		if got := rules.Match(c.pattern, c.id); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.id, got)
		}
	}
}

// A pattern made from an ID by replacing a part with a star still matches the ID.
func TestMatchProperty(t *testing.T) {
	all := rules.All()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom(all).Draw(t, "rule").ID
		from := rapid.IntRange(0, len(id)).Draw(t, "from")
		to := rapid.IntRange(from, len(id)).Draw(t, "to")
		if pattern := id[:from] + "*" + id[to:]; !rules.Match(pattern, id) {
			t.Fatalf("%q does not match %q", pattern, id)
		}
	})
}

func TestNear(t *testing.T) {
	if near := rules.Near("replay.nonce.sane"); len(near) == 0 || near[0] != "replay.nonce.same" {
		t.Errorf("near replay.nonce.sane: %v", near)
	}
	if near := rules.Near("completely.different.thing"); len(near) != 0 {
		t.Errorf("near nothing: %v", near)
	}
}

// The truth table of replay protection, spelled out: b blocks, p passes, in the order of the cells.
func TestReplayTable(t *testing.T) {
	want := map[string]string{ //  same nonce tx both body query user
		"none": "bbbbppp", "nonce": "bpbpppp", "transaction": "bbppppp", "transaction_nonce": "bpppppp", "nonce_transaction": "bpppppp",
	}
	for _, m := range rules.Modes() {
		got := ""
		for _, c := range rules.Cells() {
			got += map[bool]string{true: "b", false: "p"}[m.Blocks(c)]
		}
		if got != want[m.Name] {
			t.Errorf("%s: %s, want %s", m.Name, got, want[m.Name])
		}
	}
}

func TestPageIsFresh(t *testing.T) {
	var page bytes.Buffer
	if err := rules.WriteMarkdown(&page, rules.All()); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page.Bytes(), written) {
		t.Error("docs/rules.md is stale: run make generate")
	}
}
