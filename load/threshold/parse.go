package threshold

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// grammar takes any text apart: MEASURE OP VALUE WORD REST. What is not there is empty.
var grammar = regexp.MustCompile(`(?s)^[ \t]*([\w.]*)[ \t]*([<>=!]*)[ \t]*([^ \t]*)[ \t]*([^ \t]*)[ \t]*(.*?)[ \t]*$`)

// The parts of a condition, as the grammar numbers them.
const (
	theMeasure = 1 + iota
	theOp
	theValue
	theWord
	theRest
)

// source is a condition as it is written.
type source struct {
	text string
	at   []int
}

func (s source) part(n int) string { return s.text[s.at[2*n]:s.at[2*n+1]] }

// fail is an error at a part.
func (s source) fail(part int, format string, args ...any) error {
	return s.failAt(s.at[2*part], format, args...)
}

func (s source) failAt(at int, format string, args ...any) error {
	return &Error{Expr: s.text, Column: utf8.RuneCountInString(s.text[:at]) + 1, Message: fmt.Sprintf(format, args...)}
}

// Parse reads a threshold such as "p99<300ms" or "errors<0.1% for stage 2". It fails with an *Error.
func Parse(expr string) (t Threshold, err error) {
	c, s, err := parse(expr, "for", "in")
	t = Threshold{Condition: c, Expr: strings.TrimSpace(expr)}
	if err == nil && s.part(theWord) != "" {
		err = t.stage(s)
	}
	return t, err
}

// String is the threshold without blanks and the like, so that two spellings of one are the same.
func (t Threshold) String() string {
	s := source{t.Expr, grammar.FindStringSubmatchIndex(t.Expr)}
	text := strings.TrimPrefix(strings.ToLower(s.part(theMeasure)), "response.") + s.part(theOp) + s.part(theValue)
	if s.part(theWord) != "" {
		text += " for " + s.part(theRest)
	}
	return text
}

// stageName is a stage, in quotes or without, and what follows.
var stageName = regexp.MustCompile(`(?s)^(?:(?i:stage)[ \t]+)?("[^"]*"|'[^']*'|[^ \t"']+)[ \t]*(.*)$`)

// stage reads [stage] NUMBER | NAME | "NAME".
func (t *Threshold) stage(s source) error {
	rest, from := s.part(theRest), s.at[2*theRest]
	found := stageName.FindStringSubmatchIndex(rest)
	switch {
	case rest == "":
		return s.fail(theRest, "a stage is missing, by number or name")
	case found == nil:
		return s.fail(theRest, "the quoted name has no end")
	case found[4] < found[5]:
		return s.failAt(from+found[4], "nothing may follow here; write each condition as an option of its own")
	}
	t.StageName = rest[found[2]:found[3]]
	if name := strings.Trim(t.StageName, `"'`); name != t.StageName {
		if t.StageName = name; strings.TrimSpace(name) == "" {
			return s.failAt(from+found[2], "the name of the stage is empty")
		}
		return nil
	}
	if n, err := strconv.Atoi(t.StageName); err == nil {
		if t.StageName, t.StageNumber = "", n; n < 1 {
			return s.failAt(from+found[2], "stages are counted from 1")
		}
	} else if _, err := time.ParseDuration(t.StageName); err == nil {
		return s.failAt(from+found[2], "expected a stage, by number or name; a time belongs to --abort-on")
	}
	return nil
}

// ParseRule reads a rule such as "errors>20% for 10s" or "missed_blocks>0". It fails with an *Error.
func ParseRule(expr string) (r Rule, err error) {
	c, s, err := parse(expr, "for")
	r = Rule{Condition: c, Expr: strings.TrimSpace(expr)}
	if err != nil || s.part(theWord) == "" {
		return r, err
	}
	if r.For, err = time.ParseDuration(s.part(theRest)); err != nil || r.For <= 0 || r.For > 24*time.Hour {
		return r, s.fail(theRest, "found %q, expected how long it must hold, such as 10s; a stage belongs to --slo",
			s.part(theRest))
	}
	return r, nil
}

// parse reads MEASURE OP VALUE, and sees that what follows begins with one of the words.
func parse(expr string, words ...string) (c Condition, s source, err error) {
	s = source{expr, grammar.FindStringSubmatchIndex(expr)}
	if len(expr) > 1000 {
		return c, s, s.failAt(0, "the condition is %d bytes long; 1000 are allowed", len(expr))
	}
	word := s.part(theMeasure)
	if word == "" {
		return c, s, s.fail(theMeasure, "a measure is missing; allowed are %s", allowed())
	}
	var problem string
	if c.measure, problem = readMeasure(word); problem != "" {
		return c, s, s.fail(theMeasure, "%s", problem)
	}
	switch c.op = s.part(theOp); c.op {
	case "<", "<=", ">", ">=", "==", "!=":
	case "=":
		return c, s, s.fail(theOp, "= does not compare; write == for equal, or one of < <= > >= !=")
	case "":
		return c, s, s.fail(theOp, "a comparison is missing after %s: one of < <= > >= == !=", word)
	default:
		return c, s, s.fail(theOp, "unknown comparison %s; allowed are < <= > >= == !=", c.op)
	}
	if err := c.read(s); err != nil {
		return c, s, err
	}
	if word := s.part(theWord); word != "" &&
		!slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(word, w) }) {
		return c, s, s.fail(theWord, "the condition ends here, or goes on with \"%s\"", strings.Join(words, `" or "`))
	}
	return c, s, nil
}

// read reads the right side in the unit that the measure has.
func (c *Condition) read(s source) error {
	text := s.part(theValue)
	isTime, isRate := c.measure.time != "", c.measure.time == "" && c.measure.count == ""
	expected := "a whole number such as 0, or a share such as 0.1%"
	if isTime {
		expected = "a time such as 300ms, 1.5s or 2m"
	} else if isRate {
		expected = "a share of the target such as 99%, or a rate such as 480/s"
	}
	digits := strings.TrimSuffix(text, "%")
	var valid bool
	switch rest, perSecond := strings.CutSuffix(text, "/s"); {
	case text == "":
		return s.fail(theValue, "a value is missing: %s", expected)
	case isTime && strings.Trim(text, "0123456789.") == "":
		return s.fail(theValue, "%s has no unit, write %sms or %ss", text, text, text)
	case isTime:
		d, err := time.ParseDuration(text)
		c.value, c.unit, valid = float64(d), duration, err == nil && d >= 0
	case digits != text:
		c.unit = percent
	case perSecond:
		digits, c.unit = rest, eachSeconds
	}
	if !isTime {
		v, err := strconv.ParseFloat(digits, 64)
		c.value = v
		valid = err == nil && v <= 1e15 && strings.Trim(digits, "0123456789.") == "" &&
			(c.unit == percent || isRate == (c.unit == eachSeconds) && (isRate || v == math.Trunc(v)))
	}
	switch {
	case !valid:
		return s.fail(theValue, "found %q, expected %s", text, expected)
	case c.measure.count == "" && (c.op == "==" || c.op == "!="):
		return s.fail(theOp, "%s is a measured value, which is never exactly another; use < <= > or >=", s.part(theMeasure))
	case c.unit == percent && (c.value > 100 && c.measure.count != "" || c.value > 1000):
		return s.fail(theValue, "%s is more than is possible", text)
	}
	return nil
}
