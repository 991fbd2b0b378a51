package plan

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/yamlschema"
)

var numberPattern = regexp.MustCompile(
	`^[0-9]+(_[0-9]+)*(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$|^\.[0-9]+$`)

// parseNumber reads a non-negative decimal number, in which underscores may separate thousands.
func parseNumber(text string) (float64, bool) {
	if !numberPattern.MatchString(text) {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// ParseRate reads a rate such as 500/s, 50/1s or 500, which is per second, and returns requests
// per second. ok is false if the text is not a rate.
func ParseRate(text string) (perSecond float64, ok bool) {
	count, unit, given := strings.Cut(strings.TrimSpace(text), "/")
	f, ok := parseNumber(strings.TrimSpace(count))
	if !ok || !given {
		return f, ok
	}
	unit = strings.TrimSpace(unit)
	if strings.Trim(unit, "smh") == "" { // 500/s means 500/1s
		unit = "1" + unit
	}
	per, err := time.ParseDuration(unit)
	return f / per.Seconds(), err == nil && per > 0 && f/per.Seconds() <= math.MaxFloat64
}

// ParseShare reads a share such as 1% or 0.01. It rejects a bare number of 1 or more, which
// probably means a percentage.
func ParseShare(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if percent, given := strings.CutSuffix(text, "%"); given {
		f, ok := parseNumber(strings.TrimSpace(percent))
		return f / 100, ok && f <= 100
	}
	f, ok := parseNumber(text)
	return f, ok && f < 1
}

// AmountFormats returns the formats of amounts in plans, by name, for other files that hold
// amounts. A suffix _above_0 or _below_1 names a bound.
func AmountFormats() map[string]yamlschema.ScalarFormat {
	const rate, share = "a rate such as 500/s, 50/1s, 3000/1m, 7200/h or 500, which is per second",
		"a share such as 1% or 0.01"
	all := math.Inf(1)
	return map[string]yamlschema.ScalarFormat{
		"rate":          newAmountFormat(rate, ParseRate, -1, all),
		"rate_above_0":  newAmountFormat(rate+", greater than 0", ParseRate, 0, all),
		"share":         newAmountFormat(share, ParseShare, -1, all),
		"share_below_1": newAmountFormat(share+", below 1", ParseShare, -1, 1),
		"weight":        newAmountFormat("a weight below 1000000000, such as 3", parseNumber, -1, 1e9),
	}
}

func newAmountFormat(expected string, parse func(string) (float64, bool), above, below float64,
) yamlschema.ScalarFormat {
	read := func(text string) (string, bool) {
		f, ok := parse(text)
		return strconv.FormatFloat(f, 'g', -1, 64), ok && f > above && f < below
	}
	return yamlschema.ScalarFormat{Expected: expected, Amount: true, Read: read}
}
