// Package strictyaml reads YAML files that people write into structs. It reports problems like a
// compiler: the place, the key, what was expected, the line with a caret below the column, and
// what to do next.
//
// Package yamlschema explains how struct tags describe keys. Text may contain ${NAME}, an
// environment variable, or be file:PATH, the content of a file.
package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// Format is a kind of file.
type Format struct {
	Name    string // such as "plan"
	Example any    // the struct that it is read into
	Begin   string // what to do if the file is missing or empty

	Texts map[string]yamlschema.ScalarFormat // formats that struct tags name

	// Secret matches names of map entries that hold a secret; nil: such files hold no secrets.
	Secret *regexp.Regexp
	// Explicit makes a key without a value an error. Otherwise such keys, empty lists and empty
	// mappings count as not given.
	Explicit bool
}

// Read reads a regular file of bounded size. The error is a *Problems.
func (f *Format) Read(path string) ([]byte, error) {
	data, err := runfolder.ReadBounded(path, maxFileBytes)
	if err == nil {
		return data, nil
	}
	reason := cmp.Or(errors.Unwrap(err), err).Error()
	p := Problem{File: path, Message: "the " + f.Name + " cannot be read: " + reason}
	if errors.Is(err, fs.ErrNotExist) {
		p.Hint = f.Begin
	}
	return nil, &Problems{All: []Problem{p}}
}

// Problem is one thing that is wrong. Line and Column count from 1, in characters; both are 0 for
// a problem with the whole file or with a flag. No field ever holds a secret.
type Problem struct {
	File       string // as the caller named it, or a flag such as --rate
	Line       int
	Column     int
	Key        string // dotted, such as limits.in_flight; empty for the file as a whole
	Message    string // such as "expected true or false, found 3"
	Hint       string // what to do next; may be empty
	SourceLine string // empty: not to be shown
}

const maxSourceColumns = 160 // bytes; longer lines are not shown

// String formats the problem in one to four lines, without a line end. Without a file it is one.
func (p Problem) String() string {
	text := p.Message
	if p.Key != "" {
		text = p.Key + ": " + text
	}
	if p.File == "" {
		return strings.TrimSuffix(text+"; "+p.Hint, "; ")
	}
	text = token.Position{Filename: p.File, Line: p.Line, Column: p.Column}.String() + ": " + text
	line := strings.ReplaceAll(p.SourceLine, "\t", " ")
	if line != "" && printable.Clean(line) == line && len(line) <= maxSourceColumns {
		text += fmt.Sprintf("\n%6d | %s\n       | %*s", p.Line, line, p.Column, "^")
	}
	if p.Hint != "" {
		text += "\n       hint: " + p.Hint
	}
	return text
}

// Problems is the error of a file: the problems with it, at most 50.
type Problems struct{ All []Problem }

// Add adds a problem with a key, such as "traffic.wallets.other", that is in no file.
func (p *Problems) Add(key, expected, found, hint string) {
	p.All = append(p.All,
		Problem{Key: key, Message: "expected " + expected + ", found " + found, Hint: hint})
}

// Err returns the problems as an error, or nil if there are none.
func (p *Problems) Err() error {
	if len(p.All) == 0 {
		return nil
	}
	return p
}

func (p *Problems) Error() string {
	var lines []string
	for _, problem := range p.All {
		lines = append(lines, problem.String())
	}
	return strings.Join(lines, "\n")
}

// Reader reads one document into a struct and collects its problems.
type Reader struct {
	format *Format
	schema *jsonschema.Schema
	name   string
	dir    string                           // for relative paths
	env    func(name string) (string, bool) // looks up a variable
	lines  []string                         // of the document
	root   *yaml.Node

	problems []Problem
	given    map[string]*yaml.Node // nodes of the keys that have a value
	referred map[string]bool       // keys whose value comes from the environment or a file
	flags    map[string]string     // flags that set or removed a key
	secrets  []string              // quoted secrets, each followed by its replacement
}

// NewReader returns a reader of one document. name is its file in problems, dir the folder for
// file:PATH, env looks up a variable.
func NewReader(f *Format, name, dir string, env func(string) (string, bool)) *Reader {
	root := &yaml.Node{Kind: yaml.MappingNode}
	return &Reader{
		format: f, schema: yamlschema.FromStruct(f.Example, ""),
		name: name, dir: dir, env: env, root: root,
		given: map[string]*yaml.Node{"": root}, referred: map[string]bool{}, flags: map[string]string{},
	}
}

// quotedPattern matches what the parser's messages quote from a document.
var quotedPattern = regexp.MustCompile(`'[^']{2,}'`)

// ParseDocument parses the text of a document, and reports whether it is a mapping.
func (r *Reader) ParseDocument(data []byte) bool {
	if plain, err := runfolder.StripBOM(data); err == nil { // otherwise the parser reports the place
		data = plain
	}
	r.lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	var all []yaml.Node
	err := yaml.Load(data, &all, yaml.WithAllDocuments())
	syntax, isMalformed := errors.AsType[*yaml.LoadError](err)
	root := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	if len(all) > 0 && len(all[0].Content) > 0 {
		root = all[0].Content[0]
	}
	switch {
	case isMalformed:
		at := yaml.Node{Line: min(syntax.Mark.Line, len(r.lines)), Column: syntax.Mark.Column}
		r.addProblem("", &at,
			"YAML error: "+printable.OneLine(quotedPattern.ReplaceAllString(syntax.Message, "(not shown)")),
			"check brackets, quotes and the indentation, which is of spaces")
	case isNullNode(root):
		r.addProblem("", &yaml.Node{}, "expected a "+r.format.Name+", found an empty one", r.format.Begin)
	case root.Kind != yaml.MappingNode:
		r.reportUnexpected(value{"", r.schema, root, r.format.Secret != nil}, r.format.Begin)
	case len(all) > 1:
		r.addProblem("", &all[1], "expected one YAML document, found a second one",
			"keep each in its own file")
	default:
		root.Line, root.Column, r.root, r.given[""] = 1, 1, root, root
		return true
	}
	return false
}

// SetFromFlag replaces the value of a key by that of a flag; nil removes the key. Problems with
// the key are then reported for the flag.
func (r *Reader) SetFromFlag(flag, key string, n *yaml.Node) {
	for i := len(r.root.Content) - 2; i >= 0; i -= 2 {
		if r.root.Content[i].Value == key {
			r.root.Content = slices.Delete(r.root.Content, i, i+2)
		}
	}
	if r.flags[key] = flag; n != nil {
		r.root.Content = append(r.root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key, Line: 1}, n)
	}
}

// Decode decodes the document into a pointer to a struct, with defaults for missing keys.
func (r *Reader) Decode(into any) {
	r.readMapping(value{"", r.schema, r.root, false})
	if len(r.problems) == 0 && r.root.Load(into) != nil { // its error may quote a secret
		r.addProblem("", r.root, "cannot be read as a "+r.format.Name, "")
	}
}

// Parse reads a document into a pointer to a struct. check looks for problems that the schema does
// not exclude; it is called if there are no others. The error is a *Problems.
func (r *Reader) Parse(data []byte, into any, check func()) error {
	if r.ParseDocument(data) {
		r.Decode(into)
	}
	if len(r.problems) == 0 {
		check()
	}
	return r.Err()
}

// Has reports whether a key has a value.
func (r *Reader) Has(key string) bool { return r.given[key] != nil }

// IsReference reports whether the value of a key comes from the environment or a file.
func (r *Reader) IsReference(key string) bool { return r.referred[key] }

// AddProblem adds a problem with a key, at its place or that of the nearest enclosing mapping.
func (r *Reader) AddProblem(key, message, hint string) {
	near := key
	for r.given[near] == nil && near != "" {
		near = near[:max(0, strings.LastIndexAny(near, ".["))]
	}
	r.addProblem(key, r.given[near], message, hint)
}

// hiddenSecret completes the sentence "found ..." for a secret.
const hiddenSecret = "a value that is not shown"

// reportUnexpected reports that a value does not fit its schema.
func (r *Reader) reportUnexpected(v value, hint string) {
	found := printable.OneLine(v.node.Value)
	switch kind := v.node.Kind; {
	case kind == yaml.MappingNode:
		found = "a mapping"
	case kind == yaml.AliasNode:
		found = "an alias"
	case kind == yaml.SequenceNode && v.schema.MaxItems == nil:
		found = "a list"
	case kind == yaml.SequenceNode:
		found = fmt.Sprintf("a list of %d", len(v.node.Content))
	case r.referred[v.path]:
		found = "what it refers to (not shown)"
	case v.secret:
		found = hiddenSecret
	case isTextNode(v.node):
		found = printable.Quote(v.node.Value)
	}
	expected := yamlschema.ExpectedText(v.schema, r.format.Texts)
	r.addProblem(v.path, v.node, "expected "+expected+", found "+found, hint)
}

// addProblem adds a problem. It does not quote files that may hold secrets.
func (r *Reader) addProblem(key string, at *yaml.Node, message, hint string) {
	p := Problem{File: r.name, Line: at.Line, Column: at.Column, Key: key}
	if flag := r.flags[key[:strings.IndexAny(key+".", ".[")]]; flag != "" {
		p = Problem{File: flag}
	} else if r.format.Secret == nil && 0 < at.Line && at.Line <= len(r.lines) {
		p.SourceLine = r.lines[at.Line-1]
	}
	p.Message, p.Hint = message, hint
	r.problems = append(r.problems, p)
}

// Err returns all problems in the order of the file, without secrets, as a *Problems, or nil.
func (r *Reader) Err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	r.problems = r.problems[:min(len(r.problems), 50)]
	secrets := strings.NewReplacer(r.secrets...)
	for i, p := range r.problems {
		r.problems[i].Message = secrets.Replace(p.Message)
	}
	return &Problems{All: r.problems}
}
