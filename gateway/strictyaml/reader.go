package strictyaml

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// origin is where values were written: a file, or a flag.
type origin struct {
	name  string
	lines []string // none for a flag
	key   string   // that a flag sets
}

// place is a position, in characters from 1.
type place struct {
	from         *origin
	line, column int
}

// Reader reads one document into a struct and collects what is wrong on the way.
type Reader struct {
	format *Format
	root   *Key
	into   reflect.Value
	dir    string
	env    func(string) (string, bool)
	from   *origin

	problems []Problem
	at       map[string]place // where keys are written
	given    map[string]bool  // keys that have a value
	referred map[string]bool  // keys whose value comes out of the environment or a file
	bad      map[string]bool  // keys with a problem, and the mappings they are in
	hidden   map[int]bool     // lines of the file that are not shown
	starts   []int            // lines on which nodes begin, sorted
	secrets  []string         // texts that no problem may repeat
}

var element = regexp.MustCompile(`^\[[0-9]+\]$`)

// NewReader makes a reader into a pointer to a struct. name is what problems call the file, dir the folder that
// file:PATH counts from, env looks up a variable.
func NewReader(f *Format, into any, name, dir string, env func(string) (string, bool)) *Reader {
	v := reflect.ValueOf(into).Elem()
	return &Reader{
		format: f, root: f.root(v.Type(), nil), into: v, dir: dir, env: env, from: &origin{name: name},
		at: map[string]place{}, given: map[string]bool{}, referred: map[string]bool{},
		bad: map[string]bool{}, hidden: map[int]bool{},
	}
}

// Document reads a whole document and reports whether it is one: without problems so far.
func (r *Reader) Document(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	root, problem := r.format.document(data)
	if len(data) <= r.format.Largest {
		r.from.lines = Lines(string(data))
	}
	if problem != nil {
		r.hideByText()
		if r.hidden[problem.Line] || r.format.Secret != nil && strings.Contains(problem.Message, "anchor") {
			problem.Message = quoted.ReplaceAllString(problem.Message, "(not shown)") // it may quote the document
		}
		r.add("", place{r.from, problem.Line, problem.Column}, problem.Message, problem.Hint)
		return false
	}
	r.index(root)
	at := r.placeOf(root)
	if root.Kind != yaml.MappingNode {
		r.conceal(root, false)
		found := describe(root, r.format.Secret != nil)
		r.add("", at, expected(r.root.expectation(), found), r.format.Begin)
		return false
	}
	r.at[""] = place{r.from, 1, 1}
	r.mapping(r.root, "", root, place{r.from, 1, 1}, r.into)
	return len(r.problems) == 0
}

// Set reads a value from a flag, as if the document gave the key. A key of a mapping is dotted.
func (r *Reader) Set(flag, key string, n *yaml.Node) {
	from := r.from
	defer func() { r.from = from }()
	r.from = &origin{name: flag, key: key}
	if n.Kind == yaml.ScalarNode && n.Value == "" {
		r.Add(key, "expected a value, found nothing", "")
		return
	}
	k, v := r.root, r.into
	for name := range strings.SplitSeq(key, ".") {
		k = k.child(name)
		v = v.FieldByIndex(k.index)
	}
	r.value(k, key, n, v)
}

// Refuse notes a problem with a flag.
func (r *Reader) Refuse(flag, message, hint string) {
	r.add("", place{from: &origin{name: flag}}, message, hint)
}

// Flow parses a value in YAML's flow style, such as {rate: 5/s, for: 1m}; nil: it is none.
func Flow(text string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil || len(document.Content) != 1 {
		return nil
	}
	return document.Content[0]
}

// Forget drops keys that the document gave.
func (r *Reader) Forget(keys ...string) {
	for _, key := range keys {
		for known := range r.at {
			if within(known, key) {
				delete(r.at, known)
				delete(r.given, known)
			}
		}
		v := r.into.FieldByIndex(r.root.find(key).index)
		v.SetZero()
	}
}

func within(key, parent string) bool {
	return key == parent || strings.HasPrefix(key, parent+".") || strings.HasPrefix(key, parent+"[")
}

// Defaults fills in what neither the document nor a flag gave.
func (r *Reader) Defaults() { r.defaults(r.root, "", r.into) }

func (r *Reader) defaults(k *Key, path string, v reflect.Value) {
	for _, child := range k.Keys {
		inner := join(path, child.Name)
		switch {
		case k.kind != mapping || child.index == nil:
		case child.kind == mapping && (!child.optional || r.given[inner]):
			r.defaults(child, inner, reflect.Indirect(v.FieldByIndex(child.index)))
		case child.Default != "" && child.kind == leaf && !r.given[inner]:
			child.store(v.FieldByIndex(child.index), child.Default)
		}
	}
}

// Written reports whether a key stands in the document or a flag gives it, with a value or an empty list or mapping.
func (r *Reader) Written(key string) bool { _, ok := r.at[key]; return ok }

// Given returns every key that has a value.
func (r *Reader) Given() map[string]bool { return r.given }

// Referred returns the keys whose value comes out of the environment or a file.
func (r *Reader) Referred() map[string]bool { return r.referred }

// Bad reports whether a problem was found with a key or below it.
func (r *Reader) Bad(key string) bool { return r.bad[key] }

// Add notes a problem with a key, at its place or that of the nearest mapping around it.
func (r *Reader) Add(key, message, hint string) { r.add(key, r.where(key), message, hint) }

func (r *Reader) where(key string) place {
	for {
		if at, ok := r.at[key]; ok {
			return at
		}
		if key == "" {
			return place{from: r.from}
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
}

// add notes a problem. Its source line is filled in at the end, when everything that must be hidden is known.
func (r *Reader) add(key string, at place, message, hint string) {
	p := Problem{File: at.from.name, Key: key, Message: message, Hint: hint}
	if at.from.lines != nil {
		p.Line, p.Column = at.line, at.column
	} else if rest, ok := strings.CutPrefix(key, at.from.key); ok && at.from.key != "" {
		if p.Key = strings.TrimPrefix(rest, "."); element.MatchString(rest) {
			p.Key = "" // what was found says which of several it is
		}
	}
	r.problems = append(r.problems, p)
	for path := key; path != ""; path = path[:max(strings.LastIndexAny(path, ".["), 0)] {
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
		if 0 < p.Line && p.Line <= len(r.from.lines) && !r.hidden[p.Line] {
			line := r.from.lines[p.Line-1]
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

func (r *Reader) placeOf(n *yaml.Node) place { return place{r.from, n.Line, n.Column} }

func expected(what, found string) string { return fmt.Sprintf("expected %s, found %s", what, found) }
