package export

import (
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestIsLike(t *testing.T) {
	for _, tt := range []struct {
		id, pattern string
		want        bool
	}{
		{"client-42", "client-42", true},
		{"client-42", "client", false},
		{"client-42", "client%", true},
		{"client-42", "%42%", true},
		{"client-42", "%4_", true},
		{"client-42", "client_42", true},
		{"client-42", "%", true},
		{"", "%", true},
		{"", "", true},
		{"", "_", false},
		{"client-42", "%43", false},
		{"José", "Jos_", true},
		{"José", "%s_%", true},
		{"José", "J%_é", true},
		{"Client-42", "client%", false},
	} {
		if got := isLike(tt.id, tt.pattern, "%_"); got != tt.want {
			t.Errorf("%q like %q: %v", tt.id, tt.pattern, got)
		}
	}
	for wildcards, want := range map[string]bool{"%_": true, "%": false, "_": false, "": false} {
		testmust.Equal(t, isLike("client-42", "client_4%", wildcards),
			want, "with the wildcards", wildcards)
	}
}
