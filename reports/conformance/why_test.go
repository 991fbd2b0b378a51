package conformance

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites"
)

func TestEveryRuleSaysWhyItMatters(t *testing.T) {
	used := map[string]bool{}
	for _, r := range suites.Catalogue() {
		sentence := importanceOf(r.ID)
		if sentence == "" {
			t.Errorf("%s has no reason", r.ID)
		}
		used[sentence] = true
	}
	if a, b := importanceOf("export.file.private"), importanceOf("export.file.csv"); a == b {
		t.Errorf("a file that was given away matters as one that cannot be read: %s", a)
	}
	for topic, sentence := range importanceByRule() {
		if !used[sentence] {
			t.Errorf("%s is of no rule of the catalogue", topic)
		}
		if !strings.HasSuffix(sentence, ".") || len(sentence) > 160 {
			t.Errorf("%s: not one short sentence: %s", topic, sentence)
		}
	}
}
