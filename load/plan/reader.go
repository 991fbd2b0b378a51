package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
	"github.com/gateassay/gateassay/gateway/meant"
)

// origin is where a value was written: the plan's file, or a flag.
type origin struct {
	name  string
	lines []string // none for a flag
	sets  string   // the key that a flag sets
}

// spot is the place of a value.
type spot struct {
	from         *origin
	line, column int
}

// reader turns YAML nodes into a draft and collects what is wrong on the way.
type reader struct {
	from     *origin // of what is being read
	draft    draft
	at       map[string]spot
	problems Problems
	wrong    []string // whole keys of the problems: of a flag, a problem names the rest only
}

func newReader(name string) *reader {
	return &reader{draft: draft{plan: unfilled()}, at: map[string]spot{"": {from: &origin{name: name}}}, from: &origin{name: name}}
}

// field is a key of a mapping and what reads its value.
type field struct {
	name string
	read func(r *reader, key string, n *yaml.Node)
}

// add notes a problem with a node.
func (r *reader) add(key string, n *yaml.Node, expected, found, hint string) {
	r.addAt(spot{r.from, n.Line, n.Column}, key, expected, found, hint)
}

// addAt notes a problem at a place, once for each key and place.
func (r *reader) addAt(at spot, key, expected, found, hint string) {
	p := Problem{File: at.from.name, Key: key, Expected: expected, Found: found, Hint: hint}
	if at.from.lines != nil {
		p.Line, p.Column = at.line, at.column
		if 0 < at.line && at.line <= len(at.from.lines) {
			p.SourceLine, p.Caret = diagnostic.Cut(at.from.lines[at.line-1], at.column)
		}
	} else if rest, ok := strings.CutPrefix(key, at.from.sets); ok && at.from.sets != "" {
		if p.Key = strings.TrimPrefix(rest, "."); at.from.sets != "stages" && strings.HasPrefix(p.Key, "[") {
			p.Key = "" // the flag says the rest, and what was found tells which of several it is
		}
	}
	r.problems.All = append(r.problems.All, p)
	r.wrong = append(r.wrong, key)
}

// bad tells whether a problem was found with a key or below it.
func (r *reader) bad(key string) bool {
	return slices.ContainsFunc(r.wrong, func(wrong string) bool {
		return wrong == key || strings.HasPrefix(wrong, key+".") || strings.HasPrefix(wrong, key+"[")
	})
}

// place finds where a key was written, or else the nearest key above it.
func (r *reader) place(key string) spot {
	for {
		if at, ok := r.at[key]; ok {
			return at
		}
		if key == "" {
			return spot{from: r.from}
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
}

// value notes where a key is and gives what it stands for; nil: nothing is there.
func (r *reader) value(key string, n *yaml.Node) *yaml.Node {
	r.at[key] = spot{r.from, n.Line, n.Column}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return nil
	}
	return n
}

// mapping reads a mapping with fixed keys and tells whether it is one.
func (r *reader) mapping(key string, n *yaml.Node, fields []field) bool {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	if n.Kind != yaml.MappingNode {
		r.addAt(r.place(key), key, "a mapping with the keys "+list(names), describe(n), "")
		return false
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		for name.Kind == yaml.AliasNode {
			name = name.Alias
		}
		inner := below(key, name.Value)
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name.Value })
		line, twice := first[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode:
			r.add(key, n.Content[i], "a key that is text", describe(name), "")
		case at < 0:
			hint := "the keys here are " + list(names)
			if near := meant.One(name.Value, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			r.add(below(key, shorten(name.Value)), n.Content[i], "a known key", quoted(name.Value), hint)
		case twice:
			r.add(inner, n.Content[i], "the key once", fmt.Sprintf("it again; it is on line %d already", line), "keep one of the two")
		default:
			first[name.Value] = n.Content[i].Line
			if v := r.value(inner, value); v != nil {
				fields[at].read(r, inner, v)
			}
		}
	}
	return true
}

// items reads a list, or a single item that stands for one.
func (r *reader) items(key string, n *yaml.Node, most int, read func(key string, n *yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.addAt(r.place(key), key, "a list", describe(n), "begin each item with a dash, or write [a, b]")
		return
	}
	if len(n.Content) > most {
		r.addAt(r.place(key), key, fmt.Sprintf("at most %d items", most), strconv.Itoa(len(n.Content)), "")
		return
	}
	for i, child := range n.Content {
		inner := fmt.Sprintf("%s[%d]", key, i)
		if v := r.value(inner, child); v != nil {
			read(inner, v)
		} else {
			r.add(inner, child, "a value", "nothing", "")
		}
	}
}

// scalar gives the text of a scalar; ok is false after a problem.
func (r *reader) scalar(key string, n *yaml.Node, expected string) (text string, ok bool) {
	if n.Kind != yaml.ScalarNode {
		r.addAt(r.place(key), key, expected, describe(n), "")
		return "", false
	}
	return n.Value, true
}

func (r *reader) refuse(key string, n *yaml.Node, expected, hint string) {
	r.addAt(r.place(key), key, expected, describe(n), hint)
}

// problemsOf gives everything found, in the order of the file; nil when nothing was.
func (r *reader) problemsOf() error {
	if len(r.problems.All) == 0 {
		return nil
	}
	r.problems.Sort()
	return &r.problems
}

func below(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// describe says what a node is, to complete the sentence "found ...".
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch tag := n.ShortTag(); tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float", "!!bool":
		return shorten(n.Value)
	}
	return quoted(n.Value)
}
