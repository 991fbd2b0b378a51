package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
	"github.com/gateassay/gateassay/gateway/meant"
)

// reader turns the YAML of a policy into a Policy and collects what is wrong on the way.
type reader struct {
	name     string
	lines    []string
	read     Policy
	problems Problems
}

func newReader(name string, data []byte) *reader {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	return &reader{name: name, lines: diagnostic.Lines(string(data)), read: Policy{File: name}}
}

func (r *reader) add(key string, line, column int, expected, found, hint string) {
	p := Problem{File: r.name, Line: line, Column: column, Key: key, Expected: expected, Found: found, Hint: hint}
	if 0 < line && line <= len(r.lines) {
		p.SourceLine, p.Caret = diagnostic.Cut(r.lines[line-1], column)
	}
	r.problems.All = append(r.problems.All, p)
}

// refuse notes a problem with a value.
func (r *reader) refuse(key string, n *yaml.Node, expected, hint string) {
	r.add(key, n.Line, n.Column, expected, describe(n), hint)
}

// compose parses the YAML and gives the root of its only document, nil after a problem.
func (r *reader) compose(data []byte) *yaml.Node {
	whole := func(line, column int, expected, found, hint string) *yaml.Node {
		r.add("", line, column, expected, found, hint)
		return nil
	}
	if len(data) > largest {
		return whole(0, 0, fmt.Sprintf("at most %d bytes", largest), "more", "is this the policy?")
	}
	if !utf8.Valid(data) {
		return whole(0, 0, "text in UTF-8", "other bytes", "")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	var document, next yaml.Node
	if err == nil {
		err = loader.Load(&document)
	}
	empty := "begin with max_age: 24h and conformance: {verified: [must]}"
	if errors.Is(err, io.EOF) {
		return whole(0, 0, "a policy", "an empty file", empty)
	}
	if err == nil {
		if err = loader.Load(&next); err == nil {
			return whole(next.Line, next.Column, "one YAML document", "a second one", "keep each policy in a file of its own")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		message, line, column := err.Error(), 0, 0
		var load *yaml.LoadError
		if errors.As(err, &load) {
			message, line, column = load.Message, load.Mark.Line, load.Mark.Column
		}
		return whole(min(line, len(r.lines)), column, "YAML", "a mistake in it: "+diagnostic.Clean(message), "check the indentation, brackets and quotes")
	}
	if len(document.Content) == 0 || document.Content[0].ShortTag() == "!!null" {
		return whole(0, 0, "a policy", "an empty file", empty)
	}
	return document.Content[0]
}

// field is a key of a mapping and what reads its value.
type field struct {
	name string
	read func(key string, n *yaml.Node)
}

// mapping reads a mapping with fixed keys and tells which keys have a value; nil: it is no mapping.
func (r *reader) mapping(key string, n *yaml.Node, fields []field) map[string]bool {
	names := make([]string, len(fields))
	readers := map[string]func(string, *yaml.Node){}
	for i, f := range fields {
		names[i], readers[f.name] = f.name, f.read
	}
	if n.Kind != yaml.MappingNode {
		r.refuse(key, n, "a mapping with the keys "+list(names), "")
		return nil
	}
	given, first := map[string]bool{}, map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at, value := n.Content[i], n.Content[i+1]
		name := resolve(at)
		inner := below(key, shorten(name.Value))
		line, twice := first[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode:
			r.add(key, at.Line, at.Column, "a key that is text", describe(name), "")
		case readers[name.Value] == nil:
			hint := "the keys here are " + list(names)
			if near := meant.One(name.Value, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			r.add(inner, at.Line, at.Column, "a known key", quoted(name.Value), hint)
		case twice:
			r.add(inner, at.Line, at.Column, "the key once", fmt.Sprintf("it again; it is on line %d already", line), "keep one of the two")
		default:
			first[name.Value] = at.Line
			value = resolve(value)
			if value.Kind == yaml.ScalarNode && value.ShortTag() == "!!null" {
				r.add(inner, at.Line, at.Column, "a value", "nothing", "give one, or remove the key")
				continue
			}
			given[name.Value] = true
			readers[name.Value](inner, value)
		}
	}
	return given
}

// items reads a list of at least one item.
func (r *reader) items(key string, n *yaml.Node, read func(key string, n *yaml.Node)) {
	switch {
	case n.Kind != yaml.SequenceNode:
		r.refuse(key, n, "a list", "begin each item with a dash, or write [a, b]")
	case len(n.Content) == 0:
		r.add(key, n.Line, n.Column, "at least one item", "an empty list", "remove the key where nothing is to be listed")
	default:
		for i, child := range n.Content {
			read(fmt.Sprintf("%s[%d]", key, i), resolve(child))
		}
	}
}

// text gives the text of a scalar that is not empty; "" after a problem.
func (r *reader) text(key string, n *yaml.Node, expected string) string {
	if n.Kind != yaml.ScalarNode || strings.TrimSpace(n.Value) == "" {
		r.refuse(key, n, expected, "")
		return ""
	}
	return n.Value
}

// resolve follows aliases.
func resolve(n *yaml.Node) *yaml.Node {
	for range 16 {
		if n.Kind != yaml.AliasNode {
			break
		}
		n = n.Alias
	}
	return n
}

func below(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return diagnostic.Clean(s)
}

func quoted(s string) string { return `"` + shorten(s) + `"` }

// describe says what a node is, to complete the sentence "found ...".
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!int", "!!float", "!!bool":
		return shorten(n.Value)
	}
	return quoted(n.Value)
}
