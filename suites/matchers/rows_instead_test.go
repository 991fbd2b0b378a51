package matchers

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/statement"
)

// What an export holds as a whole is the headline, and stays among what was found.
func TestWhatIsThereInstead(t *testing.T) {
	rows := Rows{
		Export: "the export without a wallet", Should: "its rows", Held: 1, Missing: make([]statement.Quote, 1),
		Instead: "the rows of another wallet",
	}
	if got := HoldItsRows().Finding(rows).Sentence(); got != "Export without a wallet: the rows of another wallet" {
		t.Errorf("headline %q", got)
	}
	if found := rows.Found(); !strings.Contains(found, "1 missing: ") || !strings.HasSuffix(found, "another wallet") {
		t.Errorf("found %q", found)
	}
	if rows.Missing = nil; !rows.Right() {
		t.Error("what is right is right, whatever it is like")
	}
}
