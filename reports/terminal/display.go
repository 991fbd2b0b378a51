package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
)

// Interval is the time between lines where nothing can be redrawn.
const Interval = 5 * time.Second

// Display shows something that changes until it ends: redrawn in place on a terminal, a line now and then elsewhere.
// Its methods may be called from several goroutines; those after Stop do nothing. Print, Rewrite and Redraw are for
// Show, which is called with the lock held.
type Display struct {
	sync.Mutex
	Terminal bool
	Colour   bool
	Now      func() time.Time
	Show     func() // draws it anew, with Rewrite, Redraw or Print

	w       io.Writer
	width   func() int
	every   time.Duration // between drawings on a terminal
	quiet   bool
	ticks   func(time.Duration) (<-chan time.Time, func())
	running bool
	columns int // of the line on screen
	rows    int // on screen
	stop    chan struct{}
	stopped chan struct{}
}

// Option changes a display.
type Option func(*Display)

// Quiet shows nothing at all.
func Quiet() Option { return func(d *Display) { d.quiet = true } }

// Coloured turns colours on.
func Coloured(on bool) Option { return func(d *Display) { d.Colour = on } }

// Timed replaces the clock: now returns the time, ticks returns a channel that asks for a redraw about every d and a
// function that ends it.
func Timed(now func() time.Time, ticks func(d time.Duration) (<-chan time.Time, func())) Option {
	return func(d *Display) { d.Now, d.ticks = now, ticks }
}

// NewDisplay shows something on w. isTerminal reports whether lines can be redrawn there (see Interactive); width gives
// the terminal's columns, asked at each redraw as windows change size; it may be nil off a terminal.
func NewDisplay(w io.Writer, isTerminal bool, width func() int, every time.Duration, options ...Option) *Display {
	d := &Display{w: w, Terminal: isTerminal, width: width, every: every, Now: time.Now}
	d.ticks = func(every time.Duration) (<-chan time.Time, func()) {
		t := time.NewTicker(every)
		return t.C, t.Stop
	}
	for _, o := range options {
		o(d)
	}
	return d
}

// Begin shows it until Stop. prepare is called first, unless it is shown already or never is.
func (d *Display) Begin(prepare func()) {
	d.Lock()
	defer d.Unlock()
	if d.quiet || d.running {
		return
	}
	d.running = true
	d.stop, d.stopped = make(chan struct{}), make(chan struct{})
	prepare()
	every := Interval
	if d.Terminal {
		every = d.every
		d.Show()
	}
	tick, end := d.ticks(every)
	go func(stop <-chan struct{}, stopped chan<- struct{}) {
		defer close(stopped)
		defer end()
		for {
			select {
			case <-stop:
				return
			case <-tick:
				d.Lock()
				if d.running {
					d.Show()
				}
				d.Unlock()
			}
		}
	}(d.stop, d.stopped)
}

// Stop ends the display; on a terminal what is shown goes away, elsewhere it is shown a last time.
func (d *Display) Stop() {
	d.Lock()
	if !d.running {
		d.Unlock()
		return
	}
	if d.Terminal {
		d.erase()
	} else {
		d.Show()
	}
	d.running = false
	close(d.stop)
	d.Unlock()
	<-d.stopped
}

// Note prints a line that stays, such as why a run ends early.
func (d *Display) Note(text string) {
	d.Lock()
	defer d.Unlock()
	if !d.running {
		return
	}
	if d.Terminal {
		d.erase()
	}
	d.Print(printable.Clean(text))
	if d.Terminal {
		d.Show()
	}
}

// erase takes what is shown off the screen and leaves the cursor where it began.
func (d *Display) erase() {
	if d.rows > 0 {
		fmt.Fprintf(d.w, "\r\x1b[%dA\x1b[J", d.rows)
	}
	if d.columns > 0 {
		fmt.Fprint(d.w, "\r"+strings.Repeat(" ", min(d.columns, d.room()))+"\r")
	}
	d.rows, d.columns = 0, 0
}

// room is the columns that a line may take: one less than there are, as some terminals wrap on the last.
func (d *Display) room() int {
	columns := 80
	if !d.Terminal {
		columns = 200
	} else if d.width != nil {
		if n := d.width(); n > 0 {
			columns = n
		}
	}
	return max(1, columns-1)
}

// Print writes a line that is not redrawn.
func (d *Display) Print(line string) { fmt.Fprintln(d.w, printable.Fit(line, d.room())) }

// Rewrite shows one line in place of the last.
func (d *Display) Rewrite(line string) {
	line = printable.Fit(line, d.room())
	columns := printable.Columns(line)
	fmt.Fprint(d.w, "\r"+line+strings.Repeat(" ", max(0, min(d.columns, d.room())-columns)))
	d.columns = columns
}

// Row is a line of several, in one colour.
type Row struct{ Text, Colour string }

// Redraw shows lines in place of the last ones.
func (d *Display) Redraw(rows []Row) {
	var b strings.Builder
	if d.rows > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA", d.rows)
	}
	for _, r := range rows {
		b.WriteString(paint(d.Colour, r.Colour, printable.Fit(r.Text, d.room())) + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	fmt.Fprint(d.w, b.String())
	d.rows = len(rows)
}
