package strictyaml

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// Text is how the text of a scalar is written.
type Text struct {
	Expected string // completes the sentence "expected ..."
	Amount   bool   // it stands for something else than text, and needs no quotes whatever it looks like
	// Read gives the text as the decoder takes it, or what is wrong with it.
	Read func(text string) (plain string, wrong *Mismatch)
}

// Mismatch is why a text is refused. Expected completes the sentence "expected ...".
type Mismatch struct {
	Expected, Hint string
	Conceal        bool // the text holds a secret: show nothing of it
}

// Check makes a Text of a test; nil is fine.
func Check(test func(text string) *Mismatch) Text {
	return Text{Expected: "text", Read: func(text string) (string, *Mismatch) { return text, test(text) }}
}

// Amount makes a Text of a conversion.
func Amount(expected string, convert func(text string) (plain string, ok bool)) Text {
	return Text{Expected: expected, Amount: true, Read: func(text string) (string, *Mismatch) {
		plain, ok := convert(text)
		if !ok {
			return "", &Mismatch{Expected: expected}
		}
		return plain, nil
	}}
}

// text is how a scalar is written according to its schema.
func (f *Format) text(s *jsonschema.Schema) Text {
	if t, ok := f.Texts[s.Format]; ok {
		return t
	}
	switch {
	case s.Format == "duration":
		return Duration("a duration with its unit, such as 90s, 5m, 4h or 2d", math.MinInt64, math.MaxInt64)
	case s.Format == "date":
		return moment("a day such as 2026-12-31", time.DateOnly)
	case s.Format == "date-time":
		return moment("a date-time with its offset, such as 2025-01-01T00:00:00Z", time.RFC3339Nano)
	case s.Type == "boolean":
		return only("true or false", "true", "false")
	case s.Enum != nil:
		words := strings.Fields(strings.Trim(fmt.Sprint(s.Enum), "[]"))
		return only("one of "+strings.Join(words, ", "), words...)
	case s.Type == "integer" || s.Type == "number":
		return number(s)
	}
	return Check(func(string) *Mismatch { return nil })
}

func only(expected string, words ...string) Text {
	return Amount(expected, func(text string) (string, bool) { return text, slices.Contains(words, text) })
}

// number is a number within the bounds of its schema.
func number(s *jsonschema.Schema) Text {
	expected := map[string]string{"integer": "a whole number", "number": "a number"}[s.Type]
	switch {
	case s.ExclusiveMinimum != "":
		expected += " greater than " + string(s.ExclusiveMinimum)
	case s.Maximum != "":
		expected += fmt.Sprintf(" from %s to %s", s.Minimum, s.Maximum)
	case s.Minimum != "":
		expected += " of at least " + string(s.Minimum)
	}
	// violates reports whether a number lies on the wrong side of a bound, where there is one.
	violates := func(bound json.Number, wrong func(limit float64) bool) bool {
		limit, err := bound.Float64()
		return err == nil && wrong(limit)
	}
	return Amount(expected, func(text string) (string, bool) {
		n := yaml.Node{Kind: yaml.ScalarNode, Value: text}
		var f float64
		err := n.Load(&f)
		if s.Type == "integer" {
			var whole int64
			err = n.Load(&whole)
			f, text = float64(whole), strconv.FormatInt(whole, 10)
		}
		return text, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) &&
			!violates(s.Minimum, func(limit float64) bool { return f < limit }) &&
			!violates(s.ExclusiveMinimum, func(limit float64) bool { return f <= limit }) &&
			!violates(s.Maximum, func(limit float64) bool { return f > limit })
	})
}

// moment is a time in one layout.
func moment(expected, layout string) Text {
	return Amount(expected, func(text string) (string, bool) {
		at, err := time.Parse(layout, text)
		return text, err == nil && at.Year() > 0
	})
}

// Timeout is a duration greater than zero; most bounds it, unless it is 0.
func Timeout(most time.Duration) Text {
	bound := ""
	if most == 0 {
		most = math.MaxInt64
	} else {
		bound = fmt.Sprintf(" and at most %gh", most.Hours())
	}
	return Duration("a duration greater than zero"+bound+" with its unit, such as 15s or 2m", 1, most)
}

// Duration is a duration within bounds.
func Duration(expected string, least, most time.Duration) Text {
	return Amount(expected, func(text string) (string, bool) {
		d, ok := ParseDuration(text)
		return d.String(), ok && d >= least && d <= most
	})
}

var dayPart = regexp.MustCompile(`^([0-9]{1,5})d(.*)$`)

// ParseDuration reads a duration as time.ParseDuration does, with days in front: 2d, 1d12h.
func ParseDuration(text string) (time.Duration, bool) {
	days, text := time.Duration(0), strings.TrimSpace(text)
	if parts := dayPart.FindStringSubmatch(text); parts != nil {
		n, _ := strconv.Atoi(parts[1])
		days, text = time.Duration(n)*24*time.Hour, "0s"+parts[2]
	}
	d, err := time.ParseDuration(text)
	return days + d, err == nil && d <= math.MaxInt64-days && (d >= 0 || days == 0)
}
