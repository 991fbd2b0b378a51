package plot

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/terminal"
)

// FormatValue formats a value with its unit and three or four digits.
func (u Unit) FormatValue(v float64) string {
	if !isMeasured(v) {
		return "–"
	}
	switch u {
	case UnitMilliseconds:
		return formatMilliseconds(v)
	case UnitPerSecond:
		return printable.Rate(v)
	case UnitPercent:
		return formatDigits(v) + "%"
	}
	return formatDigits(v)
}

func formatMilliseconds(v float64) string {
	switch {
	case v <= 0:
		return "–"
	case v < 1:
		return fmt.Sprintf("%.0f µs", v*1000)
	case v < 10:
		return fmt.Sprintf("%.2f ms", v)
	case v < 100:
		return fmt.Sprintf("%.1f ms", v)
	case v < 10_000:
		return fmt.Sprintf("%.0f ms", v)
	}
	return fmt.Sprintf("%.1f s", v/1000)
}

// formatDigits formats four digits, or all digits before the point if there are more.
func formatDigits(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// FormatPosition formats a position on the axis.
func (a Axis) FormatPosition(v float64) string {
	switch a {
	case AxisTimestamps:
		return time.UnixMilli(int64(v * 1000)).UTC().Format("2006-01-02 15:04:05 UTC")
	case AxisPercentiles:
		return FormatPercentile(v)
	case AxisRates:
		return UnitPerSecond.FormatValue(v)
	}
	return FormatElapsed(v)
}

// FormatElapsed formats seconds of a run: 90 s, 2:05, 1:00:07.
func FormatElapsed(seconds float64) string {
	if seconds < 120 {
		return strconv.FormatFloat(math.Round(seconds*10)/10, 'f', -1, 64) + " s"
	}
	return terminal.FormatDuration(time.Duration(seconds * float64(time.Second)))
}

// FormatPercentile formats the percentile at a position on the axis of nines.
func FormatPercentile(factor float64) string {
	if factor <= 1 {
		return "p0"
	}
	digits := max(0, int(math.Ceil(math.Log10(factor)))-1)
	scale := math.Pow(10, float64(digits))
	return "p" + strconv.FormatFloat(math.Floor(100*(1-1/factor)*scale+1e-6)/scale, 'f', -1, 64)
}

// DescribeSeries describes a series in words, for screen readers.
func (f Figure) DescribeSeries(s Series) string {
	at := s.At
	if at == nil {
		at = f.At
	}
	least, most, where := math.Inf(1), math.Inf(-1), 0.0
	for i, v := range s.Values {
		if !isMeasured(v) || i >= len(at) {
			continue
		}
		least = min(least, v)
		if v > most {
			most, where = v, at[i]
		}
	}
	if least > most {
		return s.Label
	}
	if least == most {
		return fmt.Sprintf("%s: %s throughout", s.Label, f.Unit.FormatValue(most))
	}
	return fmt.Sprintf("%s: %s to %s, highest at %s", s.Label, f.Unit.FormatValue(least),
		f.Unit.FormatValue(most), f.X.FormatPosition(where))
}
