package browse

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/reports/recorded"
)

func line0(values ...float64) []series {
	s := series{name: "passed"}
	for i, v := range values {
		s.samples = append(s.samples, sample{
			time.Date(2026, 11, 1+i, 9, 0, 0, 0, time.UTC), v,
			Run{Path: fmt.Sprint("run", i), Head: recorded.Head{Verdict: "pass"}},
			"says",
		})
	}
	return []series{s}
}

func TestAChartHoldsItsRuns(t *testing.T) {
	for name, values := range map[string][]float64{
		"one": {263}, "two": {263, 256}, "the same": {5, 5, 5}, "nothing": {0},
		"huge": {1, 1e300}, "small": {0.0001, 0.0002}, "half": {100, 251}, "close": {1000, 1001, 999},
	} {
		for _, about := range []scale{measured, counted, changes} {
			c := draw("Rules passed", "", about, line0(values...))
			if len(c.Marks) < 2 || len(c.Marks) > 14 || len(c.Times) < 1 {
				t.Errorf("%s: %d and %d marks", name, len(c.Marks), len(c.Times))
			}
			for _, point := range strings.Fields(c.Lines[0].Points) {
				x, y, _ := strings.Cut(point, ",")
				px, err1 := strconv.ParseFloat(x, 64)
				py, err2 := strconv.ParseFloat(y, 64)
				if err1 != nil || err2 != nil || math.IsNaN(px+py) || px < leftEdge ||
					px > c.Right || py < topEdge-0.1 || py > bottomY+0.1 {
					t.Errorf("%s: a run at %s", name, point)
				}
			}
			if len(c.Lines[0].Dots) != len(values) {
				t.Errorf("%s: %d dots", name, len(c.Lines[0].Dots))
			}
		}
	}
	if c := draw("Rules passed", "", changes, line0(263, 256)); c.From != "254" {
		t.Errorf("the axis begins at %q", c.From)
	}
	if c := draw("Rules passed", "", changes, line0(263, 3)); c.From != "" {
		t.Errorf("the axis begins at %q", c.From)
	}
}

func TestTimesAreRoundAndDoNotCrowd(t *testing.T) {
	start := time.Date(2026, 3, 7, 13, 17, 11, 0, time.UTC)
	for _, length := range []time.Duration{
		time.Second, 40 * time.Second, 7 * time.Minute,
		5 * time.Hour, 40 * time.Hour, 9 * day, 80 * day, 400 * day, 4000 * day,
	} {
		list := moments(start, start.Add(length), 5)
		if len(list) < 1 || len(list) > 7 {
			t.Errorf("%v: %d marks", length, len(list))
		}
		seen := map[string]bool{}
		for _, at := range list {
			if at.when.Before(start) || at.when.After(start.Add(length)) || seen[at.label] {
				t.Errorf("%v: %v is %q", length, at.when, at.label)
			}
			seen[at.label] = true
		}
	}
}

func TestTheShapeOfADotTellsTheVerdict(t *testing.T) {
	shapes := map[string]string{}
	for _, verdict := range []string{"conformant", "violations"} {
		s := line0(1)
		s[0].samples[0].run.Verdict = verdict
		shapes[draw("", "", counted, s).Lines[0].Dots[0].Shape] = verdict
	}
	if len(shapes) != 2 {
		t.Error("a violation looks as a pass does where colours are not seen")
	}
}
