package export_test

import (
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// A failure points into the block of its rule.
// block is where a rule is declared.
var block = regexp.MustCompile(`s\.\w+\("(export\.[a-z_.]+)"`)

func TestFailuresPointAtTheirRule(t *testing.T) {
	for fault, rule := range map[string]string{
		"export.body.sort_unknown_accepted":     "export.body.sort",
		"export.header.wallet_garbage_accepted": "export.header.wallet.malformed",
		"export.header.product_rejected":        "export.header.product.accepted",
		"export.success.asc_rejected":           "export.success",
		"export.response.file_id_missing":       "export.response.file_id",
		"export.file.unbalanced_quote":          "export.file.csv",
		"export.header.nonce_missing_accepted":  "export.header.nonce.absent",
		"export.response.created_at_long_ago":   "export.response.created_at.now",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			failed := 0
			for _, r := range judgeBehind(t, reference.Options{Faults: []string{fault}}, nil, nil, rule).Results() {
				if r.Verdict != record.Fail {
					continue
				}
				failed++
				file, line, _ := strings.Cut(r.Location, ":")
				text, err := os.ReadFile(path.Base(file))
				n, _ := strconv.Atoi(line)
				if lines := strings.Split(string(text), "\n"); err == nil && n <= len(lines) {
					text = []byte(strings.Join(lines[:n], "\n"))
				}
				blocks := block.FindAllStringSubmatch(string(text), -1)
				if len(blocks) == 0 || blocks[len(blocks)-1][1] != rule {
					t.Errorf("%s fails at %s, in another block", rule, r.Location)
				}
			}
			if failed == 0 {
				t.Errorf("%s did not fail", rule)
			}
		})
	}
}
