package strictyaml

import (
	"bytes"
	"fmt"
	"path/filepath"
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

	known    map[string][]string // see places
	problems []Problem
	at       map[string]*yaml.Node // where keys are written
	given    map[string]bool       // keys that have a value
	referred map[string]bool       // keys whose value comes out of the environment or a file
	bad      map[string]bool       // keys with a problem, and the mappings they are in
	hidden   map[int]bool          // lines that are not shown
	starts   []int                 // lines on which nodes begin, sorted
	secrets  []string              // texts that no problem may repeat
	reads    int                   // see exhausted
}

// flag is a flag that gives a key.
type flag struct{ name, key string }

var item = regexp.MustCompile(`^\[[0-9]+\]$`)

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
	}
	if problem != nil {
		r.hideByText()
		if r.hidden[problem.Line] || r.format.Secret != nil && strings.Contains(problem.Message, "anchor") {
			problem.Message = quoted.ReplaceAllString(problem.Message, "(not shown)") // it may quote the document
		}
		r.add("", &yaml.Node{Line: problem.Line, Column: problem.Column}, problem.Message, problem.Hint)
		return false
	}
	r.index(root)
	slices.Sort(r.starts)
	if root.Kind != yaml.MappingNode {
		r.conceal(root, false)
		r.add("", root, expected(r.expectation(r.schema), describe(root, r.format.Secret != nil)), r.format.Begin)
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
	} else if in = resolve(*entry(r.root, within)); in.Kind != yaml.MappingNode {
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
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, &yaml.Node{Kind: yaml.ScalarNode})
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
	clean := r.mapping(r.schema, "", r.root, r.where(""), false)
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
	secrets := r.repeatable()
	for i := range r.problems {
		p := &r.problems[i]
		if 0 < p.Line && p.Line <= len(r.lines) && !r.hidden[p.Line] {
			line := r.lines[p.Line-1]
			if !slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(line, secret) }) {
				p.SourceLine, p.Caret = Cut(line, p.Column)
			}
		}
		for _, part := range []*string{&p.Key, &p.Message, &p.Hint} {
			for _, secret := range secrets {
				*part = blank(*part, secret)
			}
		}
	}
	all := &Problems{All: r.problems}
	all.Sort()
	return all
}

// abs resolves a path against the folder of the document.
func (r *Reader) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

func expected(what, found string) string { return fmt.Sprintf("expected %s, found %s", what, found) }

// expectation says what a schema asks for, to complete the sentence "expected ...".
func (r *Reader) expectation(s *jsonschema.Schema) string {
	switch {
	case s.Type == "array" && s.Items.Type == "object":
		return "a list of mappings with the keys " + List(keys(s.Items))
	case s.Type == "array" && s.MaxItems != nil:
		return fmt.Sprintf("a list of %d items", *s.MaxItems)
	case s.Type == "array":
		return "a list"
	case isTable(s) && s.AdditionalProperties.Type != "string":
		return "a mapping of names to numbers"
	case s.Type == "object" && (isTable(s) || extra(s, "table") != ""):
		return "a mapping of names to text"
	case extra(s, "scalar") != "":
		return "text, or a mapping with the keys " + List(keys(s))
	case s.Type == "object":
		return "a mapping with the keys " + List(keys(s))
	}
	if words := r.format.text(s).Expected; words != "" {
		return words
	}
	return "text"
}
