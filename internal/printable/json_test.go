package printable

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestJSONHoldsNothingThatActsOnATerminal(t *testing.T) {
	want := map[string]string{"é\u202e\u009b31m": "\x1b]0;x\a\u2066 \x7f \U0001fffe ok 🙂 <b>"}
	data := testmust.Get(JSON(want))(t)
	if at := strings.IndexFunc(string(data),
		func(r rune) bool { return r != '\n' && isUnsafe(r) }); at >= 0 {
		t.Errorf("%q holds one at byte %d", data, at)
	}
	testmust.Contain(t, string(data), "é")
	testmust.Contain(t, string(data), "🙂")
	var got map[string]string
	if err := json.Unmarshal(data, &got); err != nil || len(got) != 1 {
		t.Fatalf("%q: %v", data, err)
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%q became %q", want, got)
		}
	}
	if data, err := JSON(func() {}); err == nil {
		t.Errorf("a function became %q", data)
	}
}
