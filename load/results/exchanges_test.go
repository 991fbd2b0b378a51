package results_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/traffic"
)

func engineResult(k int64, class judge.Class) *engine.RequestResult {
	x := &engine.RequestResult{
		K: k, Judgement: judge.Judgement{Class: class}, Service: time.Millisecond,
		Response: 2 * time.Millisecond,
		Intended: time.Duration(k) * time.Millisecond,
		Request: &traffic.Request{
			K: k, Of: 3, Repeat: class == judge.ClassMissedBlock, Replay: "nonce", Nonce: "n",
			Transaction: "t", Body: []byte(`{"sort":"settled_date"}`),
		},
		Status: 400, Body: []byte(`{"message":"your key hunter2-hunter2 is bad"}`),
	}
	if class == judge.ClassFalseBlock || class == judge.ClassMissedBlock {
		x.Judgement.Rule = "replay.nonce.first"
	}
	return x
}

func TestTheFirstBadExchangesAreKeptWithoutSecrets(t *testing.T) {
	dir := t.TempDir()
	dep := &deployment.File{
		BaseURL: "https://gateway.example",
		Credentials: deployment.Credentials{APIKey: &deployment.Credential{
			Name: "api_key", Method: deployment.AuthAPIKey, Value: "hunter2-hunter2",
		}},
	}
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	defer c.Close()
	rec := open(t, results.Config{
		Dir: dir, Redactor: c.Redactor(), Users: []string{"api_key", "other_user"},
		URL: "https://gateway.example/v1?token=hunter2-hunter2", FailOnMisblock: true,
	})
	rec.Start(time.Now(), nil)
	for k := range int64(50) {
		rec.Record(engineResult(k, judge.ClassFalseBlock))
		rec.Record(engineResult(k, judge.ClassAccepted))
		if k < 5 {
			rec.Record(engineResult(k, judge.ClassMissedBlock))
		}
	}
	run := finish(t, rec, results.RunEnd{Elapsed: time.Second})
	if run.Verdict != results.VerdictFail || results.ExitCode(run) != 1 ||
		!strings.Contains(run.Reason, "unblocked repeats: 5 repeats accepted; false blocks: 50 fresh") ||
		len(run.Violations) != 1 || run.Violations[0].Count != 55 {
		t.Errorf("%s: %s, %v", run.Verdict, run.Reason, run.Violations)
	}
	classes := map[string]int{}
	for l := range bytes.Lines(read(t, dir, results.ExchangesName)) {
		var x results.Exchange
		testmust.Succeed(t, json.Unmarshal(l, &x))
		classes[x.Class]++
		if x.Status != 400 || !strings.Contains(x.ResponseBody, "[redacted]") ||
			len(x.RequestHeader) < 3 || x.Rule == "" || x.Identity != "api_key" {
			t.Errorf("kept %+v", x)
		}
		if x.Class == "missed_block" && (x.RepeatOf == nil || *x.RepeatOf != 3) {
			t.Errorf("a repeat of %v", x.RepeatOf)
		}
	}
	if classes["false_block"] != 20 || classes["missed_block"] != 5 || len(classes) != 2 {
		t.Errorf("kept %v", classes)
	}
	for _, name := range []string{results.ExchangesName, runfolder.IntervalsName, runfolder.RunName} {
		if bytes.Contains(read(t, dir, name), []byte("hunter2")) {
			t.Errorf("%s holds the key", name)
		}
	}
}

func TestAddingAResultAllocatesNothing(t *testing.T) {
	rec := open(t, results.Config{})
	x := engineResult(5, judge.ClassAccepted)
	rec.Record(x)
	testmust.Equal(t, testing.AllocsPerRun(200, func() { rec.Record(x) }), 0, "allocations")
	rec.Start(time.Now(), nil)
	finish(t, rec, results.RunEnd{})
}
