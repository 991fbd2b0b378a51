package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// LineInterval is the time between lines where nothing can be redrawn, redrawInterval where it can.
const (
	LineInterval   = 5 * time.Second
	redrawInterval = 200 * time.Millisecond
)

// Screen is where something is shown while it goes.
type Screen struct {
	io.Writer
	Redraws bool       // it is a terminal whose lines can be written anew: see IsInteractive
	Columns func() int // of the terminal, asked at each drawing as windows change size; nil: 80
	Colour  bool
	Quiet   bool // nothing is shown at all
}

// ColouredLine is a line in one colour.
type ColouredLine struct{ Text, Colour string }

// Display shows something that changes until it ends: Rows redrawn in place on a terminal, in one
// line now and then elsewhere. They are asked for with the lock held. Its methods may be called
// from several goroutines; those after Stop do nothing.
type Display struct {
	sync.Mutex
	Rows func() []ColouredLine // none: nothing is said

	screen Screen
	shown  int           // rows on the screen
	stop   chan struct{} // nil: nothing is shown
	ended  chan struct{}
}

// NewDisplay shows something on a screen.
func NewDisplay(s Screen) *Display { return &Display{screen: s} }

// Begin shows it until Stop. prepare is called first, unless it is shown already or never is.
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

// Stop ends the display; on a terminal what is shown goes away, elsewhere it is shown a last time.
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

// Note prints a line that stays, such as why a run ends early.
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

// columns are those that a line may take: all but the last, on which some terminals wrap.
func (d *Display) columns() int {
	if d.screen.Columns == nil {
		return 79
	}
	return max(1, d.screen.Columns()-1)
}

// draw puts lines in place of those on the screen.
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
