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
	Pattern  string // for editors: a regular expression that the plain text matches
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
		return moment(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, "a day such as 2026-12-31", time.DateOnly)
	case s.Format == "date-time":
		return moment("", "a date-time with its offset, such as 2025-01-01T00:00:00Z", time.RFC3339Nano)
	case s.Enum != nil:
		var list []string
		for _, one := range s.Enum {
			list = append(list, fmt.Sprint(one))
		}
		return only("one of "+strings.Join(list, ", "), list...)
	case s.Type == "boolean":
		return only("true or false", "true", "false")
	case s.Type == "integer" || s.Type == "number":
		return number(s)
	}
	return Check(func(string) *Mismatch { return nil })
}

// only is a text of a few.
func only(expected string, list ...string) Text {
	return Amount(expected, func(text string) (string, bool) { return text, slices.Contains(list, text) })
}

// number is a number within the bounds of its schema.
func number(s *jsonschema.Schema) Text {
	bound := func(n json.Number, otherwise float64) float64 {
		if f, err := n.Float64(); err == nil {
			return f
		}
		return otherwise
	}
	least, above := bound(s.Minimum, math.Inf(-1)), bound(s.ExclusiveMinimum, math.Inf(-1))
	most := bound(s.Maximum, math.MaxFloat64)
	expected := "a number"
	if s.Type == "integer" {
		expected = "a whole number"
	}
	switch {
	case s.ExclusiveMinimum != "":
		expected += " greater than " + s.ExclusiveMinimum.String()
	case s.Maximum != "":
		expected += fmt.Sprintf(" from %s to %s", s.Minimum, s.Maximum)
	case s.Minimum != "":
		expected += " of at least " + s.Minimum.String()
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
		return text, err == nil && f >= least && f > above && f <= most
	})
}

// moment is a time in one layout.
func moment(pattern, expected, layout string) Text {
	t := Amount(expected, func(text string) (string, bool) {
		at, err := time.Parse(layout, text)
		return text, err == nil && at.Year() > 0
	})
	t.Pattern = pattern
	return t
}

// Timeout is a duration greater than zero; most bounds it, unless it is 0.
func Timeout(most time.Duration) Text {
	if most == 0 {
		return Duration("a duration greater than zero with its unit, such as 15s or 2m", 1, math.MaxInt64)
	}
	return Duration(fmt.Sprintf("a duration greater than zero and at most %gh with its unit, such as 15s or 2m", most.Hours()), 1, most)
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
	text = strings.TrimSpace(text)
	days := time.Duration(0)
	if parts := dayPart.FindStringSubmatch(text); parts != nil {
		n, _ := strconv.Atoi(parts[1])
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
