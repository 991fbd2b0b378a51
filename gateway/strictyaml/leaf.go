package strictyaml

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// leaf reads one scalar into its place.
func (r *Reader) leaf(k *Key, path string, n *yaml.Node, at place, v reflect.Value) bool {
	if n.Kind != yaml.ScalarNode {
		r.add(path, at, expected(k.expectation(), describe(n, k.secret)), "")
		return false
	}
	text, shown := n.Value, describe(n, k.secret)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		text = strings.TrimRight(text, "\n")
	}
	foreign := r.from.lines == nil // a flag is text whatever it looks like
	if !foreign && isText(n) && refers(text) {
		var ok bool
		if text, shown, ok = r.resolved(k, path, text, at); !ok {
			return false
		}
		foreign, r.referred[path] = true, true
	}
	if text == "" {
		if r.format.Explicit {
			r.add(path, at, expected(k.expectation(), `""`), "")
		}
		return false
	}
	if hint, fits := k.leafType().fits(n); !fits && !foreign { // what comes from elsewhere is always text
		r.add(path, at, expected(k.expectation(), shown), hint)
		return false
	}
	if k.check.Test != nil {
		if m := k.check.Test(text); m != nil {
			if m.Conceal {
				r.conceal(n, true)
				shown = "a value that is not shown"
			}
			r.add(path, at, expected(m.Expected, shown), m.Hint)
			return false
		}
	}
	if !k.store(v, text) {
		r.add(path, at, expected(k.expectation(), shown), k.remedy(text))
		return false
	}
	return true
}

// leafType is what the text of a leaf is read as.
type leafType struct {
	name     string                                    // in the reference
	expected string                                    // completes the sentence "expected ..."
	schema   string                                    // its JSON type; empty: string
	fits     func(n *yaml.Node) (hint string, ok bool) // reports whether YAML's type is right
	parse    func(text string) (any, float64, bool)    // the value, and as a number that may have bounds
}

func (k *Key) leafType() leafType {
	switch {
	case k.unit != nil:
		return leafType{k.unit.Type, k.unit.Words + k.beyond(), "", anyScalar, func(text string) (any, float64, bool) {
			f, ok := k.unit.Parse(text)
			return f, f, ok
		}}
	case k.enum != nil:
		name, expected := strings.Join(k.enum, " | "), "one of "+strings.Join(k.enum, ", ")
		return leafType{name, expected, "", anyScalar, func(text string) (any, float64, bool) {
			return text, 0, slices.Contains(k.enum, text)
		}}
	case k.of == reflect.TypeFor[time.Duration]():
		expected := "a duration with its unit, such as 90s, 5m, 4h or 2d"
		if k.above {
			expected = "a duration greater than zero" + k.longest() + " with its unit, such as 15s or 2m"
		}
		fits := func(n *yaml.Node) (string, bool) { return k.remedy(n.Value), isText(n) }
		return leafType{"duration", expected, "", fits, func(text string) (any, float64, bool) {
			d, ok := ParseDuration(text)
			return d, d.Seconds(), ok
		}}
	case k.day:
		return leafType{"date", "a day such as 2026-12-31", "", plainText, instant(time.DateOnly)}
	case k.of == reflect.TypeFor[time.Time]():
		expected := "a date-time with its offset, such as 2025-01-01T00:00:00Z"
		return leafType{"date-time", expected, "", plainText, instant(time.RFC3339Nano)}
	case k.of.Kind() == reflect.Bool:
		fits := func(n *yaml.Node) (string, bool) { return "", n.ShortTag() == "!!bool" }
		return leafType{"true or false", "true or false", "boolean", fits, func(text string) (any, float64, bool) {
			lower := strings.ToLower(text)
			return lower == "true", 0, lower == "true" || lower == "false"
		}}
	case k.of.Kind() == reflect.Int || k.of.Kind() == reflect.Int64:
		return leafType{"whole number", "a whole number" + k.between(), "integer", number, whole}
	case k.of.Kind() == reflect.Float64:
		return leafType{"number", "a number" + k.between(), "number", number, func(text string) (any, float64, bool) {
			f, err := strconv.ParseFloat(text, 64)
			if n, errInt := strconv.ParseInt(text, 0, 64); errInt == nil {
				f, err = float64(n), nil // other bases and underscores
			}
			return f, f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
		}}
	}
	return leafType{"text", "text", "", plainText, func(text string) (any, float64, bool) { return text, 0, true }}
}

func anyScalar(*yaml.Node) (hint string, ok bool)   { return "", true }
func plainText(n *yaml.Node) (hint string, ok bool) { return "put it in quotes", isText(n) }

// grouped is a whole number whose thousands are set apart.
var grouped = regexp.MustCompile(`^-?[0-9]{1,3}(_[0-9]{3})+$`)

func number(n *yaml.Node) (hint string, ok bool) {
	if isText(n) && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return "write the number without quotes", false
	}
	tag := n.ShortTag()
	return "", tag == "!!int" || tag == "!!float" || isText(n) && n.Style == 0 && grouped.MatchString(n.Value)
}

func whole(text string) (any, float64, bool) {
	i, err := strconv.ParseInt(text, 0, 64)
	if grouped.MatchString(text) {
		i, err = strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	}
	return i, float64(i), err == nil
}

func instant(layout string) func(text string) (any, float64, bool) {
	return func(text string) (any, float64, bool) {
		at, err := time.Parse(layout, text)
		return at, 0, err == nil && at.Year() > 0
	}
}

// store converts a text and assigns it; false: it is not what the key asks for, or out of range.
func (k *Key) store(v reflect.Value, text string) bool {
	value, f, ok := k.leafType().parse(text)
	if ok = ok && k.inRange(f); ok {
		v.Set(reflect.ValueOf(value).Convert(v.Type()))
	}
	return ok
}

func (k *Key) inRange(f float64) bool {
	return (k.least == nil || f > *k.least || f == *k.least && !k.above) &&
		(k.most == nil || f < *k.most || f == *k.most && !k.below)
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

// remedy is the hint for a value that was refused.
func (k *Key) remedy(text string) string {
	switch _, err := strconv.ParseFloat(text, 64); {
	case k.unit != nil && k.unit.Hint != nil:
		return k.unit.Hint(text)
	case k.of == reflect.TypeFor[time.Duration]() && err == nil:
		return "add the unit: " + text + "s"
	case k.of != reflect.TypeFor[time.Time]() || k.day:
		return ""
	}
	if _, err := time.Parse("2006-01-02T15:04:05", text); err == nil {
		return "add the offset: " + text + "Z"
	}
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return "add the time and offset: " + text + "T00:00:00Z"
	}
	return ""
}

// expectation says what a key asks for, to complete the sentence "expected ...".
func (k *Key) expectation() string {
	switch k.kind {
	case mapping:
		short := ""
		if k.scalar != "" {
			short = "text, or "
		}
		return short + "a mapping with the keys " + List(k.childNames())
	case mappings:
		return "a list of mappings with the keys " + List(k.childNames())
	case table:
		if k.of.Kind() == reflect.Float64 {
			return "a mapping of names to numbers"
		}
		return "a mapping of names to text"
	case list:
		if k.length > 0 {
			return fmt.Sprintf("a list of %d items", k.length)
		}
		return "a list"
	}
	return k.leafType().expected
}

func (k *Key) between() string {
	plain := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch {
	case k.least == nil:
		return ""
	case k.above && k.most != nil:
		return " greater than " + plain(*k.least) + " and at most " + plain(*k.most)
	case k.most != nil:
		return " from " + plain(*k.least) + " to " + plain(*k.most)
	case k.above:
		return " greater than " + plain(*k.least)
	}
	return " of at least " + plain(*k.least)
}

// longest is the upper bound of a duration, in hours.
func (k *Key) longest() string {
	if k.most == nil {
		return ""
	}
	return fmt.Sprintf(" and at most %gh", *k.most/time.Hour.Seconds())
}

// beyond are the bounds of a number with a unit.
func (k *Key) beyond() string {
	switch {
	case k.least != nil && k.above:
		return ", greater than " + strconv.FormatFloat(*k.least, 'f', -1, 64)
	case k.most != nil && k.below:
		return ", below " + strconv.FormatFloat(*k.most, 'f', -1, 64)
	}
	return ""
}

// isText reports whether a scalar is text; YAML's dates are, since nothing here depends on how YAML reads them.
func isText(n *yaml.Node) bool {
	tag := n.ShortTag()
	return tag == "!!str" || tag == "!!timestamp"
}

// describe says what a node is, to complete the sentence "found ...".
func describe(n *yaml.Node, secret bool) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	tag := n.ShortTag()
	switch {
	case tag == "!!null":
		return "nothing"
	case secret && isText(n):
		return "text (not shown)"
	case secret:
		return "a value that is not text (not shown)"
	case isText(n):
		return Quote(n.Value)
	case tag == "!!int" || tag == "!!float" || tag == "!!bool":
		return shorten(n.Value)
	}
	return fmt.Sprintf("a value tagged %q", shorten(tag))
}
