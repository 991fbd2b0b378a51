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
	private  map[int]bool          // lines on which secrets begin
	secrets  []string              // their words, which no problem may repeat
}

// NewReader makes a reader of a document. name is what problems call the file, dir the folder that file:PATH counts
// from, env looks up a variable.
func NewReader(f *Format, name, dir string, env func(string) (string, bool)) *Reader {
	undocumented := *f
	undocumented.Sources = nil
	return &Reader{
		format: f, schema: undocumented.Schema(), dir: dir, env: env, name: name, root: &yaml.Node{Kind: yaml.MappingNode},
		given: map[string]*yaml.Node{}, referred: map[string]bool{}, flags: map[*yaml.Node]string{}, private: map[int]bool{},
	}
}

// Document takes the text of a document; false: it is none.
func (r *Reader) Document(data []byte) bool {
	if len(data) > r.format.Largest {
		r.add("", &yaml.Node{}, fmt.Sprintf("expected at most %d bytes, found more", r.format.Largest), "")
		return false
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	r.lines = Lines(string(data))
	var document, next yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err == nil {
		err = loader.Load(&document)
	}
	root := &document
	if len(document.Content) > 0 {
		root = document.Content[0]
	}
	switch {
	case errors.Is(err, io.EOF), err == nil && isNull(root):
		r.add("", &yaml.Node{}, fmt.Sprintf("expected a %s, found an empty one", r.format.Name), r.format.Begin)
		return false
	case err == nil:
		if err = loader.Load(&next); err == nil {
			r.hide(&next)
			r.add("", &next, "expected one YAML document, found a second one", "keep each in a file of its own")
			return false
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		r.syntax(err)
	case root.Kind != yaml.MappingNode:
		r.hide(root)
		r.add("", root, expected(r.format.expectation(r.schema), describe(root, r.format.Secret != nil)), r.format.Begin)
	default:
		r.root, r.given[""] = root, &yaml.Node{Line: 1, Column: 1}
		return true
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
	r.private[at.Line] = r.format.Secret != nil
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
	n := &yaml.Node{}
	r.mark(n, flag)
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
	p := Problem{File: r.name, Line: at.Line, Column: at.Column, Key: key, Message: message, Hint: hint}
	if flag := r.flags[at]; flag != "" {
		p.File, p.Line, p.Column, p.Key = flag, 0, 0, ""
	}
	r.problems = append(r.problems, p)
}

// hide keeps what stands in a node from being shown. Of a mapping, which has no name here, the keys are no secrets.
func (r *Reader) hide(n *yaml.Node) {
	if r.format.Secret == nil {
		return
	}
	const shortest, most = 8, 32 // letters: shorter ones would take ordinary words with them, and messages cut what is long
	r.private[n.Line] = true
	for _, word := range strings.Fields(n.Value) {
		if len(word) >= shortest {
			r.secrets = append(r.secrets, regexp.QuoteMeta(word[:min(len(word), most)]))
		}
	}
	for i, child := range n.Content {
		if r.private[child.Line] = true; n.Kind != yaml.MappingNode || i%2 == 1 {
			r.hide(child)
		}
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
	secret := regexp.MustCompile(`[^\s\S]`) // nothing
	if len(r.secrets) > 0 {
		const most = 100 // of a hopeless file
		secret = regexp.MustCompile("(" + strings.Join(r.secrets[:min(len(r.secrets), most)], "|") + ").*")
	}
	for i := range r.problems {
		p := &r.problems[i]
		if i < printed && 0 < p.Line && p.Line <= len(r.lines) && !r.private[p.Line] && !secret.MatchString(r.lines[p.Line-1]) {
			p.SourceLine, p.Caret = Cut(r.lines[p.Line-1], p.Column)
		}
		for _, part := range []*string{&p.Key, &p.Message, &p.Hint} {
			*part = secret.ReplaceAllString(*part, "[hidden]")
		}
	}
	return &Problems{All: r.problems}
}
