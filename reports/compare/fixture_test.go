package compare

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// service is a simulated deployment with correlated response times of neighbouring seconds.
type service struct {
	median  float64 // ms
	wander  float64 // deviation of the logarithm of a second's median
	memory  float64 // correlation of neighbouring seconds, below 1
	spread  float64 // deviation of the logarithm within a second
	badness float64 // share of bad answers
	rate    int     // per second
}

// second is one second of a run: the times of its good and of its bad answers.
type second struct {
	stage     int
	good, bad *results.Distribution
}

func (s second) all() *results.Distribution {
	all := new(results.Distribution)
	all.Add(s.good)
	all.Add(s.bad)
	return all
}

func (s service) run(random *rand.Rand, seconds int) []second {
	var out []second
	level := random.NormFloat64() * s.wander
	for range seconds {
		level = s.memory*level + math.Sqrt(1-s.memory*s.memory)*s.wander*random.NormFloat64()
		sec := second{stage: 1, good: new(results.Distribution), bad: new(results.Distribution)}
		for range s.rate {
			ms := s.median * math.Exp(level+s.spread*random.NormFloat64())
			answers := sec.good
			if random.Float64() < s.badness {
				answers = sec.bad
			}
			answers.Record(time.Duration(ms * float64(time.Millisecond)))
		}
		out = append(out, sec)
	}
	return out
}

func series(run []second) []loadreport.IntervalPoint {
	var out []loadreport.IntervalPoint
	for i, sec := range run {
		times := sec.all()
		n := times.Count()
		p := loadreport.IntervalPoint{
			Stage: sec.stage, From: float64(i), To: float64(i + 1), Sent: n, Due: n,
		}
		p.Classes[judge.ClassAccepted], p.Classes[judge.ClassServerError] = sec.good.Count(),
			sec.bad.Count()
		p.Times = map[threshold.TimeKind]*results.Distribution{
			threshold.TimeService: times, threshold.TimeResponse: times,
		}
		out = append(out, p)
	}
	return out
}

// summary returns the record that a load run writes at its end.
func summary(run []second) results.Run {
	var whole results.Distribution
	var bad int64
	for _, sec := range run {
		bad += sec.bad.Count()
		whole.Add(sec.all())
	}
	at := func(p float64) float64 { return float64(whole.Quantile(p)) / 1e6 }
	times := results.DurationStats{
		P50: at(50), P90: at(90), P95: at(95), P99: at(99), P999: at(99.9), Max: at(100),
		Mean: float64(whole.Mean()) / 1e6,
	}
	start, sent := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), whole.Count()
	rate := results.Rate{Target: float64(sent) / float64(max(1, len(run)))}
	rate.Achieved = rate.Target
	return results.Run{
		Schema: results.Schema, Verdict: results.VerdictPass, Reason: "every threshold held",
		Run: results.RunInfo{
			ID: "run", Deployment: "staging", BaseURL: "https://gateway.staging.example", StartedAt: start,
			FinishedAt: start.Add(time.Duration(len(run)) * time.Second), Requests: sent, Shards: 1,
		},
		Plan: json.RawMessage(`{}`),
		Requests: results.RequestCounts{
			Scheduled: sent, Sent: sent, Accepted: sent - bad, ServerErrors: bad,
		},
		Rate: rate, Latency: results.ServiceAndResponse{Service: times, Response: times},
		Generator: results.GeneratorHealth{Reliable: true},
		Stages:    []results.StageResult{{Number: 1, Rate: rate}},
	}
}

// recordRun writes the folder of a load run as the recorder does.
func recordRun(t testing.TB, run []second, changes ...func(*results.Run)) string {
	t.Helper()
	dir := t.TempDir()
	var sent int64
	lines := `{"type":"run","header":{"schema":"` + results.Schema + `"}}` + "\n"
	for i, sec := range run {
		sent += sec.all().Count()
		var histograms []map[string]any
		for class, times := range map[judge.Class]*results.Distribution{
			judge.ClassAccepted: sec.good, judge.ClassServerError: sec.bad,
		} {
			for _, time := range []string{"service", "response"} {
				histograms = append(histograms,
					map[string]any{"stage": sec.stage, "class": class.String(), "time": time, "hdr": times})
			}
		}
		data := testmust.Get(json.Marshal(map[string]any{"type": "interval", "interval": map[string]any{
			"n": i + 1, "from_ns": i * 1e9, "to_ns": (i + 1) * 1e9, "stage": sec.stage, "due": sent,
			"sent": sent, "histograms": histograms,
		}}))(t)
		lines += string(data) + "\n"
	}
	r := summary(run)
	for _, change := range changes {
		change(&r)
	}
	put(t, dir, runfolder.IntervalsName, lines)
	return put(t, dir, runfolder.RunName, r)
}

// put writes a file of a run, as JSON unless it is a text, and returns its folder.
func put(t testing.TB, dir, name string, content any) string {
	t.Helper()
	testmust.WriteFile(t, filepath.Join(dir, name), content)
	return dir
}

func pageOf(t testing.TB, r Comparison) string {
	t.Helper()
	return string(testmust.Get(view.WritePage(Report(r)))(t))
}

func printed(t testing.TB, r Comparison, columns int) string {
	t.Helper()
	var text strings.Builder
	testmust.Succeed(t, view.WriteText(&text, Report(r), view.Style{Columns: columns}))
	return text.String()
}

func commented(r Comparison) string { return string(view.WriteMarkdown(Report(r))) }

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 77)) }

// compared opens and compares two paths.
func compared(t testing.TB, a, b string, tolerance float64) Comparison {
	t.Helper()
	return testmust.Get(attempt(a, b, tolerance))(t)
}

func attempt(a, b string, tolerance float64) (Comparison, error) {
	before, err := recorded.Open(a)
	if err != nil {
		return Comparison{}, err
	}
	after, err := recorded.Open(b)
	if err != nil {
		return Comparison{}, err
	}
	return CompareRuns(before, after, tolerance)
}
