package view

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Add appends a row of values as Cells takes them.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, Row{Cells: Cells(values...)}) }

// AddGroup appends a heading over the rows that follow.
func (t *Table) AddGroup(heading Cell) {
	t.Rows = append(t.Rows, Row{Group: true, Cells: []Cell{heading}})
}

// Cells returns the cells of a row or a sentence: each value is a Cell, a list of cells, or plain
// text.
func Cells(values ...any) (cells []Cell) {
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

// Code returns a cell with a text to copy.
func Code(text string) Cell { return Cell{Text: text, Code: true} }

// Badge returns a cell with a word on a coloured background.
func Badge(tone Tone, text string) Cell { return Cell{Text: text, Tone: tone, Badge: true} }

// WithValues returns the facts that have a value.
func WithValues(list []Fact) []Fact {
	return slices.DeleteFunc(list, func(f Fact) bool { return f.Value == "" })
}

// FormatUTC formats a time in UTC to the second; empty: unknown.
func FormatUTC(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// FormatSpan formats the time between two moments; empty: unknown.
func FormatSpan(from, to time.Time) string {
	if from.IsZero() || !to.After(from) {
		return ""
	}
	return FormatDuration(to.Sub(from))
}

// FormatDuration formats a duration with three digits: 41 ms, 2.51 s, 55 s, 3.33 min, 26.1 h.
func FormatDuration(d time.Duration) string {
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

// FormatShare formats a share in percent.
func FormatShare(v float64) string { return fmt.Sprintf("%.3g%%", 100*v) }

// RoundTo2Decimals rounds to two decimals.
func RoundTo2Decimals(v float64) float64 { return math.Round(v*100) / 100 }
