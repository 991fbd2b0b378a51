package bench

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
)

var tenMillion = flag.Bool("ten-million", false,
	"measure the memory after ten million requests too, which "+
		"takes minutes")

var only = flag.String("peers", ".", "regular expression of the generators that take part; what "+
	"is compared with one "+
	"that does not is left out")

// connections of every generator that is bound to some.
const connections = 64

// stage holds the binaries, and runs tools.
type stage struct {
	b    *testing.B
	bins map[string]string
}

// newStage builds our generator and the peers that the tools need. What is neither built nor
// installed is left out.
func newStage(b *testing.B, tools []peers.Tool) (*stage, []peers.Tool) {
	b.Helper()
	s := &stage{b: b, bins: map[string]string{}}
	takesPart, err := regexp.Compile(*only)
	if err != nil {
		b.Fatalf("-peers: %v", err)
	}
	tools = slices.DeleteFunc(tools, func(t peers.Tool) bool { return !takesPart.MatchString(t.Name) })
	for _, t := range tools {
		if _, known := s.bins[t.Build]; known || t.Build == "" {
			continue
		}
		s.bins[t.Build] = filepath.Join(b.TempDir(), t.Build)
		// no network, it may be
		if err := peers.BuildTool(b.Context(), t.Build, s.bins[t.Build]); err != nil {
			fmt.Fprintf(os.Stdout, "%s is left out: %v\n", t.Build, err)
			s.bins[t.Build] = ""
		}
	}
	return s, slices.DeleteFunc(tools, func(t peers.Tool) bool { return s.bin(t) == "" })
}

func (s *stage) bin(t peers.Tool) string {
	if t.Build == "" {
		path, _ := exec.LookPath(strings.ToLower(strings.Split(t.Name, ",")[0]))
		return path
	}
	return s.bins[t.Build]
}

// start starts a target that ends with the benchmark at the latest.
func (s *stage) start(o sink.Options) *sink.Server {
	s.b.Helper()
	srv, err := sink.Start(o)
	if err != nil {
		s.b.Fatal(err)
	}
	return srv
}

// outcome is one run of one tool.
type outcome struct {
	peers.ToolOutcome
	requests int64 // that arrived
}

// run runs a tool against a target.
func (s *stage) run(t peers.Tool, j peers.Job, srv *sink.Server) outcome {
	s.b.Helper()
	before := srv.Requests()
	// the last tool's may still arrive
	for seen := int64(-1); seen != before; before = srv.Requests() {
		seen = before
		time.Sleep(20 * time.Millisecond)
	}
	j.URL = srv.URL
	got, err := peers.RunTool(s.b.Context(), s.bin(t), s.b.TempDir(), t, j)
	if err != nil {
		s.b.Fatal(err)
	}
	o := outcome{got, srv.Requests() - before}
	// Where the target accepts every request, a repeat is a missed one.
	if sent := got.Run.Requests; t.IsOurs() && (sent.Sent != o.requests ||
		sent.Accepted+sent.MissedBlocks != sent.Sent) {
		s.b.Fatalf("%s: %d requests arrived, of %+v", t.Name, o.requests, sent)
	}
	return o
}

// alone runs a tool against a target of its own, which keeps a log.
func (s *stage) alone(t peers.Tool, j peers.Job, o sink.Options) (outcome, []sink.RequestTimes) {
	s.b.Helper()
	o.Log = true
	srv := s.start(o)
	got := s.run(t, j, srv)
	return got, srv.Close()
}

// figures collects the values of the rounds, by tool and by what they measure.
type figures map[string]map[string][]float64

func (f figures) add(tool, figure string, v float64) {
	if f[tool] == nil {
		f[tool] = map[string][]float64{}
	}
	f[tool][figure] = append(f[tool][figure], v)
}

// median over the rounds; NaN: not measured.
func (f figures) median(tool, figure string) float64 {
	v := slices.Sorted(slices.Values(f[tool][figure]))
	switch n := len(v); {
	case n == 0:
		return math.NaN()
	case n%2 == 0:
		return (v[n/2-1] + v[n/2]) / 2
	default:
		return v[n/2]
	}
}

// ratio is the median over the rounds of a's figure by that of b: what disturbs a round disturbs
// both.
func (f figures) ratio(figure, a, b string) float64 {
	r := figures{}
	for i := range min(len(f[a][figure]), len(f[b][figure])) {
		r.add("", "", f[a][figure][i]/f[b][figure][i])
	}
	return r.median("", "")
}

// relate adds each tool's figure by that of another, round by round.
func (f figures) relate(figure, to string) {
	for tool := range f {
		f[tool][figure+"/"+to] = []float64{f.ratio(figure, tool, to)}
	}
}

// column is one figure of a table.
type column struct{ figure, title, format string }

// print writes a table in Markdown.
func (f figures) print(title string, tools []peers.Tool, columns []column) {
	var w strings.Builder
	fmt.Fprintf(&w, "\n%s\n\n| generator |", title)
	for _, c := range columns {
		fmt.Fprintf(&w, " %s |", c.title)
	}
	fmt.Fprintf(&w, "\n|---|%s\n", strings.Repeat("---|", len(columns)))
	for _, t := range tools {
		if f[t.Name] == nil {
			continue
		}
		fmt.Fprintf(&w, "| %s |", t.Name)
		for _, c := range columns {
			if v := f.median(t.Name, c.figure); math.IsNaN(v) {
				fmt.Fprint(&w, " – |")
			} else {
				fmt.Fprintf(&w, " "+c.format+" |", v)
			}
		}
		fmt.Fprintln(&w)
	}
	fmt.Fprintln(os.Stdout, w.String())
}

// goal prints what was aimed at, and says so where it is missed. Where a generator did not take
// part there is no value.
func goal(words string, value float64, holds bool) {
	if math.IsNaN(value) {
		return
	}
	mark := "holds "
	if !holds {
		mark = "MISSED"
	}
	fmt.Fprintf(os.Stdout, "  %s  %s: %.2f\n", mark, words, value)
}

// rounds of each comparison, and how long one run in it takes.
func rounds(full int, length time.Duration) (int, time.Duration) {
	if testing.Short() {
		return 1, max(length/2, 2*time.Second)
	}
	return full, length
}

// millis is a duration as a figure.
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
