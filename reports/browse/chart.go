package browse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
)

// Size of a chart, in the units of its SVG; those with many runs are wide.
const (
	chartWidth, wideChart                 = 560.0, 1140.0
	leftEdge, rightEdge, topEdge, bottomY = 14.0, 56.0, 12.0, 168.0
	inset                                 = 10.0 // of the first and the last run from the ends of the axis
	crowd                                 = 60   // runs, from which on dots are small and charts wide
)

type chart struct {
	Title, Unit string
	From        string // where the vertical axis begins; empty: at zero
	Says        string // what it shows, for those who do not see it
	Wide        bool
	Width       float64
	Left, Right float64 // where the plot begins and ends; its marks are at its right end, beside the latest runs
	Lines       []line
	Marks       []mark // of the vertical axis
	Times       []mark // of the horizontal axis
}

type line struct {
	Name   string
	Class  string
	Points string // of a polyline
	Dots   []dot
}

// dot is one run: its shape shows the verdict, as colours alone must not.
type dot struct {
	Shape string // of a path
	Run   string
	Tone  string
	Says  string
}

type mark struct{ At, Label string }

// series is one line, the earliest sample first.
type series struct {
	name    string
	samples []sample
}

type sample struct {
	at    time.Time
	value float64
	run   Run
	says  string
}

// draw places series on a chart. It begins at zero, or, where it is about the changes of a large figure, closely below
// the lowest sample. Each series holds a sample at least.
func draw(title, unit string, about scale, lines []series) chart {
	var all []sample
	for _, l := range lines {
		all = append(all, l.samples...)
	}
	byTime := func(a, b sample) int { return a.at.Compare(b.at) }
	byValue := func(a, b sample) int { return cmp.Compare(a.value, b.value) }
	first, last := slices.MinFunc(all, byTime).at, slices.MaxFunc(all, byTime).at
	lowest, highest := slices.MinFunc(all, byValue).value, slices.MaxFunc(all, byValue).value
	bottom := 0.0
	top, step := axis(highest, about != measured)
	if about == changes && lowest > highest/2 {
		_, step = axis(max(highest-lowest, 4), true)
		bottom, top = step*math.Floor(lowest/step-0.5), step*math.Ceil(highest/step+0.1)
	}
	c := chart{Title: title, Unit: unit, Width: chartWidth}
	size := 4.5
	if len(lines[0].samples) > crowd {
		c.Wide, c.Width, size = true, wideChart, 2.5
	}
	c.Left, c.Right = leftEdge, c.Width-rightEdge
	if bottom > 0 {
		c.From = strconv.FormatFloat(bottom, 'g', 5, 64)
	}
	x := func(at time.Time) float64 {
		wide := c.Right - leftEdge - 2*inset
		if length := last.Sub(first); length > 0 {
			return leftEdge + inset + wide*float64(at.Sub(first))/float64(length)
		}
		return leftEdge + inset + wide/2
	}
	y := func(v float64) float64 { return bottomY - (bottomY-topEdge)*(v-bottom)/(top-bottom) }
	for v := bottom; v <= top+step/1000; v += step {
		c.Marks = append(c.Marks, mark{coordinate(y(v)), strconv.FormatFloat(v, 'g', 5, 64)})
	}
	for _, at := range moments(first, last, int(c.Width/110)) {
		c.Times = append(c.Times, mark{coordinate(x(at.when)), at.label})
	}
	var says []string
	for i, l := range lines { // the dots of later lines are smaller, so that those below them show
		drawn := line{Name: l.name, Class: fmt.Sprint("c", i+1)}
		var points []string
		for _, s := range l.samples {
			px, py := x(s.at), y(s.value)
			points = append(points, coordinate(px)+","+coordinate(py))
			t := digest.Tone(s.run.Verdict)
			drawn.Dots = append(drawn.Dots, dot{
				shape(t, px, py, size*(1-0.35*float64(i))),
				s.run.Path, t, fmt.Sprintf("%s: %s (%s)", moment(s.at), s.says, word(s.run.Verdict)),
			})
		}
		drawn.Points = strings.Join(points, " ")
		c.Lines = append(c.Lines, drawn)
		end := l.samples[len(l.samples)-1]
		says = append(says, fmt.Sprintf("%s, last %s", l.name,
			strings.TrimSpace(strconv.FormatFloat(end.value, 'g', 5, 64)+" "+unit)))
	}
	c.Says = fmt.Sprintf("%s of %d runs from %s to %s: %s", title, len(lines[0].samples),
		moment(first), moment(last), strings.Join(says, "; "))
	return c
}

// shape is a disc for a run that held, a cross for one that failed and a ring for any other.
func shape(tone string, x, y, size float64) string {
	if tone == "bad" {
		return fmt.Sprintf("M%.1f %.1fl%.1f %.1fm0 %.1fl%.1f %.1f", x-size,
			y-size, 2*size, 2*size, -2*size, -2*size, 2*size)
	}
	return fmt.Sprintf("M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z",
		x-size, y, size, size, 2*size, size, size, -2*size)
}

// scale is how the vertical axis of a chart is made.
type scale int

const (
	measured scale = iota // from zero, with any steps
	counted               // from zero, with whole steps
	changes               // with whole steps, from where the samples are
)

// axis returns where an axis from zero ends and how far apart its marks are: steps of 1, 2 or 5 times a power of ten,
// for whole numbers at least 1.
func axis(highest float64, whole bool) (top, step float64) {
	if highest <= 0 || math.IsInf(highest, 0) {
		return 1, 1
	}
	step = math.Pow(10, math.Floor(math.Log10(highest)))
	for _, f := range []float64{0.2, 0.5, 1, 2} {
		if highest/(step*f) <= 5 {
			step *= f
			break
		}
	}
	if whole {
		step = max(step, 1)
	}
	return step * math.Ceil(highest/step), step
}

type tick struct {
	when  time.Time
	label string
}

const day = 24 * time.Hour

// moments are the marks of a time axis: at full minutes, hours or days of UTC, at most so many.
func moments(first, last time.Time, most int) (list []tick) {
	length := last.Sub(first)
	if length <= 0 {
		return []tick{{first, first.UTC().Format("2 Jan 2006 15:04")}}
	}
	step := length / time.Duration(most)
	for _, round := range []time.Duration{
		time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
		3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day, 2 * day, 7 * day, 14 * day, 30 * day, 91 * day, 365 * day,
	} {
		if step <= round {
			step = round
			break
		}
	}
	format := "15:04:05"
	switch {
	case step >= 91*day:
		format = "Jan 2006"
	case step >= day && first.UTC().Year() != last.UTC().Year():
		format = "2 Jan 2006"
	case step >= day:
		format = "2 Jan"
	case length >= day:
		format = "2 Jan 15:04"
	case step >= time.Minute:
		format = "15:04"
	}
	for at := first.UTC().Truncate(step); !at.After(last) && len(list) <= most+1; at = at.Add(step) {
		if !at.Before(first) {
			list = append(list, tick{at, at.Format(format)})
		}
	}
	if len(list) < 2 {
		if step < day {
			format = "15:04:05"
		}
		list = []tick{{first, first.UTC().Format(format)}, {last, last.UTC().Format(format)}}
	}
	return list
}

func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
