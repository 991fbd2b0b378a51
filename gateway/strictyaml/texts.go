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
)

// Text is how the text of a scalar is written.
type Text struct {
	Type     string // what the reference calls it; empty: text
	Expected string // completes the sentence "expected ..."; empty: text
	Pattern  string // for editors: a regular expression that the plain text matches
	Style    Style
	Tag      string // YAML's, of what Read gives; empty: as it looks
	// Read gives the text as the decoder takes it, or what is wrong with it.
	Read func(text string) (plain string, wrong *Mismatch)
}

// Style is what YAML may take a scalar for.
type Style int

// The styles.
const (
	Quotable Style = iota // text: what YAML takes for something else needs quotes
	Literal               // a number or a flag, without quotes
	Either
)

// Mismatch is why a text is refused. Expected completes the sentence "expected ...".
type Mismatch struct {
	Expected, Hint string
	Conceal        bool // the text holds a secret: show nothing of it
}

// Check makes a Text of a test; nil is fine.
func Check(test func(text string) *Mismatch) Text {
	return Text{Tag: "!!str", Read: func(text string) (string, *Mismatch) { return text, test(text) }}
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
		return moment("date", `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, "a day such as 2026-12-31", time.DateOnly, nil)
	case s.Format == "date-time":
		return moment("date-time", "", "a date-time with its offset, such as 2025-01-01T00:00:00Z", time.RFC3339Nano,
			map[string]string{
				"2006-01-02T15:04:05": "add the offset: %sZ", time.DateOnly: "add the time and offset: %sT00:00:00Z",
			})
	case s.Enum != nil:
		var list []string
		for _, one := range s.Enum {
			list = append(list, fmt.Sprint(one))
		}
		t := only(strings.Join(list, " | "), "one of "+strings.Join(list, ", "), list...)
		t.Style, t.Tag = Either, "!!str"
		return t
	case s.Type == "boolean":
		t := only("true or false", "true or false", "true", "false", "True", "False", "TRUE", "FALSE")
		t.Style = Literal
		return t
	case s.Type == "integer" || s.Type == "number":
		return bounded(s)
	}
	return Check(func(string) *Mismatch { return nil })
}

// grouped is a whole number whose thousands are set apart.
var grouped = regexp.MustCompile(`^-?[0-9]{1,3}(_[0-9]{3})+$`)

// only is a text of a few.
func only(name, expected string, list ...string) Text {
	return Text{Type: name, Expected: expected, Read: func(text string) (string, *Mismatch) {
		if slices.Contains(list, text) {
			return text, nil
		}
		return "", &Mismatch{Expected: expected}
	}}
}

// bounded is a number within the bounds of its schema.
func bounded(s *jsonschema.Schema) Text {
	whole, name := s.Type == "integer", "number"
	if whole {
		name = "whole number"
	}
	bound := func(n json.Number, otherwise float64) float64 {
		if f, err := n.Float64(); err == nil {
			return f
		}
		return otherwise
	}
	least, above := bound(s.Minimum, math.Inf(-1)), bound(s.ExclusiveMinimum, math.Inf(-1))
	most := bound(s.Maximum, math.MaxFloat64)
	expected := "a " + name + between(s)
	return Text{Type: name, Expected: expected, Style: Literal, Read: func(text string) (string, *Mismatch) {
		if grouped.MatchString(text) {
			text = strings.ReplaceAll(text, "_", "")
		}
		f, err := strconv.ParseFloat(text, 64)
		if i, errInt := strconv.ParseInt(text, 0, 64); errInt == nil { // also in other bases
			text, f, err = strconv.FormatInt(i, 10), float64(i), nil
		} else if whole {
			err = errInt
		}
		if err != nil || !(f >= least && f > above && f <= most) {
			return "", &Mismatch{Expected: expected}
		}
		return text, nil
	}}
}

func between(s *jsonschema.Schema) string {
	switch {
	case s.ExclusiveMinimum != "" && s.Maximum != "":
		return fmt.Sprintf(" greater than %s and at most %s", s.ExclusiveMinimum, s.Maximum)
	case s.ExclusiveMinimum != "":
		return fmt.Sprintf(" greater than %s", s.ExclusiveMinimum)
	case s.Minimum != "" && s.Maximum != "":
		return fmt.Sprintf(" from %s to %s", s.Minimum, s.Maximum)
	case s.Minimum != "":
		return fmt.Sprintf(" of at least %s", s.Minimum)
	}
	return ""
}

// moment is a time in one layout. The hints are for texts in others.
func moment(name, pattern, expected, layout string, hints map[string]string) Text {
	return Text{Type: name, Pattern: pattern, Expected: expected, Read: func(text string) (string, *Mismatch) {
		at, err := time.Parse(layout, text)
		if err == nil && at.Year() > 0 {
			return text, nil
		}
		wrong := &Mismatch{Expected: expected}
		for other, hint := range hints {
			if _, err := time.Parse(other, text); err == nil {
				wrong.Hint = fmt.Sprintf(hint, text)
			}
		}
		return "", wrong
	}}
}

// Timeout is a duration greater than zero; most bounds it, unless it is 0.
func Timeout(most time.Duration) Text {
	expected := "a duration greater than zero with its unit, such as 15s or 2m"
	if most > 0 {
		expected = fmt.Sprintf("a duration greater than zero and at most %gh with its unit, such as 15s or 2m", most.Hours())
	}
	if most == 0 {
		most = math.MaxInt64
	}
	return Duration(expected, 1, most)
}

// Duration is a duration within bounds.
func Duration(expected string, least, most time.Duration) Text {
	return Text{Type: "duration", Expected: expected, Read: func(text string) (string, *Mismatch) {
		d, ok := ParseDuration(text)
		if ok && d >= least && d <= most {
			return d.String(), nil
		}
		wrong := &Mismatch{Expected: expected}
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			wrong.Hint = "add the unit: " + text + "s"
		}
		return "", wrong
	}}
}

var dayPart = regexp.MustCompile(`^([0-9]{1,6})d(.*)$`)

// ParseDuration reads a duration as time.ParseDuration does, with days in front: 2d, 1d12h.
func ParseDuration(text string) (time.Duration, bool) {
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
