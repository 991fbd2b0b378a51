package proof_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/proof"
	"github.com/gateassay/gateassay/suites/record"
)

func TestWhatIsFrozenIsReadAndCompared(t *testing.T) {
	found := proof.Finding{
		Subject: proof.Subject{Fault: reference.Fault{Name: "a.b_accepted", Rule: "a.b"}}, Failed: []string{"a.b", "a.c"},
		Violated: []string{"a.b"}, Headlines: []string{"B accepted", "C accepted"},
	}
	was := proof.Freeze(found)
	all, err := proof.ReadFrozen(was.String() + "\n")
	if err != nil || all["a.b_accepted"].String() != was.String() {
		t.Fatalf("%v, %v", all, err)
	}
	for _, c := range []struct {
		change func(f *proof.Finding)
		want   string
		worse  bool
	}{
		{func(*proof.Finding) {}, "", false},
		{func(f *proof.Finding) { f.Headlines = f.Headlines[:1] }, "1 headlines, was 2", false},
		{func(f *proof.Finding) { f.Headlines = []string{"B accepted", "C", "D"} }, "3 headlines, was 2", true},
		{func(f *proof.Finding) { f.Headlines = []string{"X", "Y"} }, `"X", was "B accepted"`, false},
		{func(f *proof.Finding) { f.Failed = f.Failed[:1] }, "-a.c", true},
		{func(f *proof.Finding) { f.Failed = []string{"a.b", "a.c", "a.d"} }, "+a.d", false},
		{func(f *proof.Finding) { f.Violated = nil }, "conformant, was violations", true},
	} {
		is := found
		c.change(&is)
		if change, worse := proof.Freeze(is).Against(was); change != c.want || worse != c.worse {
			t.Errorf("%q, %v, want %q, %v", change, worse, c.want, c.worse)
		}
	}
	if _, err := proof.ReadFrozen("a\tb\n"); err == nil {
		t.Error("a line without rules is read")
	}
}

// One row for each set of rules that fail alike; what faults of one set do is said only where it is the same.
func TestTheDictionaryHasEachSetOnce(t *testing.T) {
	finding := func(name, does, partner string, end record.Became, rules ...string) proof.Finding {
		f := proof.Finding{
			Subject: proof.Subject{Fault: reference.Fault{Name: name, Rule: rules[0], Statement: does, Partner: partner}},
			Ends:    map[string][]record.Became{},
		}
		for _, r := range rules {
			f.Ends[r] = []record.Became{end}
		}
		return f
	}
	text := proof.Dictionary([]proof.Finding{
		finding("under", "takes a with b", "with_b", record.Accepted, "r", "s"),
		finding("one", "takes a", "", record.Accepted, "r", "s"), finding("alone", "takes c", "", record.Accepted, "t"),
		finding("two", "takes d", "", record.ServerError, "r", "s"), finding("three", "takes e", "", record.ServerError, "r", "s"),
	})
	if strings.Count(text, "\n") != 4 || !strings.Contains(text, `"fault":"one","does":"takes a","lead":"r"`) ||
		!strings.Contains(text, `"fault":"two","lead":"r"`) {
		t.Error(text)
	}
}
