package export

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// A judgement that starts anew, after the deployment was unavailable for a moment, counts no
// export twice.
func TestAJudgementThatStartsAnewCountsEachExportOnce(t *testing.T) {
	const refusals = 2
	var repeats atomic.Int64
	var first atomic.Pointer[string] // body of the first export, which is repeated to be sure
	var suite *Suite
	suitetest.SuiteRunner{
		Options: reference.Options{Seed: 7, Faults: []string{"export.range.end_inclusive"}}, Seed: 11,
		Suite: func(p *spec.Plan, t *target.Target, l *lab.Lab) suitetest.Suite {
			suite = New(p, t, l)
			return suite
		},
		KeepRule: func(r rules.Rule) bool { return r.ID == ruleEnd },
		WrapGateway: suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
			sent, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(sent))
			body := string(sent)
			isFirst := strings.Contains(body, `"desc"`) && first.CompareAndSwap(nil, &body)
			known := first.Load()
			refused := !isFirst && known != nil && body == *known && repeats.Add(1) <= refusals
			if refused {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return refused
		}),
	}.Run(t)
	j := testmust.Get(suite.judgement.Get(t.Context()))(t)
	if repeats.Load() <= refusals {
		t.Fatalf("the first export was repeated %d times: nothing started anew", repeats.Load())
	}
	times := map[int]int{}
	for _, e := range j.Exports {
		if times[e.Seq]++; times[e.Seq] > 1 {
			t.Errorf("%s is counted %d times", j.completed[e].query.label, times[e.Seq])
		}
	}
}

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
