package page

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites"
)

func TestEveryTopicOfTheCatalogueSaysWhyItMatters(t *testing.T) {
	used := map[string]bool{}
	for _, r := range suites.Catalogue() {
		sentence := why(r.ID)
		if sentence == "" {
			t.Errorf("%s has no reason", r.ID)
		}
		used[sentence] = true
	}
	for topic, sentence := range reasons {
		if !used[sentence] {
			t.Errorf("%s is no topic of the catalogue", topic)
		}
		if !strings.HasSuffix(sentence, ".") || len(sentence) > 160 {
			t.Errorf("%s: not one short sentence: %s", topic, sentence)
		}
	}
}
