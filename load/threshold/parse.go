package threshold

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

// Error says what is wrong with a condition and where.
type Error struct {
	Expr    string
	Column  int // in characters, from 1
	Message string
}

func (e *Error) Error() string {
	shown, caret := strictyaml.Cut(strings.ReplaceAll(e.Expr, "\t", " "), e.Column)
	return fmt.Sprintf("column %d: %s\n    %s\n    %s^", e.Column, e.Message, shown, strings.Repeat(" ", caret))
}

// unit of a value.
type unit int

const (
	number unit = iota
	percent
	duration    // in nanoseconds
	eachSeconds // requests per second
)

// Condition is a measure that is compared with a value.
type Condition struct {
	measure measure
	op      string
	value   float64
	unit    unit
}

// String writes the condition in its one spelling.
func (c Condition) String() string {
	return c.measure.String() + c.op + literal(c.value, c.unit)
}

func literal(v float64, u unit) string {
	switch u {
	case percent:
		return strconv.FormatFloat(v, 'f', -1, 64) + "%"
	case duration:
		return time.Duration(v).String()
	case eachSeconds:
		return strconv.FormatFloat(v, 'f', -1, 64) + "/s"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

type parser struct {
	text string
	at   int
}

func (p *parser) fail(at int, format string, args ...any) error {
	return &Error{Expr: p.text, Column: utf8.RuneCountInString(p.text[:at]) + 1, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// take moves over the bytes that belong.
func (p *parser) take(belongs func(byte) bool) string {
	from := p.at
	for p.at < len(p.text) && belongs(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.'
}

// parse reads a condition, and what tail makes of what follows one of the words.
func parse(expr string, tail func(*parser) error, words ...string) (Condition, error) {
	p := &parser{text: expr}
	c, err := p.condition()
	if err != nil {
		return c, err
	}
	p.space()
	if at := p.at; at < len(p.text) {
		word := p.take(isWord)
		if !slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(word, w) }) {
			return c, p.fail(at, "the condition ends here, or goes on with \"%s\"", strings.Join(words, `" or "`))
		}
		p.space()
		if err := tail(p); err != nil {
			return c, err
		}
		p.space()
	}
	if p.at < len(p.text) {
		return c, p.fail(p.at, "nothing may follow here; write each condition as an option of its own")
	}
	return c, nil
}

// condition reads MEASURE OP VALUE.
func (p *parser) condition() (Condition, error) {
	var c Condition
	if len(p.text) > 1000 {
		return c, p.fail(0, "the condition is %d bytes long; 1000 are allowed", len(p.text))
	}
	p.space()
	start := p.at
	word := p.take(isWord)
	if word == "" {
		return c, p.fail(start, "a measure is missing; allowed are %s", allowed())
	}
	var problem string
	if c.measure, problem = readMeasure(word); problem != "" {
		return c, p.fail(start, "%s", problem)
	}
	p.space()
	opAt := p.at
	c.op = p.take(func(b byte) bool { return strings.IndexByte("<>=!", b) >= 0 })
	switch c.op {
	case "<", "<=", ">", ">=", "==", "!=":
	case "=":
		return c, p.fail(opAt, "= does not compare; write == for equal, or one of < <= > >= !=")
	case "":
		return c, p.fail(opAt, "a comparison is missing after %s: one of < <= > >= == !=", word)
	default:
		return c, p.fail(opAt, "unknown comparison %s; allowed are < <= > >= == !=", c.op)
	}
	p.space()
	valueAt := p.at
	if err := p.value(&c); err != nil {
		return c, err
	}
	if c.measure.count == "" && (c.op == "==" || c.op == "!=") {
		return c, p.fail(opAt, "%s is a measured value, which is never exactly another; use < <= > or >=", c.measure)
	}
	if c.unit == percent && (c.value > 100 && c.measure.count != "" || c.value > 1000) {
		return c, p.fail(valueAt, "%s is more than is possible", literal(c.value, c.unit))
	}
	return c, nil
}

// value reads the right side in the unit that the measure has.
func (p *parser) value(c *Condition) error {
	at := p.at
	text := p.take(func(b byte) bool { return isWord(b) || b >= 0x80 || b == '%' || b == '/' || b == '-' || b == '+' })
	if text == "" {
		return p.fail(at, "a value is missing: %s", expected(c.measure))
	}
	wrong := func() error { return p.fail(at, "found %q, expected %s", text, expected(c.measure)) }
	if c.measure.time != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			if strings.Trim(text, "0123456789.") == "" {
				return p.fail(at, "%s has no unit, write %sms or %ss", text, text, text)
			}
			return wrong()
		}
		c.value, c.unit = float64(d), duration
		return nil
	}
	digits := text
	if rest, ok := strings.CutSuffix(text, "%"); ok {
		digits, c.unit = rest, percent
	} else if rest, ok := strings.CutSuffix(text, "/s"); ok {
		digits, c.unit = rest, eachSeconds
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || v < 0 || math.IsNaN(v) || v > 1e15 || strings.Trim(digits, "0123456789.") != "" {
		return wrong()
	}
	isRate := c.measure.count == ""
	if isRate && c.unit == number || !isRate && c.unit == eachSeconds || c.unit == number && v != math.Trunc(v) {
		return wrong()
	}
	c.value = v
	return nil
}

func expected(m measure) string {
	switch {
	case m.time != "":
		return "a time such as 300ms, 1.5s or 2m"
	case m.count != "":
		return "a whole number such as 0, or a share such as 0.1%"
	}
	return "a share of the target such as 99%, or a rate such as 480/s"
}
