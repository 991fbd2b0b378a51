package compare

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gateassay/gateassay/reports/record"
)

func (m Metric) value(v float64) string {
	switch m.Unit {
	case "share":
		return strconv.FormatFloat(100*v, 'f', 2, 64) + "%"
	case "/s":
		return strconv.FormatFloat(v, 'g', 5, 64) + "/s"
	}
	switch {
	case v <= 0:
		return "-"
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64) + "ms"
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64) + "ms"
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + "ms"
}

// change is the difference with its sign: percent, for shares percentage points.
func (m Metric) change() string {
	if m.Before <= 0 && m.Unit != "share" {
		return "-"
	}
	if m.Unit == "share" {
		return fmt.Sprintf("%+.2f pp", 100*m.Change)
	}
	return fmt.Sprintf("%+.1f%%", 100*m.Change)
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

// spoken is a verdict in words.
func spoken(v record.Verdict) string {
	switch v {
	case record.Fail:
		return "violated"
	case record.Pass:
		return "passed"
	case record.NotVerified:
		return "not verified"
	case "":
		return "not there"
	}
	return string(v)
}

// labels of verdicts.
var labels = map[Verdict]string{
	Same: "same", Changed: "changed", Improvement: "better", Regression: "worse", Inconclusive: "cannot be told",
}
