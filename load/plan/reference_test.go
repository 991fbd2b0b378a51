package plan

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
)

// outcome is what became of a run: how many requests of each class, and the rules that were violated.
type outcome struct {
	classes [judge.NumClasses]int
	rules   map[string]int
}

// play sends a plan to a reference gateway, one request after the other, on the plan's own clock.
func play(t *testing.T, p *Plan, options reference.Options) outcome {
	t.Helper()
	start := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	now := start
	options.Now = func() time.Time { return now }
	gateway := must.Get(reference.New(options))(t)
	d := must.Get(deployment.Parse("reference", "", gateway.DeploymentYAML("http://127.0.0.1:1"),
		func(string) (string, bool) { return "", false }))(t)
	s := must.Get(p.Schedule())(t)
	result := outcome{rules: map[string]int{}}
	j, r := judge.New(judge.Options{}), &traffic.Request{}
	for _, run := range []string{"one", "two"} { // the second of the same seed
		g := must.Get(p.WithRun(run).Generator(d, s))(t)
		ledger, cursor := g.NewLedger(1), s.Share(0, 1, nil).Cursor()
		for k, at, ok := cursor.Next(); ok; k, at, ok = cursor.Next() {
			now = start.Add(at)
			g.Fill(k, r)
			if r.Repeat && !ledger.Accepted(r.Of) {
				r.Expect = judge.Either
			}
			v := j.Answer(send(gateway, d, r))
			if v.Class == judge.Accepted && !r.Repeat {
				ledger.Accept(k)
			}
			result.classes[v.Class]++
			if v.Rule != "" {
				result.rules[v.Rule]++
			}
		}
		start = start.Add(s.Duration() + time.Hour)
	}
	return result
}

func send(gateway http.Handler, d *deployment.File, r *traffic.Request) (status int, body []byte, expect judge.Expect,
	mode int,
) {
	request := httptest.NewRequest(http.MethodPost, d.Export.Path, bytes.NewReader(r.Body))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer " + d.Credentials.Main().Value,
		"nonce": string(r.Nonce[:]), "x-transaction-uuid": string(r.Transaction[:]),
		"x-include-replay-protection-schema": r.Replay, "x-lang": r.Language, "x-wallet-uuid": r.Wallet,
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	recorder := httptest.NewRecorder()
	gateway.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.Bytes(), r.Expect, r.Mode
}

func TestTheReferenceGatewayIsJudgedRight(t *testing.T) {
	p := must.Get(FromFlags(
		Setting{"rate", []string{"150/s"}}, Setting{"duration", []string{"10s"}}, Setting{"repeats", []string{"5%"}},
		Setting{"bodies", []string{"range=1,sorted=1,filtered=1,full=1,empty=1"}},
	))(t)
	for _, choices := range []reference.Choices{{}, {
		RawReplayBody: true, ModesApart: true,
		ExportStatus: 202, BlockStatus: 422,
	}} {
		got := play(t, p, reference.Options{Choices: choices})
		if got.classes[judge.Accepted] < 2700 || got.classes[judge.Blocked] < 60 ||
			got.classes[judge.Accepted]+got.classes[judge.Blocked] != 3000 {
			t.Errorf("%+v: %+v", choices, got)
		}
	}
	for fault, want := range map[string]struct {
		class judge.Class
		rule  string
	}{
		"replay.forgets_after_a_second": {judge.MissedBlock, "replay.transaction.same"},
		"replay.none.first_blocked":     {judge.FalseBlock, "replay.none.first"},
		"replay.nonce.other_nonce":      {judge.FalseBlock, "replay.nonce.first"},
		"replay.block_answered_200":     {judge.Malformed, "replay.blocked_is_4xx"},
		"replay.block_answered_500":     {judge.ServerError, ""},
		"export.response.not_json":      {judge.Malformed, "export.response.json"},
	} {
		got := play(t, p, reference.Options{Faults: []string{fault}})
		if got.classes[want.class] == 0 || want.rule != "" && got.rules[want.rule] == 0 {
			t.Errorf("%s: expected %v of %s, got %+v", fault, want.class, want.rule, got)
		}
	}
}
