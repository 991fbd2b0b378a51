package gate

import (
	"bytes"
	"fmt"
	"strings"

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
	root, problem := fileKind.Document(data)
	if problem != nil {
		r.add("", min(problem.Line, len(r.lines)), problem.Column, problem.Expected, problem.Found, problem.Hint)
	}
	return root
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
