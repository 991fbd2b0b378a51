package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// LineInterval is the time between lines on outputs that cannot be redrawn, redrawInterval the
// time between drawings on others.
const (
	LineInterval   = 5 * time.Second
	redrawInterval = 200 * time.Millisecond
)

// Screen is the output of a display.
type Screen struct {
	io.Writer
	Redraws bool       // the lines can be redrawn: see IsInteractive
	Columns func() int // width of the terminal, called at each drawing; for Redraws only
	Colour  bool
	Quiet   bool // shows nothing
}

// ColouredLine is a line of one colour.
type ColouredLine struct{ Text, Colour string }

// Display shows changing rows until Stop: redrawn in place on a terminal, as one line from time to
// time elsewhere. Its methods are safe for concurrent use; after Stop they do nothing.
type Display struct {
	sync.Mutex
	Rows func() []ColouredLine // called with the lock held; no rows: nothing is shown

	screen Screen
	shown  int           // rows on the screen
	stop   chan struct{} // nil: nothing is shown
	ended  chan struct{}
}

// NewDisplay returns a display on a screen.
func NewDisplay(s Screen) *Display { return &Display{screen: s} }

// Begin shows the rows until Stop. It calls prepare first, unless the rows are shown already or
// never are.
func (d *Display) Begin(prepare func()) {
	d.Lock()
	defer d.Unlock()
	if d.screen.Quiet || d.stop != nil {
		return
	}
	d.stop, d.ended = make(chan struct{}), make(chan struct{})
	prepare()
	every := LineInterval
	if d.screen.Redraws {
		every = redrawInterval
		d.printRows()
	}
	go func(stop <-chan struct{}, ended chan<- struct{}) {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				d.Lock()
				if d.stop != nil {
					d.printRows()
				}
				d.Unlock()
			}
		}
	}(d.stop, d.ended)
}

// Stop ends the display. On a terminal the rows are removed, elsewhere they are printed a last
// time.
func (d *Display) Stop() {
	d.Lock()
	if d.stop == nil {
		d.Unlock()
		return
	}
	if d.screen.Redraws {
		d.draw(nil)
	} else {
		d.printRows()
	}
	close(d.stop)
	d.stop = nil
	d.Unlock()
	<-d.ended
}

// Note prints a permanent line, such as why a run ends early.
func (d *Display) Note(text string) {
	d.Lock()
	defer d.Unlock()
	if d.stop == nil {
		return
	}
	d.draw(nil)
	d.print(printable.Clean(text))
	if d.screen.Redraws {
		d.printRows()
	}
}

func (d *Display) printRows() {
	if d.screen.Redraws {
		d.draw(d.Rows())
		return
	}
	var texts []string
	for _, r := range d.Rows() {
		texts = append(texts, r.Text)
	}
	if texts != nil {
		d.print(strings.Join(texts, "  "))
	}
}

func (d *Display) print(line string) {
	columns := 1000
	if d.screen.Redraws {
		columns = d.columns()
	}
	fmt.Fprintln(d.screen, printable.TruncateToWidth(line, columns))
}

// columns returns the usable width: all columns but the last, after which some terminals wrap.
func (d *Display) columns() int {
	return max(1, d.screen.Columns()-1)
}

// draw replaces the rows on the screen.
func (d *Display) draw(rows []ColouredLine) {
	var b strings.Builder
	if d.shown > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA\x1b[J", d.shown)
	}
	for _, r := range rows {
		b.WriteString(
			applyColour(d.screen.Colour, r.Colour, printable.TruncateToWidth(r.Text, d.columns())) + "\n")
	}
	fmt.Fprint(d.screen, b.String())
	d.shown = len(rows)
}
