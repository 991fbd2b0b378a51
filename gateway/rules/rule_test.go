package rules_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/rules"
)

func TestOperationAndTopic(t *testing.T) {
	for id, want := range map[string][2]string{
		"create.required.email": {"create", "required"}, "create.success": {"create", "success"}, "auth.a.b.c": {"auth", "a"}, "export": {"export", "export"},
	} {
		if r := (rules.Rule{ID: id}); r.Operation() != want[0] || r.Topic() != want[1] {
			t.Errorf("%s: %s, %s", id, r.Operation(), r.Topic())
		}
	}
}

// A pattern's parts follow each other, and none is used twice.
func TestMatchTakesThePartsInTheirOrder(t *testing.T) {
	for _, c := range []struct {
		pattern, id string
		want        bool
	}{
		{"a*b*c", "a-b-c", true},
		{"a*b*c", "abc", true},
		{"a*b*c", "a-c-b", false},
		{"a*b*b", "ab", false},
		{"a*bb*b", "abb", false},
		{"a*xy*y", "axyy", true},
		{"a*x*y*z", "a.yxz", false},
		{"ab*ba", "aba", false},
		{"*", "", true},
		{"**", "x", true},
		{"a*", "b", false},
		{"*a", "ab", false},
		{"", "x", false},
		{".*", "", true},
	} {
		if got := rules.Match(c.pattern, c.id); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.id, got)
		}
	}
}

func TestTableListsAndCounts(t *testing.T) {
	list := []rules.Rule{
		{ID: "a.one", Level: rules.Must, Statement: "One."},
		{ID: "a.three", Level: rules.Should, Statement: "Three."},
		{ID: "b", Level: rules.Observe, Statement: "B."},
		{ID: "c", Level: rules.Observe, Statement: "C."},
	}
	var out bytes.Buffer
	if err := rules.WriteTable(&out, list); err != nil {
		t.Fatal(err)
	}
	want := "a.one    must     One.\na.three  should   Three.\nb        observe  B.\nc        observe  C.\n\n4 rules: 1 must, 1 should, 2 observe\n"
	if out.String() != want {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
	if err := rules.WriteTable(broken{}, list); err == nil {
		t.Error("a write error is lost")
	}
}

func TestJSONHoldsEveryKey(t *testing.T) {
	var out bytes.Buffer
	list := []rules.Rule{{ID: "a", Level: rules.Must, Statement: "x < y & z"}, {ID: "b", Needs: []string{"k"}}}
	if err := rules.WriteJSON(&out, list); err != nil {
		t.Fatal(err)
	}
	var back []map[string]any
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || len(back) != 2 {
		t.Fatalf("%v: %s", err, out.String())
	}
	if needs, ok := back[0]["needs"].([]any); !ok || len(needs) != 0 {
		t.Errorf("no needs: %v", back[0]["needs"])
	}
	if needs, ok := back[1]["needs"].([]any); !ok || len(needs) != 1 || needs[0] != "k" {
		t.Errorf("needs: %v", back[1]["needs"])
	}
	if !strings.Contains(out.String(), "x < y & z") {
		t.Errorf("statements stay readable: %s", out.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }
