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

// connections is the number of connections of generators that take a limit.
const connections = 64

// A stage holds the binaries and runs the tools.
type stage struct {
	b    *testing.B
	bins map[string]string
}

// newStage builds our generator and the peers that the tools need. It returns the tools that
// could be built or are installed.
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
		// perhaps there is no network
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

// start starts a target, which is closed at the end of the benchmark at the latest.
func (s *stage) start(o sink.Options) *sink.Server {
	s.b.Helper()
	srv, err := sink.Start(o)
	if err != nil {
		s.b.Fatal(err)
	}
	return srv
}

// An outcome is the result of one run of one tool.
type outcome struct {
	peers.ToolOutcome
	requests int64 // requests that arrived
}

// run runs a tool against a target.
func (s *stage) run(t peers.Tool, j peers.Job, srv *sink.Server) outcome {
	s.b.Helper()
	before := srv.Requests()
	// requests of the previous tool may still arrive
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
	// The target accepts every request, so every repeat is a missed block.
	if sent := got.Run.Requests; t.IsOurs() && (sent.Sent != o.requests ||
		sent.Accepted+sent.MissedBlocks != sent.Sent) {
		s.b.Fatalf("%s: %d requests arrived, of %+v", t.Name, o.requests, sent)
	}
	return o
}

// alone runs a tool against a new target, which keeps a log.
func (s *stage) alone(t peers.Tool, j peers.Job, o sink.Options) (outcome, []sink.RequestTimes) {
	s.b.Helper()
	o.Log = true
	srv := s.start(o)
	got := s.run(t, j, srv)
	return got, srv.Close()
}

// figures holds the values of all rounds by tool and figure.
type figures map[string]map[string][]float64

func (f figures) add(tool, figure string, v float64) {
	if f[tool] == nil {
		f[tool] = map[string][]float64{}
	}
	f[tool][figure] = append(f[tool][figure], v)
}

// median returns the median over the rounds, or NaN if the figure was not measured.
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

// ratio returns the median over the rounds of a's figure divided by b's. A disturbance of a
// round affects both.
func (f figures) ratio(figure, a, b string) float64 {
	r := figures{}
	for i := range min(len(f[a][figure]), len(f[b][figure])) {
		r.add("", "", f[a][figure][i]/f[b][figure][i])
	}
	return r.median("", "")
}

// relate adds the ratio of each tool's figure to that of another tool.
func (f figures) relate(figure, to string) {
	for tool := range f {
		f[tool][figure+"/"+to] = []float64{f.ratio(figure, tool, to)}
	}
}

// A column shows one figure in a table.
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

// goal prints a goal and whether it is missed. It prints nothing if value is NaN, because a
// generator did not take part.
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

// rounds returns the number of rounds of a comparison and the length of a run.
func rounds(full int, length time.Duration) (int, time.Duration) {
	if testing.Short() {
		return 1, max(length/2, 2*time.Second)
	}
	return full, length
}

// millis converts a duration to milliseconds.
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
