// Package threshold reads and judges the conditions of a load run: what must hold for it to pass
// (--slo) and what ends it early (--abort-on).
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
)

// Condition is a measure that is compared with a limit.
type Condition struct {
	measure measure
	op      string
	limit   float64 // in unit
	unit    unit
}

type unit int

const (
	count unit = iota
	percent
	duration  // in nanoseconds
	perSecond // requests
)

func milliseconds(ns float64) float64 { return ns / float64(time.Millisecond) }

// number is a value as records hold it: durations in milliseconds.
func (u unit) number(v float64) float64 {
	if u == duration {
		return milliseconds(v)
	}
	return v
}

// text writes a value as thresholds are written: 212ms.
func (u unit) text(v float64) string {
	if u == duration {
		return time.Duration(v).String()
	}
	return u.words(v)
}

// words writes a recorded number for people: 212 ms.
func (u unit) words(number float64) string {
	suffix := map[unit]string{percent: "%", perSecond: "/s", duration: " ms"}[u]
	if u == duration && number >= 10_000 {
		number, suffix = number/1000, " s"
	}
	return strconv.FormatFloat(number, 'f', -1, 64) + suffix
}

// Threshold is a condition that must hold at the end of a run, for all of it or for one stage.
type Threshold struct {
	Condition
	StageName   string // as written; empty: the whole run, or StageNumber
	StageNumber int    // from 1; 0: the whole run, or StageName until Bind
	Expr        string // as written, trimmed
}

// Rule ends a run early when its condition holds for a while.
type Rule struct {
	Condition
	For  time.Duration // how long it must hold without a break; 0: it ends the run at once
	Expr string        // as written, trimmed
}

// OnFiles reports whether an expression is a threshold on files, which decides what becomes of a
// run that got none.
func OnFiles(expr string) bool {
	t, err := Parse(expr)
	return err == nil && (t.measure.time == File || t.measure.count == FileFailures)
}

// OnErrors reports whether a condition limits the errors of a run or a stage.
func (c Condition) OnErrors() bool { return c.measure.count == Errors }

// TimeLimit returns the time that a condition limits, the percentile (100 for the maximum) and the
// limit. It is false for a condition on something else or on the mean.
func (c Condition) TimeLimit() (which Time, percentile float64, limit time.Duration, ok bool) {
	if m := c.measure; m.time != "" && m.q > 0 {
		return m.time, m.q, time.Duration(c.limit), true
	}
	return "", 0, 0, false
}

// Bind resolves the stage against the names of a plan's stages, "" for a stage without one. The
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
		printable.Clip(strings.Join(list, ", "), 300))
}
