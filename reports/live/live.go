// Package live shows a load run while it goes: a few lines that are redrawn in place on a terminal, a plain line every
// few seconds elsewhere.
package live

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
)

const (
	redraw   = 250 * time.Millisecond // on a terminal
	interval = 5 * time.Second        // between lines elsewhere
)

// Option changes how a run is shown.
type Option func(*View)

// Quiet shows nothing at all.
func Quiet() Option { return func(v *View) { v.quiet = true } }

// Coloured turns colours on.
func Coloured(on bool) Option { return func(v *View) { v.colour = on } }

// Ticking replaces the clock: ticks returns a channel that asks for a redraw about every d and a function that ends it.
func Ticking(ticks func(d time.Duration) (<-chan time.Time, func())) Option {
	return func(v *View) { v.ticks = ticks }
}

// View shows one run. Its methods may be called from several goroutines; those after Stop do nothing.
type View struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	width    func() int
	quiet    bool
	colour   bool
	ticks    func(time.Duration) (<-chan time.Time, func())

	title   string
	status  results.Status
	begun   bool // a status was seen
	shown   int  // lines on screen
	running bool
	stop    chan struct{}
	stopped chan struct{}
}

// New shows runs on w. isTerminal reports whether lines can be redrawn there (see console.Interactive); width gives the
// terminal's columns, asked at each redraw; it may be nil off a terminal.
func New(w io.Writer, isTerminal bool, width func() int, options ...Option) *View {
	v := &View{w: w, terminal: isTerminal, width: width, ticks: func(d time.Duration) (<-chan time.Time, func()) {
		t := time.NewTicker(d)
		return t.C, t.Stop
	}}
	for _, o := range options {
		o(v)
	}
	return v
}

// Start begins to show a run under a title, such as the name of the deployment.
func (v *View) Start(title string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.quiet || v.running {
		return
	}
	v.title, v.running, v.begun, v.status = printable.Clean(title), true, false, results.Status{}
	v.stop, v.stopped = make(chan struct{}), make(chan struct{})
	every := interval
	if v.terminal {
		every = redraw
	}
	tick, end := v.ticks(every)
	go func(stop <-chan struct{}, stopped chan<- struct{}) {
		defer close(stopped)
		defer end()
		for {
			select {
			case <-stop:
				return
			case <-tick:
				v.mu.Lock()
				v.draw()
				v.mu.Unlock()
			}
		}
	}(v.stop, v.stopped)
}

// Update says where the run stands. It writes nothing itself: the next redraw shows it.
func (v *View) Update(s results.Status) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.status, v.begun = s, true
}

// Note prints a line that stays, such as why a run ends early.
func (v *View) Note(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.quiet || !v.running {
		return
	}
	v.erase()
	fmt.Fprintln(v.w, printable.Fit(printable.Clean(text), v.columns()))
	if v.terminal {
		v.draw()
	}
}

// Stop ends the display; on a terminal its lines go away, elsewhere a last line says where the run stands.
func (v *View) Stop() {
	v.mu.Lock()
	if !v.running {
		v.mu.Unlock()
		return
	}
	if v.terminal {
		v.erase()
	} else {
		v.draw()
	}
	v.running = false
	close(v.stop)
	v.mu.Unlock()
	<-v.stopped
}

// columns that a line may take: one less than there are, as some terminals wrap on the last.
func (v *View) columns() int {
	columns := 80
	if !v.terminal {
		columns = 200
	} else if v.width != nil {
		if n := v.width(); n > 0 {
			columns = n
		}
	}
	return max(1, columns-1)
}

// erase takes the lines off the screen and leaves the cursor where they began.
func (v *View) erase() {
	if v.terminal && v.shown > 0 {
		fmt.Fprintf(v.w, "\r\x1b[%dA\x1b[J", v.shown)
		v.shown = 0
	}
}

func (v *View) draw() {
	if !v.running || !v.begun {
		return
	}
	if !v.terminal {
		fmt.Fprintln(v.w, printable.Fit(v.line(), v.columns()))
		return
	}
	columns, lines := v.columns(), v.lines()
	var b strings.Builder
	if v.shown > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA", v.shown)
	}
	for _, l := range lines {
		b.WriteString(v.paint(printable.Fit(l.text, columns), l.colour) + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	fmt.Fprint(v.w, b.String())
	v.shown = len(lines)
}

type row struct{ text, colour string }

const (
	plain  = ""
	strong = "1"
	bad    = "1;31"
)

func (v *View) paint(text, colour string) string {
	if !v.colour || colour == plain || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// lines are what a terminal shows.
func (v *View) lines() []row {
	s := v.status
	bar := ""
	if s.Duration > 0 {
		const cells = 20
		full := int(min(max(float64(s.Elapsed)/float64(s.Duration), 0), 1) * cells)
		bar = "[" + strings.Repeat("#", full) + strings.Repeat("-", cells-full) + "]  "
	}
	lines := []row{
		{fmt.Sprintf("%s  %s%s", v.title, bar, v.clock()), strong},
		{"rate      " + v.rates(), plain},
	}
	for _, t := range []struct {
		name string
		results.Times
	}{{"response  ", s.Response}, {"service   ", s.Service}} {
		if t.Max > 0 {
			lines = append(lines, row{t.name + times(t.Times), plain})
		}
	}
	if s.Lag.P99 > 0 {
		lines = append(lines, row{"send lag  p99 " + milliseconds(s.Lag.P99), plain})
	}
	if text := classes(s.Classes, false); text != "" {
		lines = append(lines, row{"answers   " + text, plain})
	}
	if s.Silent > 0 {
		lines = append(lines, row{silence(s), bad})
	}
	if text := classes(s.Classes, true); text != "" {
		lines = append(lines, row{"not well  " + text, bad})
	}
	if s.Files != nil {
		if text := filesWords(s.Files); text != "" {
			lines = append(lines, row{"files     " + text, plain})
		}
	}
	return lines
}

// line is what a log shows.
func (v *View) line() string {
	s := v.status
	text := v.clock() + "  " + v.rates()
	if s.Response.Max > 0 {
		text += fmt.Sprintf("  p50 %s  p99 %s", milliseconds(s.Response.P50), milliseconds(s.Response.P99))
	}
	if well := classes(s.Classes, false); well != "" {
		text += "  " + well
	}
	if s.Silent > 0 {
		text += "  " + silence(s)
	}
	if not := classes(s.Classes, true); not != "" {
		text += "  " + not
	}
	return text
}

// rates says how fast requests go out.
func (v *View) rates() string {
	s := v.status
	if s.Closed {
		return fmt.Sprintf("%s  %d in flight  %d sent", rate(s.Achieved), s.InFlight, s.Sent)
	}
	text := fmt.Sprintf("%s meant  %s achieved  %d in flight", rate(s.Target), rate(s.Achieved), s.InFlight)
	if v.terminal {
		text += fmt.Sprintf("  %d sent of %d", s.Sent, s.K)
	}
	return text
}

// silence says that answers are awaited.
func silence(s results.Status) string {
	return fmt.Sprintf("no answer for %s", s.Silent.Round(100*time.Millisecond))
}

func filesWords(f *files.Counts) string {
	var parts []string
	for _, c := range []struct {
		n    int64
		what string
	}{{f.Ready, "ready"}, {f.Failed, "failed"}, {f.Pending, "pending"}, {f.Dropped, "not followed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, "  ")
}

// clock says how far the run is, and in which stage.
func (v *View) clock() string {
	s := v.status
	text := fmt.Sprintf("%s/%s", clock(s.Elapsed), clock(s.Duration))
	switch left := s.Duration - s.Elapsed; {
	case left > 0:
		text += fmt.Sprintf("  %s left", clock(left))
	case s.InFlight > 0:
		text += "  waiting for answers"
	case s.Files != nil && s.Files.Pending > 0:
		text += "  waiting for files"
	}
	if s.Stages > 1 {
		text += fmt.Sprintf("  stage %d/%d", s.Stage, s.Stages)
		if s.StageName != "" {
			text += " (" + printable.Clean(s.StageName) + ")"
		}
	}
	return text
}

func clock(d time.Duration) string {
	d = max(0, d).Round(time.Second)
	if d >= time.Hour {
		return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

func rate(perSecond float64) string {
	if perSecond < 10 {
		return strconv.FormatFloat(perSecond, 'f', 1, 64) + "/s"
	}
	return strconv.FormatFloat(perSecond, 'f', 0, 64) + "/s"
}

func times(t results.Times) string {
	return fmt.Sprintf("p50 %s  p90 %s  p99 %s  max %s", milliseconds(t.P50), milliseconds(t.P90), milliseconds(t.P99), milliseconds(t.Max))
}

// milliseconds with three digits.
func milliseconds(ms float64) string {
	switch {
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64) + "ms"
	case ms < 100:
		return strconv.FormatFloat(ms, 'f', 1, 64) + "ms"
	case ms < 10_000:
		return strconv.FormatFloat(ms, 'f', 0, 64) + "ms"
	}
	return strconv.FormatFloat(ms/1000, 'f', 1, 64) + "s"
}

// classes lists the counts so far: those that are as meant, or those that are not and occurred.
func classes(counts [judge.NumClasses]int64, bad bool) string {
	var parts []string
	for c, n := range counts {
		class := judge.Class(c)
		if class.Bad() == bad && n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(class.String(), "_", " ")))
		}
	}
	return strings.Join(parts, "  ")
}
