package plan

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var plainNumber = regexp.MustCompile(`^[0-9]+(_[0-9]+)*(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$|^\.[0-9]+$`)

// number reads a decimal number that is not negative; thousands may be set apart by underscores.
func number(text string) (float64, bool) {
	if !plainNumber.MatchString(text) {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

const rateWords = "a rate such as 500/s, 30000/m, 7200/h or 500, which is per second"

// ParseRate reads a rate and gives requests per second. ok is false where the text is none.
func ParseRate(text string) (perSecond float64, ok bool) {
	count, unit, given := strings.Cut(strings.TrimSpace(text), "/")
	f, ok := number(strings.TrimSpace(count))
	if !ok || !given {
		return f, ok
	}
	switch strings.TrimSpace(unit) {
	case "s":
		return f, true
	case "m":
		return f / 60, true
	case "h":
		return f / 3600, true
	}
	return 0, false
}

const lengthWords = "a duration with its unit, such as 90s, 5m, 4h or 2d"

var dayPart = regexp.MustCompile(`^([0-9]{1,6})d(.*)$`)

// ParseLength reads a duration as time.ParseDuration does, with days in front: 2d, 1d12h.
func ParseLength(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	days := time.Duration(0)
	if parts := dayPart.FindStringSubmatch(text); parts != nil {
		n, _ := strconv.Atoi(parts[1])
		if n > 100_000 {
			return 0, false
		}
		days, text = time.Duration(n)*24*time.Hour, parts[2]
		if text == "" {
			return days, true
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d > math.MaxInt64-days || d < 0 && days > 0 {
		return 0, false
	}
	return days + d, true
}

const shareWords = "a share such as 1% or 0.01"

// ParseShare reads a share. A bare number of 1 or more is none: it is more likely meant as a percentage.
func ParseShare(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if percent, given := strings.CutSuffix(text, "%"); given {
		f, ok := number(strings.TrimSpace(percent))
		return f / 100, ok && f <= 100
	}
	f, ok := number(text)
	return f, ok && f < 1
}
