package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
)

func (m Metric) value(v float64) string {
	switch m.Unit {
	case "share":
		return strconv.FormatFloat(100*v, 'f', 2, 64) + "%"
	case "/s":
		return strconv.FormatFloat(v, 'g', 5, 64) + "/s"
	}
	return inMS(v)
}

func inMS(v float64) string {
	if v <= 0 {
		return "-"
	}
	return terminal.Milliseconds(v)
}

// change is the difference with its sign: percent, for shares percentage points.
func (m Metric) change() string {
	if m.Unit != "share" && (m.Before <= 0 || m.Unit == "ms" && m.After <= 0) {
		return "-"
	}
	if m.Unit == "share" {
		return fmt.Sprintf("%+.2f pp", 100*m.Change)
	}
	return signed(m.Change)
}

// signed is a change that is a share, with its sign; of ten times and more the factor.
func signed(change float64) string {
	if change >= 10 {
		return fmt.Sprintf("×%.3g", 1+change)
	}
	return fmt.Sprintf("%+.1f%%", 100*change)
}

func (m Metric) noise() string {
	if m.Noise == nil || math.IsInf(*m.Noise, 0) {
		return "-"
	}
	if m.Unit == "share" {
		return fmt.Sprintf("±%.2f pp", 100**m.Noise)
	}
	if *m.Noise >= 10 {
		return ">±999%"
	}
	return fmt.Sprintf("±%.1f%%", 100**m.Noise)
}

// word is the judgement of a figure in a word or two.
func (m Metric) word() string {
	switch {
	case m.Judged == "":
		return "not judged"
	case m.Judged == Same && m.Reason == withinNoise:
		return "noise"
	}
	return looks[m.Judged].label
}

// group is a few figures that belong together.
type group struct {
	Name string
	Rows []Metric
}

// groups are the figures in the order in which they are read.
func (l *Load) groups() []group {
	list := []group{{Name: "Response time"}, {Name: "Service time"}, {Name: "Rate and answers"}}
	for _, m := range l.Metrics {
		to := &list[2]
		for i, time := range []string{"response ", "service "} {
			if strings.HasPrefix(m.Name, time) {
				to = &list[i]
			}
		}
		to.Rows = append(to.Rows, m)
	}
	return list
}

// percent is a change from one value to another, with its sign.
func percent(before, after float64) string {
	if before <= 0 || after <= 0 {
		return "-"
	}
	return signed(after/before - 1)
}

// ended says what ended a search.
func ended(limit capacity.Limit) string {
	return cmp.Or(map[capacity.Limit]string{
		capacity.ByThresholds: "a missed threshold", capacity.ByTo: "the highest rate allowed",
		capacity.ByFrom: "the lowest rate allowed", capacity.ByGenerator: "its generator",
		capacity.BySilence: "no answers", capacity.ByProbes: "its number of runs", capacity.ByInterrupt: "an interrupt",
	}[limit], printable.Clean(printable.Clip(string(limit), 40)))
}

// spoken is a verdict in words.
func spoken(v record.Verdict) string {
	return cmp.Or(digest.Word(v), "not selected")
}

// looks are how verdicts are shown.
var looks = map[Verdict]struct{ label, headline, title, tone, colour string }{
	Regression:   {"worse", "Regression", "Worse", "bad", terminal.Bad},
	Inconclusive: {"inconclusive", "No verdict", "Inconclusive", "unsure", terminal.Unsure},
	Changed:      {"changed", "Changed, nothing worse", "Changed, neither better nor worse", "unsure", terminal.Unsure},
	Improvement:  {"better", "Better", "Better", "ok", terminal.Good},
	Same:         {"same", "No difference", "The same", "ok", terminal.Good},
}

// sections are the changes of rules by what they are, the worse first, each with a title.
func (c *Conformance) sections() (list []section) {
	for _, v := range []Verdict{Regression, Inconclusive, Changed, Improvement} {
		list = append(list, section{looks[v].title, v, slices.DeleteFunc(slices.Concat(c.Changed, c.New, c.Gone),
			func(x Change) bool { return x.Judged != v })})
	}
	return list
}

type section struct {
	Title  string
	Judged Verdict
	Rules  []Change
}

// alike is how many rules have the verdict that they had.
func (c *Conformance) alike() int { return c.Compared - len(c.Changed) }

// Rows are what two searches found, each with its name.
func (c *Capacity) Rows() [][3]string {
	x, y := c.Searches[0], c.Searches[1]
	return [][3]string{
		{"it lies", interval(x), interval(y)},
		{"runs there", held(x), held(y)},
		{"ended by", ended(x.Limit), ended(y.Limit)},
		{"bends at", bend(x), bend(y)},
	}
}

// Word is the judgement of the capacity.
func (c *Capacity) Word() string { return cmp.Or(looks[c.Judged].label, "not judged") }

// Words say by how many answers a rule was violated.
func (v Violations) Words() string {
	return fmt.Sprintf("violated by %s before, by %d after", digest.Quantity(int(v.Before), "answer"), v.After)
}
