package suggest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/suggest"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestNear(t *testing.T) {
	keys := []string{"base_url", "credentials", "expired_token", "platform_token", "limits"}
	for word, want := range map[string]string{
		"bass_url": "base_url", "Base-URL": "base_url", "credentails": "credentials",
		"expired": "expired_token",
		"limit":   "limits",
		"zebra":   "", "": "", "x": "",
	} {
		testmust.Equal(t, suggest.NearestWord(word, keys), want, word)
	}
	testmust.Equal(t, suggest.NearestWord(strings.Repeat("base_url", 50), keys),
		"", "a text that is not a name")
}

func TestTheClosestComesFirstAndThreeAreEnough(t *testing.T) {
	got := suggest.NearestWords("p99", []string{"p95", "p90", "p99.9", "p99", "p50", "max"})
	if len(got) != 3 || got[0] != "p99" || slices.Contains(got, "max") {
		t.Errorf("got %v", got)
	}
}

func TestWhatBeginsWithTheWordComesFirst(t *testing.T) {
	got := suggest.NearestWords("export.range.end",
		[]string{"export.range.turned", "export.range.end_inclusive", "export.range.and"})
	if want := []string{
		"export.range.end_inclusive", "export.range.and", "export.range.turned",
	}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
