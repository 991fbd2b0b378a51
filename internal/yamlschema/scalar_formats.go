package yamlschema

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v4"
)

// ScalarFormat is how a scalar is written.
type ScalarFormat struct {
	Expected string // completes the sentence "expected ..."
	// not text, so it never needs quotes
	Amount bool
	Words  []string // candidates for suggestions if a text is refused
	// Read returns the text in the form that the decoder expects, or false to refuse it.
	Read func(text string) (plain string, ok bool)
}

// NewScalarFormat returns a format for texts for which holds is true.
func NewScalarFormat(expected string, holds func(text string) bool) ScalarFormat {
	return ScalarFormat{
		Expected: expected, Read: func(text string) (string, bool) { return text, holds(text) },
	}
}

// FormatOf returns the format of a scalar with a schema. texts are the formats that the schema
// may name.
func FormatOf(s *jsonschema.Schema, texts map[string]ScalarFormat) ScalarFormat {
	if t, ok := texts[s.Format]; ok {
		return t
	}
	switch {
	case s.Format == "duration":
		return durationFormat("a duration with its unit, such as 90s, 5m, 4h or 2d", math.MinInt64,
			math.MaxInt64)
	case s.Format == "date":
		return timeFormat("a day such as 2026-12-31", time.DateOnly)
	case s.Format == "date-time":
		return timeFormat("a date-time with its offset, such as 2025-01-01T00:00:00Z", time.RFC3339Nano)
	case s.Type == "boolean":
		return OneOfWords("true or false", "true", "false")
	case s.Type == "integer" || s.Type == "number":
		return numberFormat(s)
	}
	return NewScalarFormat("text", func(string) bool { return true })
}

// ExpectedText describes the values of a schema, to complete the sentence "expected ...".
func ExpectedText(s *jsonschema.Schema, texts map[string]ScalarFormat) string {
	switch {
	case s.MaxItems != nil:
		return fmt.Sprintf("a list of %d items", *s.MaxItems)
	case s.Type == "array":
		return "a list"
	case s.Properties != nil:
		return "a mapping with the keys " + strings.Join(MappingKeys(s), ", ")
	case s.Type == "object":
		return "a mapping of names"
	}
	return FormatOf(s, texts).Expected
}

// OneOfWords returns a format for one of some words.
func OneOfWords(expected string, words ...string) ScalarFormat {
	t := NewScalarFormat(expected, func(text string) bool { return slices.Contains(words, text) })
	t.Amount, t.Words = true, words
	return t
}

// numberFormat returns a format for numbers within the bounds of a schema.
func numberFormat(s *jsonschema.Schema) ScalarFormat {
	expected := "a number"
	if s.Type == "integer" {
		expected = "a whole number"
	}
	least, most := -math.MaxFloat64, math.MaxFloat64
	if limit, err := s.Minimum.Float64(); err == nil {
		least, expected = limit, expected+" from "+string(s.Minimum)
	}
	if limit, err := s.Maximum.Float64(); err == nil {
		most, expected = limit, expected+" to "+string(s.Maximum)
	}
	return ScalarFormat{Expected: expected, Amount: true, Read: func(text string) (string, bool) {
		var f float64
		err := (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).Load(&f)
		return text, err == nil && f >= least && f <= most && (s.Type == "number" || f == math.Trunc(f))
	}}
}

// timeFormat returns a format for times in a layout.
func timeFormat(expected, layout string) ScalarFormat {
	return ScalarFormat{Expected: expected, Amount: true, Read: func(text string) (string, bool) {
		at, err := time.Parse(layout, text)
		return text, err == nil && at.Year() > 0
	}}
}

// TimeoutFormat returns a format for durations from above zero to most.
func TimeoutFormat(most time.Duration) ScalarFormat {
	expected := "a duration greater than zero with its unit, such as 15s or 2m"
	if most < math.MaxInt64 {
		expected += fmt.Sprintf(", at most %gh", most.Hours())
	}
	return durationFormat(expected, 1, most)
}

// durationFormat returns a format for Go durations that may also contain days: 2d, 1d12h.
func durationFormat(expected string, least, most time.Duration) ScalarFormat {
	return ScalarFormat{Expected: expected, Amount: true, Read: func(text string) (string, bool) {
		d, err := time.ParseDuration(text)
		if days, none := model.ParseDuration(text); none == nil {
			d, err = time.Duration(days), nil
		}
		return d.String(), err == nil && d >= least && d <= most
	}}
}
