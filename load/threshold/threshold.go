// Package threshold parses and judges the conditions of a load run: thresholds, which must hold
// for it to pass (--slo), and abort rules, which end it early (--abort-on).
//
//	MEASURE OP VALUE [for STAGE]        p99<300ms   errors<0.1%   service.p50<20ms for "warm up"
//	MEASURE OP VALUE [for DURATION]     errors>20% for 10s       (--abort-on)
//
// A time without a prefix is response time, which counts from the moment that a request was due by
// the schedule; service., lag. and file. name the others. Times cover every request sent, however
// it was answered.
package threshold

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
)

// A Condition compares a measure with a limit.
type Condition struct {
	Expr    string // as written, with what follows the condition, trimmed
	measure measure
	op      string
	limit   float64 // in unit
	unit    measureUnit
}

type measureUnit int

const (
	unitCount measureUnit = iota
	unitPercent
	unitDuration  // in nanoseconds
	unitPerSecond // requests
)

func milliseconds(ns float64) float64 { return ns / float64(time.Millisecond) }

// toRecorded converts a value to the unit of records: durations to milliseconds.
func (u measureUnit) toRecorded(v float64) float64 {
	if u == unitDuration {
		return milliseconds(v)
	}
	return v
}

// formatForThreshold formats a value as in thresholds: 212ms.
func (u measureUnit) formatForThreshold(v float64) string {
	if u == unitDuration {
		return time.Duration(v).String()
	}
	return u.formatForPeople(v)
}

// formatForPeople formats a recorded value for people: 212 ms.
func (u measureUnit) formatForPeople(number float64) string {
	text := strconv.FormatFloat(number, 'f', -1, 64)
	switch {
	case u == unitPercent:
		return text + "%"
	case u == unitPerSecond:
		return text + "/s"
	case u == unitDuration && number >= 10_000:
		return strconv.FormatFloat(number/1000, 'f', -1, 64) + " s"
	case u == unitDuration:
		return text + " ms"
	}
	return text
}

// A Threshold is a condition that must hold at the end of a run, for the whole run or one stage.
type Threshold struct {
	Condition
	StageName   string // as written; empty: the whole run, or StageNumber
	StageNumber int    // from 1; 0: the whole run, or StageName until Bind
}

// An AbortRule ends a run early if its condition holds for some time.
type AbortRule struct {
	Condition
	For time.Duration // time it must hold without a break; 0: it ends the run at once
}

// LimitsFiles reports whether an expression is a threshold on files. A run with such a threshold
// gets a verdict even if no file arrived.
func LimitsFiles(expr string) bool {
	t, err := Parse(expr)
	return err == nil && (t.measure.time == TimeFile || t.measure.count == CountFileFailures)
}

// LimitsErrors reports whether a condition limits the errors of a run or a stage.
func (c Condition) LimitsErrors() bool { return c.measure.count == CountErrors }

// TimeLimit returns the kind of time that a condition limits, the percentile (100 for the
// maximum) and the limit. ok is false if the condition is not on a time, or on the mean.
func (c Condition) TimeLimit() (which TimeKind, percentile float64, limit time.Duration, ok bool) {
	if m := c.measure; m.time != "" && m.q > 0 {
		return m.time, m.q, time.Duration(c.limit), true
	}
	return "", 0, 0, false
}

// Bind finds the stage among the names of a plan's stages. "" is a stage without a name. The
// error lists the stages.
func (t *Threshold) Bind(stages []string) error {
	wanted := strconv.Itoa(t.StageNumber)
	if t.StageName != "" {
		wanted = strconv.Quote(t.StageName)
		t.StageNumber = 1 + slices.Index(stages, t.StageName)
		if t.StageNumber == 0 {
			t.StageNumber = 1 + slices.IndexFunc(stages, func(s string) bool {
				return strings.EqualFold(s, t.StageName)
			})
		}
	}
	if t.StageNumber <= len(stages) && (t.StageNumber > 0 || t.StageName == "") {
		return nil
	}
	var list []string
	for i, name := range stages {
		if name != "" {
			name = " (" + name + ")"
		}
		list = append(list, strconv.Itoa(i+1)+name)
	}
	return fmt.Errorf("the plan has no stage %s; it has %s", wanted,
		printable.Truncate(strings.Join(list, ", "), 300))
}

// A TimeKind names a kind of time.
type TimeKind string

// Kinds of times.
const (
	TimeResponse TimeKind = "response" // from the moment that the request was due by the schedule
	TimeService  TimeKind = "service"  // from the moment that it was sent
	TimeLag      TimeKind = "lag"      // how late it was sent
	TimeFile     TimeKind = "file"     // from the acceptance of an export to its file
)

// TimeNames lists the times of a run, in the order in which they are recorded.
func TimeNames() []TimeKind { return []TimeKind{TimeService, TimeResponse, TimeLag, TimeFile} }

// A CountKind names a count of requests: that of a class, by judge.Class.CountName, or one of
// the constants.
type CountKind string

// Counts other than those of classes.
const (
	// all requests neither accepted nor rightly blocked, also throttled ones
	CountErrors       CountKind = "errors"
	CountFileFailures CountKind = "file_failures"
)

func countNames() []string {
	names := []string{string(CountErrors)}
	for _, c := range judge.Classes() {
		names = append(names, c.CountName())
	}
	return append(names, string(CountFileFailures))
}

// CountValues holds the values that counts are computed from.
type CountValues struct {
	Classes                 [judge.NumClasses]int64
	Late                    int64 // sent late; in no class
	FilesFailed, FilesReady int64
}

// Sent returns the number of requests of all classes.
func (n CountValues) Sent() (sent int64) {
	for _, c := range n.Classes {
		sent += c
	}
	return sent
}

// countIn returns a count and the number that a share refers to: all requests sent, for blocks
// the requests that could count as such. none says why that number is 0.
func (c CountKind) countIn(n CountValues) (v, all float64, none string) {
	sum := func(classes ...judge.Class) (sum float64) {
		for _, class := range classes {
			sum += float64(n.Classes[class])
		}
		return sum
	}
	sent := float64(n.Sent())
	if none = "no request was sent"; n.Late > 0 {
		none = "no request was sent in time"
	}
	switch c {
	case CountErrors:
		return sent - sum(judge.ClassAccepted, judge.ClassBlocked), sent, none
	case CountFileFailures:
		return float64(n.FilesFailed), float64(n.FilesFailed + n.FilesReady), "no file was tracked"
	}
	for _, class := range judge.Classes() {
		switch {
		case class.CountName() != string(c):
		case class == judge.ClassFalseBlock:
			return sum(class), sum(class, judge.ClassAccepted), "no fresh request was judged"
		case class == judge.ClassMissedBlock:
			return sum(class), sum(class, judge.ClassBlocked), "no repeat was judged"
		default:
			return sum(class), sent, none
		}
	}
	return 0, 0, none
}

// Measures of rates.
const (
	achievedMeasure = "achieved"
	acceptedMeasure = "rate.accepted"
)

// A measure is the left side of a condition: a statistic of a time, a count, or a rate.
type measure struct {
	time  TimeKind  // empty: not a time
	q     float64   // percentile, above 0 up to 100, the maximum; 0: the mean
	count CountKind // empty: not a count; both empty: a rate

	accepted bool // the rate of accepted requests; else the achieved rate
}

func allowedMeasures() string {
	return "p50 … p99.9, mean and max (response time), the same after service., lag. or file., " +
		strings.Join(append(countNames(), achievedMeasure, acceptedMeasure), ", ")
}

func readMeasure(word string) (measure, error) {
	lower := strings.ToLower(word)
	if lower == achievedMeasure || lower == acceptedMeasure {
		return measure{accepted: lower == acceptedMeasure}, nil
	}
	if slices.Contains(countNames(), lower) {
		return measure{count: CountKind(lower)}, nil
	}
	which, stat := TimeResponse, lower
	for _, t := range TimeNames() {
		for _, separator := range []string{".", "_"} {
			if rest, ok := strings.CutPrefix(lower, string(t)+separator); ok {
				which, stat = t, rest
			}
		}
	}
	switch stat {
	case "max":
		return measure{time: which, q: 100}, nil
	case "mean":
		return measure{time: which}, nil
	}
	digits, ok := strings.CutPrefix(stat, "p")
	q, err := strconv.ParseFloat(strings.Replace(digits, "_", ".", 1), 64)
	switch {
	case !ok || err != nil || strings.Trim(digits, "0123456789._") != "":
	case q > 100 && strings.HasPrefix(digits, "99") && !strings.ContainsAny(digits, "._"):
		return measure{}, fmt.Errorf("p%s is above p100; write p%s.%s", digits, digits[:2], digits[2:])
	case q <= 0 || q > 100:
		return measure{}, fmt.Errorf("p%s is not a percentile; use p0.1 to p100", digits)
	default:
		return measure{time: which, q: q}, nil
	}
	return measure{}, fmt.Errorf("unknown measure %q; allowed are %s", word, allowedMeasures())
}
