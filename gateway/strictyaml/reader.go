package strictyaml

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// Reader reads one document into a struct and collects what is wrong on the way.
type Reader struct {
	format *Format
	schema *jsonschema.Schema
	dir    string
	env    func(string) (string, bool)
	name   string
	lines  []string // of the document
	root   *yaml.Node
	flags  map[*yaml.Node]*flag // nodes that flags gave

	problems []Problem
	at       map[string]*yaml.Node // where keys are written
	given    map[string]bool       // keys that have a value
	referred map[string]bool       // keys whose value comes out of the environment or a file
	bad      map[string]bool       // keys with a problem, and the mappings they are in
	hidden   map[int]bool          // lines that are not shown
	secrets  []string              // texts that no problem may repeat
}

// flag is a flag that gives a key.
type flag struct{ name, key string }

// NewReader makes a reader of a document. name is what problems call the file, dir the folder that file:PATH counts
// from, env looks up a variable.
func NewReader(f *Format, name, dir string, env func(string) (string, bool)) *Reader {
	undocumented := *f
	undocumented.Sources = nil
	return &Reader{
		format: f, schema: undocumented.Schema(), dir: dir, env: env, name: name, flags: map[*yaml.Node]*flag{},
		root: &yaml.Node{Kind: yaml.MappingNode}, at: map[string]*yaml.Node{}, given: map[string]bool{},
		referred: map[string]bool{}, bad: map[string]bool{}, hidden: map[int]bool{},
	}
}

// Document takes the text of a document; false: it is none.
func (r *Reader) Document(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	root, problem := r.format.parse(data)
	if len(data) <= r.format.Largest {
		r.lines = Lines(string(data))
		r.hideSecrets()
	}
	switch {
	case problem != nil:
		r.add("", &yaml.Node{Line: problem.Line, Column: problem.Column}, problem.Message, problem.Hint)
		return false
	case root.Kind != yaml.MappingNode:
		r.hide(root.Line)
		r.add("", root, expected(r.format.expectation(r.schema), describe(root, r.format.Secret != nil)), r.format.Begin)
		return false
	}
	r.root = root
	r.at[""] = &yaml.Node{Line: 1, Column: 1}
	return true
}

// Set puts a value from a flag in place of what the document gives for a key. A key of a mapping is dotted.
func (r *Reader) Set(name, key string, n *yaml.Node) {
	r.mark(n, &flag{name, key})
	if n.Kind == yaml.ScalarNode && n.Value == "" {
		r.add(key, n, "expected a value, found nothing", "")
		return
	}
	in := r.root
	within, last, inside := strings.Cut(key, ".")
	if !inside {
		last = key
	} else if in = *entry(r.root, within); in.Kind != yaml.MappingNode {
		in = &yaml.Node{Kind: yaml.MappingNode}
		*entry(r.root, within) = in
	}
	*entry(in, last) = n
}

// entry is the value of a key of a mapping, which is added where it lacks.
func entry(n *yaml.Node, name string) **yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return &n.Content[i+1]
		}
	}
	n.Content = append(n.Content, named(name), &yaml.Node{Kind: yaml.ScalarNode})
	return &n.Content[len(n.Content)-1]
}

func (r *Reader) mark(n *yaml.Node, by *flag) {
	r.flags[n] = by
	for _, child := range n.Content {
		r.mark(child, by)
	}
}

// Refuse notes a problem with a flag.
func (r *Reader) Refuse(name, message, hint string) {
	n := &yaml.Node{}
	r.mark(n, &flag{name: name})
	r.add("", n, message, hint)
}

// Forget drops keys that the document gives.
func (r *Reader) Forget(keys ...string) {
	for i := len(r.root.Content) - 2; i >= 0; i -= 2 {
		if slices.Contains(keys, r.root.Content[i].Value) {
			r.root.Content = slices.Delete(r.root.Content, i, i+2)
		}
	}
}

// Decode reads the document into a pointer to a struct, with the defaults of what it does not give; what is wrong is
// left out.
func (r *Reader) Decode(into any) {
	place := *r.root
	if at := r.where(""); at != nil {
		place.Line, place.Column = at.Line, at.Column
	}
	clean := r.mapping(r.schema, "", &place, false)
	if clean == nil || clean.Load(into) != nil { // whose error may quote a secret
		r.add("", r.where(""), "cannot be read as a "+r.format.Name, "")
	}
}

// Written reports whether a key stands in the document or a flag gives it, with a value or an empty list or mapping.
func (r *Reader) Written(key string) bool { return r.at[key] != nil }

// Given returns every key that has a value.
func (r *Reader) Given() map[string]bool { return r.given }

// Referred returns the keys whose value comes out of the environment or a file.
func (r *Reader) Referred() map[string]bool { return r.referred }

// Bad reports whether a problem was found with a key or below it.
func (r *Reader) Bad(key string) bool { return r.bad[key] }

// Add notes a problem with a key, at its place or that of the nearest mapping around it.
func (r *Reader) Add(key, message, hint string) { r.add(key, r.where(key), message, hint) }

func (r *Reader) where(key string) *yaml.Node {
	for r.at[key] == nil && key != "" {
		key = parent(key)
	}
	if n := r.at[key]; n != nil {
		return n
	}
	return &yaml.Node{}
}

// parent is the key around a key.
func parent(key string) string { return key[:max(0, strings.LastIndexAny(key, ".["))] }

var item = regexp.MustCompile(`^\[[0-9]+\]$`)

// add notes a problem. Its source line is filled in at the end, when everything that must be hidden is known.
func (r *Reader) add(key string, at *yaml.Node, message, hint string) {
	p := Problem{File: r.name, Line: at.Line, Column: at.Column, Key: key, Message: message, Hint: hint}
	if by := r.flags[at]; by != nil {
		p.File, p.Line, p.Column = by.name, 0, 0
		if rest, ok := strings.CutPrefix(key, by.key); ok && by.key != "" {
			if p.Key = strings.TrimPrefix(rest, "."); item.MatchString(rest) {
				p.Key = "" // what was found says which of several it is
			}
		}
	}
	r.problems = append(r.problems, p)
	for path := key; path != ""; path = parent(path) {
		r.bad[path] = true
	}
}

// Err returns everything that is wrong, in the order of the file and without secrets, as a *Problems; nil: nothing is.
func (r *Reader) Err() error {
	if len(r.problems) == 0 {
		return nil
	}
	for i := range r.problems {
		p := &r.problems[i]
		if 0 < p.Line && p.Line <= len(r.lines) && !r.hidden[p.Line] {
			p.SourceLine, p.Caret = Cut(r.lines[p.Line-1], p.Column)
		}
	}
	r.conceal()
	all := &Problems{All: r.problems}
	all.Sort()
	return all
}
