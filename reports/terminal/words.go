package terminal

import (
	"fmt"
	"strconv"
	"time"
)

// Clock writes how long something took, or has to go: 1:05, 2:00:07.
func Clock(d time.Duration) string {
	s := int(max(0, d).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Milliseconds writes them with three digits; what is too short to be measured is below a hundredth.
func Milliseconds(v float64) string {
	switch {
	case v < 0.01:
		return "<0.01ms"
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64) + "ms"
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64) + "ms"
	case v < 10_000:
		return strconv.FormatFloat(v, 'f', 0, 64) + "ms"
	}
	return strconv.FormatFloat(v/1000, 'f', 1, 64) + "s"
}
