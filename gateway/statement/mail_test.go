package statement

import (
	"testing"
	"time"
)

func TestDatesAsMailWritesThem(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Mon, 31 Mar 2025 15:56:56 -0000", "2025-03-31T15:56:56Z"},
		{"Mon, 31 Mar 2025 15:56:56 GMT", "2025-03-31T15:56:56Z"},
		{"31 Mar 2025 15:56:56 -0300", "2025-03-31T18:56:56Z"},
		{"Sat, 1 Mar 2025 15:56 +0100", "2025-03-01T14:56:00Z"},
		{"31 Mar 2025 15:56:56", "2025-03-31T15:56:56Z"},
		{"Sat, 01 Mar 2025 15:56:07 BRT", ""}, // whose abbreviation that is, nobody knows
		{"Sat, 30 Feb 2025 15:56:07 GMT", ""},
		{"2025-03-31T15:56:56Z", ""},
	} {
		date, ok := parseMail(c.text)
		if ok != (c.want != "") {
			t.Errorf("%s: read %v", c.text, ok)
			continue
		}
		if ok {
			if got := date.at(c.text, nil).Time.UTC().Format(time.RFC3339); got != c.want {
				t.Errorf("%s: expected %s, found %s", c.text, c.want, got)
			}
		}
	}
}
