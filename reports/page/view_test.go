package page

import (
	"slices"
	"testing"
)

func TestRulesThatACauseNamesAreFound(t *testing.T) {
	known := map[string]bool{"export.range.end_exclusive": true, "replay.late": true, "auth.bearer": true}
	got := mentioned("the deployment keeps rows dated on the end; see export.range.end_exclusive. Or (replay.late), "+
		"export.range.end_exclusive, auth.bearers", known)
	if want := []string{"export.range.end_exclusive", "replay.late"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAddressesLoseWhatIsTheSameThroughout(t *testing.T) {
	for in, want := range map[string]string{
		"https://gateway.example/v1/files/7?a=b": "/v1/files/7?a=b", "https://user@gateway.example/x": "/x",
		"https://gateway.example": "https://gateway.example", "::": "::", "": "",
	} {
		if got := near(in); got != want {
			t.Errorf("near(%q) = %q, want %q", in, got, want)
		}
	}
}
