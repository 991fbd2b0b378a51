package deployment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// complaint is what a check has against a text.
type complaint struct {
	expected string
	hint     string
	conceal  bool // the text holds a secret: show nothing of it
}

// check judges the text of a value; nil is fine.
type check func(text string) *complaint

// scalar is the text of a value after its references.
type scalar struct {
	text     string
	referred bool   // it came from the environment or a file
	shown    string // how a message may call it
}

// scalar reads a scalar and resolves it; ok is false after a problem.
func (r *reader) scalar(k *key, path string, n *yaml.Node, at place) (value scalar, ok bool) {
	if n.Kind != yaml.ScalarNode {
		r.add(path, at, k.expectation(), describe(n, true), "")
		return value, false
	}
	raw := n.Value
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		raw = strings.TrimRight(raw, "\n")
	}
	value = scalar{text: raw, shown: describe(n, k.secret)}
	if !isText(n) || !refers(raw) {
		return value, true
	}
	text, names, problems := r.resolve(raw)
	for _, p := range problems {
		r.add(path, at, p.expected, p.found, p.hint)
	}
	if k.secret {
		r.secrets = append(r.secrets, text)
	}
	value = scalar{text: text, referred: true, shown: "what its reference holds (not shown)"}
	if len(names) > 0 {
		value.shown = "what " + list(names) + " holds (not shown)"
	}
	if text == "" && len(problems) == 0 && k.secret {
		if len(names) > 0 {
			r.add(path, at, "a value in the environment variable "+list(names), "it empty", "leave the key out to do without it")
		} else {
			r.add(path, at, "a value in the file", "it empty", "leave the key out to do without it")
		}
		return value, false
	}
	return value, len(problems) == 0
}

// leaf reads one scalar into its place.
func (r *reader) leaf(k *key, path string, n *yaml.Node, at place, t *target) bool {
	value, ok := r.scalar(k, path, n, at)
	if !ok || value.text == "" {
		return false
	}
	if hint, fits := k.fits(n, value); !fits {
		r.add(path, at, k.expectation(), value.shown, hint)
		return false
	}
	if k.check != nil {
		if c := k.check(value.text); c != nil {
			r.complain(path, at, n, value, c)
			return false
		}
	}
	if !k.store(k.into(t), value.text) {
		r.add(path, at, k.expectation(), value.shown, k.remedy(value.text))
		return false
	}
	return true
}

func (r *reader) complain(path string, at place, n *yaml.Node, value scalar, c *complaint) {
	if c.conceal {
		r.src.hide(n, true)
		value.shown = "a value that is not shown"
	}
	r.add(path, at, c.expected, value.shown, c.hint)
}

// fits tells whether a scalar has the YAML type that the kind asks for; what came from a reference is always text.
func (k *key) fits(n *yaml.Node, value scalar) (hint string, ok bool) {
	if value.referred {
		return "", true
	}
	switch tag := n.ShortTag(); k.kind {
	case whole, number:
		if isText(n) && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			hint = "write the number without quotes"
		}
		return hint, tag == "!!int" || tag == "!!float"
	case boolean:
		return "", tag == "!!bool"
	case duration:
		if tag == "!!int" || tag == "!!float" {
			return "add the unit: " + n.Value + "s", false
		}
		return "", isText(n)
	default:
		return "put it in quotes", isText(n)
	}
}

// isText tells whether a scalar is text; YAML's dates are, since nothing here depends on how YAML reads them.
func isText(n *yaml.Node) bool {
	tag := n.ShortTag()
	return tag == "!!str" || tag == "!!timestamp"
}

// store converts a text and assigns it; false: it is not of the kind, or out of range.
func (k *key) store(into any, text string) bool {
	switch into := into.(type) {
	case *string:
		*into = text
	case *int:
		n, err := strconv.ParseInt(text, 0, 32)
		*into = int(n)
		return err == nil && k.inRange(float64(n))
	case *float64:
		f, err := strconv.ParseFloat(text, 64)
		if n, errInt := strconv.ParseInt(text, 0, 64); errInt == nil {
			f, err = float64(n), nil // other bases and underscores
		}
		*into = f
		return err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) && k.inRange(f)
	case *bool:
		*into = text == "true" || text == "True" || text == "TRUE"
		return *into || text == "false" || text == "False" || text == "FALSE"
	case *time.Duration:
		d, err := time.ParseDuration(text)
		*into = d
		return err == nil && k.inRange(d.Seconds())
	case *time.Time:
		layout := time.RFC3339Nano
		if k.kind == date {
			layout = time.DateOnly
		}
		instant, err := time.Parse(layout, text)
		*into = instant
		return err == nil && instant.Year() > 0
	}
	return true
}

func (k *key) inRange(f float64) bool { return f > k.least || f == k.least && !k.above }

// remedy is the hint for a value that store refused.
func (k *key) remedy(text string) string {
	if k.kind != instant {
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

// expectation says what the kind asks for, to complete the sentence "expected ...".
func (k *key) expectation() string {
	least := strconv.FormatFloat(k.least, 'f', -1, 64)
	switch k.kind {
	case mapping:
		return "a mapping with the keys " + list(k.names())
	case whole:
		return "a whole number of at least " + least
	case number:
		if k.above {
			return "a number greater than " + least
		}
		return "a number of at least " + least
	case boolean:
		return "true or false"
	case duration:
		return "a duration greater than zero with its unit, such as 15s or 2m"
	case instant:
		return "a date-time with its offset, such as 2025-01-01T00:00:00Z"
	case date:
		return "a date that exists, as YYYY-MM-DD"
	case texts, mappings:
		return "a list"
	case textMap, namedTexts:
		return "a mapping of names to text"
	case credentials:
		return "a list of credentials, each text, {bearer: TOKEN} or {api_key: KEY}"
	case credential:
		return "text, {bearer: TOKEN} or {api_key: KEY}"
	}
	return "text"
}

// describeKey says what a missing key should hold.
func describeKey(k *key) string { return k.expectation() }

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
		return "a value that is no text (not shown)"
	case isText(n):
		return strconv.Quote(shorten(n.Value))
	case tag == "!!int" || tag == "!!float":
		return "the number " + shorten(n.Value)
	case tag == "!!bool":
		return shorten(n.Value)
	}
	return fmt.Sprintf("a value tagged %q", shorten(tag))
}

func shorten(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return s
}
