package threshold

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// expressionPattern splits any text into MEASURE OP VALUE WORD REST. Missing parts are empty.
var expressionPattern = regexp.MustCompile(`(?s)^[ \t]*([\w.]*)[ \t]*([<>=!]*)[ \t]*` +
	`([^ \t]*)[ \t]*([^ \t]*)[ \t]*(.*?)[ \t]*$`)

type expressionParts struct{ measure, op, value, word, rest string }

func splitExpression(expr string) expressionParts {
	p := expressionPattern.FindStringSubmatch(expr)
	return expressionParts{p[1], p[2], p[3], p[4], p[5]}
}

// Parse reads a threshold such as "p99<300ms" or "errors<0.1% for stage 2". The error does not
// repeat the expression.
func Parse(expr string) (t Threshold, err error) {
	c, s, err := parseCondition(expr, "for", "in")
	t.Condition = c
	if err == nil && s.word != "" {
		err = t.parseStage(s.rest)
	}
	return t, err
}

// String returns the threshold in a normal form: without spaces, in lower case, and without the
// prefix "response.".
func (t Threshold) String() string {
	s := splitExpression(t.Expr)
	text := strings.TrimPrefix(strings.ToLower(s.measure), "response.") + s.op + s.value
	if s.word != "" {
		text += " for " + s.rest
	}
	return text
}

// stagePattern matches a stage, with or without quotes, and the rest.
var stagePattern = regexp.MustCompile(
	`(?s)^(?:(?i:stage)[ \t]+)?("[^"]*"|'[^']*'|[^ \t"']+)[ \t]*(.*)$`)

// parseStage reads [stage] NUMBER | NAME | "NAME".
func (t *Threshold) parseStage(text string) error {
	found := stagePattern.FindStringSubmatch(text)
	switch {
	case text == "":
		return errors.New("a stage is missing, by number or name")
	case found == nil:
		return errors.New("the quoted name has no end")
	case found[2] != "":
		return fmt.Errorf("nothing may follow %s; write each condition as its own flag", found[1])
	}
	t.StageName = found[1]
	if name := strings.Trim(t.StageName, `"'`); name != t.StageName {
		if t.StageName = name; strings.TrimSpace(name) == "" {
			return errors.New("the name of the stage is empty")
		}
		return nil
	}
	if n, err := strconv.Atoi(t.StageName); err == nil {
		if t.StageName, t.StageNumber = "", n; n < 1 {
			return errors.New("stages are counted from 1")
		}
	} else if _, err := time.ParseDuration(t.StageName); err == nil {
		return errors.New("expected a stage, by number or name; a time belongs to --abort-on")
	}
	return nil
}

// ParseAbortRule reads a rule such as "errors>20% for 10s" or "missed_blocks>0". The error is like
// that of Parse.
func ParseAbortRule(expr string) (r AbortRule, err error) {
	c, s, err := parseCondition(expr, "for")
	r.Condition = c
	if err != nil || s.word == "" {
		return r, err
	}
	if r.For, err = time.ParseDuration(s.rest); err != nil || r.For <= 0 || r.For > 24*time.Hour {
		return r, fmt.Errorf("found %q, expected how long it must hold, such as 10s; a stage "+
			"belongs to --slo", s.rest)
	}
	return r, nil
}

// parseCondition reads MEASURE OP VALUE. The next word, if any, must be one of words.
func parseCondition(expr string, words ...string) (c Condition, s expressionParts, err error) {
	s = splitExpression(expr)
	c.Expr, c.op = strings.TrimSpace(expr), s.op
	switch {
	case len(expr) > 1000:
		return c, s, fmt.Errorf("the condition is %d bytes long; 1000 are allowed", len(expr))
	case s.measure == "":
		return c, s, fmt.Errorf("a measure is missing; allowed are %s", allowedMeasures())
	}
	if c.measure, err = readMeasure(s.measure); err != nil {
		return c, s, err
	}
	switch c.op {
	case "<", "<=", ">", ">=", "==", "!=":
	case "=":
		return c, s, errors.New("= does not compare; write == for equal, or one of < <= > >= !=")
	case "":
		return c, s, fmt.Errorf("a comparison is missing after %s: one of < <= > >= == !=", s.measure)
	default:
		return c, s, fmt.Errorf("unknown comparison %s; allowed are < <= > >= == !=", c.op)
	}
	if err := c.parseValue(s.value); err != nil {
		return c, s, err
	}
	if s.word != "" && !slices.Contains(words, strings.ToLower(s.word)) {
		return c, s, fmt.Errorf("after %s the condition ends, or goes on with \"%s\"", s.value,
			strings.Join(words, `" or "`))
	}
	return c, s, nil
}

func (c *Condition) parseValue(text string) error {
	isTime, isRate := c.measure.time != "", c.measure.time == "" && c.measure.count == ""
	expected := "a whole number such as 0, or a share such as 0.1%"
	if isTime {
		expected = "a time such as 300ms, 1.5s or 2m"
	} else if isRate {
		expected = "a share of the target such as 99%, or a rate such as 480/s"
	}
	digits := strings.TrimSuffix(text, "%")
	var valid bool
	switch rest, isPerSecond := strings.CutSuffix(text, "/s"); {
	case text == "":
		return fmt.Errorf("a value is missing: %s", expected)
	case isTime && strings.Trim(text, "0123456789.") == "":
		return fmt.Errorf("%s has no unit, write %sms or %ss", text, text, text)
	case isTime:
		d, err := time.ParseDuration(text)
		c.limit, c.unit, valid = float64(d), unitDuration, err == nil && d >= 0
	case digits != text:
		c.unit = unitPercent
	case isPerSecond:
		digits, c.unit = rest, unitPerSecond
	}
	if !isTime {
		v, err := strconv.ParseFloat(digits, 64)
		c.limit = v
		valid = err == nil && v <= 1e15 && strings.Trim(digits, "0123456789.") == "" &&
			(c.unit == unitPercent || isRate == (c.unit == unitPerSecond) && (isRate || v == math.Trunc(v)))
	}
	switch {
	case !valid:
		return fmt.Errorf("found %q, expected %s", text, expected)
	case c.measure.count == "" && (c.op == "==" || c.op == "!="):
		return errors.New("a measured value is never exactly another; use < <= > or >=")
	case c.unit == unitPercent && (c.limit > 100 && c.measure.count != "" || c.limit > 1000):
		return fmt.Errorf("%s is more than is possible", text)
	}
	return nil
}
