package export

import (
	"slices"
	"testing"
)

func TestPartsOfClientIDs(t *testing.T) {
	for id, want := range map[string][2][]string{
		"42":     {{"4"}, {"2"}},
		"7":      {nil, nil},
		"0042":   {{"004", "00", "0"}, {"2"}},
		"AB-1":   {{"AB-", "AB", "A"}, {"B-1", "-1", "1"}},
		"007331": {{"00733", "0073", "007", "00", "0"}, {"331", "31", "1"}},
		"ação":   {{"açã", "aç", "a"}, {"ção", "ão", "o"}},
		"{7d":    {{"{7"}, {"d"}},
		"--":     {nil, nil},
		"a b":    {{"a"}, {"b"}},
		"  420 ": {{"42", "4"}, {"20", "0"}},
	} {
		if got := prefixesOf(id); !slices.Equal(got, want[0]) {
			t.Errorf("%q begins with %q, want %q", id, got, want[0])
		}
		if got := suffixesOf(id); !slices.Equal(got, want[1]) {
			t.Errorf("%q ends with %q, want %q", id, got, want[1])
		}
	}
}
