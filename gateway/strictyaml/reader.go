package strictyaml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
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

	problems []Problem
	given    map[string]*yaml.Node // the keys that have a value, and where it stands
	referred map[string]bool       // keys whose value comes out of the environment or a file
	flags    map[*yaml.Node]string // nodes that flags gave, and the flags
	hidden   map[int]bool          // lines that hold secrets
	secrets  []string              // the secrets, which may stand a second time where none is expected
}

// NewReader makes a reader of a document. name is what problems call the file, dir the folder that file:PATH counts
// from, env looks up a variable.
func NewReader(f *Format, name, dir string, env func(string) (string, bool)) *Reader {
	undocumented := *f
	undocumented.Sources = nil
	return &Reader{
		format: f, schema: undocumented.Schema(), dir: dir, env: env, name: name, root: &yaml.Node{Kind: yaml.MappingNode},
		given: map[string]*yaml.Node{}, referred: map[string]bool{}, flags: map[*yaml.Node]string{}, hidden: map[int]bool{},
	}
}

// Document takes the text of a document; false: it is none.
func (r *Reader) Document(data []byte) bool {
	var document, next yaml.Node
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	loader, err := yaml.NewLoader(bytes.NewReader(data[:min(len(data), r.format.Largest)]))
	if err == nil {
		err = loader.Load(&document)
	}
	root := &document
	if len(document.Content) > 0 {
		root = document.Content[0]
	}
	r.lines = Lines(string(data))
	switch {
	case len(data) > r.format.Largest:
		r.add("", &yaml.Node{}, fmt.Sprintf("expected at most %d bytes, found more", r.format.Largest), "")
	case errors.Is(err, io.EOF), err == nil && isNull(root):
		r.add("", &yaml.Node{}, fmt.Sprintf("expected a %s, found an empty one", r.format.Name), r.format.Begin)
	case err != nil:
		r.syntax(err)
	case root.Kind != yaml.MappingNode:
		r.add("", root, expected(r.format.expectation(r.schema), describe(root, r.format.Secret != nil)), r.format.Begin)
		r.hide(root)
	default:
		if err = loader.Load(&next); errors.Is(err, io.EOF) {
			r.root, r.given[""] = root, &yaml.Node{Line: 1, Column: 1}
			return true
		} else if err != nil {
			r.syntax(err)
		} else {
			r.hide(&next)
			r.add("", &next, "expected one YAML document, found a second one", "keep each in a file of its own")
		}
	}
	return false
}

// quoted is what the parser's messages repeat of a document.
var quoted = regexp.MustCompile(`'[^']{2,}'`)

// syntax says what the YAML parser stumbled over, and where: at a quote that is never closed, not at the end.
func (r *Reader) syntax(err error) {
	message, at := err.Error(), &yaml.Node{}
	var load *yaml.LoadError
	if errors.As(err, &load) {
		mark := load.Mark
		if strings.Contains(load.ContextMsg, "quoted scalar") {
			mark = load.ContextMark
		}
		message, at.Line, at.Column = load.Message, min(mark.Line, len(r.lines)), mark.Column
	}
	r.hidden[at.Line] = r.format.Secret != nil
	r.add("", at, "YAML error: "+clean(quoted.ReplaceAllString(message, "(not shown)")),
		"check brackets, quotes and the indentation, which is of spaces")
}

// Set puts a value from a flag in place of what the document gives for a key. A key of a mapping is dotted.
func (r *Reader) Set(flag, key string, n *yaml.Node) {
	r.mark(n, flag)
	in := r.root
	if within, last, inside := strings.Cut(key, "."); inside {
		at := entry(in, within)
		if (*at).Kind != yaml.MappingNode {
			*at = &yaml.Node{Kind: yaml.MappingNode}
		}
		in, key = *at, last
	}
	*entry(in, key) = n
}

// Flow parses a value in YAML's flow style, such as {rate: 5/s, for: 1m}; nil: it is none.
func Flow(text string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil || len(document.Content) != 1 {
		return nil
	}
	return document.Content[0]
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

func (r *Reader) mark(n *yaml.Node, flag string) {
	r.flags[n] = flag
	for _, child := range n.Content {
		r.mark(child, flag)
	}
}

// Refuse notes a problem with a flag.
func (r *Reader) Refuse(flag, message, hint string) {
	r.problems = append(r.problems, Problem{File: flag, Message: message, Hint: hint})
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
	at := *r.root
	at.Line, at.Column = r.where("").Line, r.where("").Column
	clean := r.mapping(r.schema, "", &at, false)
	if clean == nil || clean.Load(into) != nil { // whose error may quote a secret
		r.add("", &at, "cannot be read as a "+r.format.Name, "")
	}
}

// Has reports whether a key has a value.
func (r *Reader) Has(key string) bool { return r.given[key] != nil }

// Referred reports whether the value of a key comes out of the environment or a file.
func (r *Reader) Referred(key string) bool { return r.referred[key] }

// Add notes a problem with a key, at its place or that of the nearest mapping around it.
func (r *Reader) Add(key, message, hint string) { r.add(key, r.where(key), message, hint) }

func (r *Reader) where(key string) *yaml.Node {
	for r.given[key] == nil && key != "" {
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return cmp.Or(r.given[key], &yaml.Node{})
}

// add notes a problem. Its source line is filled in at the end, when everything that must be hidden is known.
func (r *Reader) add(key string, at *yaml.Node, message, hint string) {
	if flag := r.flags[at]; flag != "" {
		r.Refuse(flag, message, hint)
		return
	}
	r.problems = append(r.problems,
		Problem{File: r.name, Line: at.Line, Column: at.Column, Key: key, Message: message, Hint: hint})
}

// hide keeps the lines of a node from being shown, and all that follow where its text is not on one line as it is.
func (r *Reader) hide(n *yaml.Node) {
	if r.hidden[n.Line] = r.format.Secret != nil; !r.hidden[n.Line] {
		return
	}
	if 0 < n.Line && n.Line <= len(r.lines) && !strings.Contains(r.lines[n.Line-1], n.Value) {
		r.lines = r.lines[:n.Line-1]
	}
	for _, child := range n.Content {
		r.hide(child)
	}
}

// Err returns everything that is wrong, in the order of the file and without secrets, as a *Problems; nil: nothing is.
func (r *Reader) Err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	for i := range r.problems[:min(len(r.problems), printed)] {
		p := &r.problems[i]
		if 0 < p.Line && p.Line <= len(r.lines) && !r.hidden[p.Line] {
			p.SourceLine, p.Caret = Cut(r.lines[p.Line-1], p.Column)
		}
		for _, secret := range r.secrets {
			p.Message = strings.ReplaceAll(p.Message, Quote(secret), "a value that is not shown")
			if p.SourceLine != "" && strings.Contains(r.lines[p.Line-1], secret) {
				p.SourceLine = ""
			}
		}
	}
	return &Problems{All: r.problems}
}
