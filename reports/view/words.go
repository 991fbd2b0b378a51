package view

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Add appends a row of what Line takes.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, Row{Cells: Line(values...)}) }

// Line is cells of a row or of a sentence: each value is a Cell, some of them, or a plain text.
func Line(values ...any) (cells []Cell) {
	for _, v := range values {
		switch v := v.(type) {
		case Cell:
			cells = append(cells, v)
		case []Cell:
			cells = append(cells, v...)
		default:
			cells = append(cells, Cell{Text: fmt.Sprint(v)})
		}
	}
	return cells
}

// Code is a text to be copied as it is.
func Code(text string) Cell { return Cell{Text: text, Code: true} }

// Badge is a word on a coloured ground.
func Badge(tone Tone, text string) Cell { return Cell{Text: text, Tone: tone, Badge: true} }

// Known are the facts that have a value.
func Known(list []Fact) []Fact {
	return slices.DeleteFunc(list, func(f Fact) bool { return f.Value == "" })
}

// UTC is a moment, to the second; empty where it is not known.
func UTC(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// Took is how long something took; empty where that is not known.
func Took(from, to time.Time) string {
	if from.IsZero() || !to.After(from) {
		return ""
	}
	return Lasted(to.Sub(from))
}

// Lasted is a duration with two or three digits: 41 ms, 2.5 s, 55 s, 3 min 20 s, 26 h 5 min.
func Lasted(d time.Duration) string {
	d = max(0, d)
	units := func(large time.Duration, name string, small time.Duration, rest string) string {
		d := d.Round(small)
		if d%large < small {
			return fmt.Sprintf("%d %s", d/large, name)
		}
		return fmt.Sprintf("%d %s %d %s", d/large, name, d%large/small, rest)
	}
	switch {
	case d.Round(time.Minute) >= time.Hour:
		return units(time.Hour, "h", time.Minute, "min")
	case d.Round(time.Second) >= 2*time.Minute:
		return units(time.Minute, "min", time.Second, "s")
	case d.Round(time.Second) >= 10*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d.Round(time.Millisecond) >= time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	}
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}

// Share is one in percent.
func Share(v float64) string { return fmt.Sprintf("%.3g%%", 100*v) }

// Round keeps two decimals.
func Round(v float64) float64 { return math.Round(v*100) / 100 }
