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

// Lasted is a duration with three digits: 41 ms, 2.51 s, 55 s, 3.33 min, 26.1 h.
func Lasted(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.3g s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.3g min", d.Minutes())
	}
	return fmt.Sprintf("%.3g h", d.Hours())
}

// Share is one in percent.
func Share(v float64) string { return fmt.Sprintf("%.3g%%", 100*v) }

// Round keeps two decimals.
func Round(v float64) float64 { return math.Round(v*100) / 100 }
