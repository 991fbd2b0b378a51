package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/references"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// Reader reads one document into a struct and collects what is wrong on the way.
type Reader struct {
	format *Format
	schema *jsonschema.Schema
	source references.Source
	name   string
	lines  []string // of the document
	root   *yaml.Node

	problems []Problem
	given    map[string]*yaml.Node // the keys that have a value, and where it stands
	referred map[string]bool       // keys whose value comes out of the environment or a file
	flags    map[string]string     // the flags that gave a key or took it away
	// those of the document in quotes, each with what stands for it: one may stand a second time,
	// where none is expected
	secrets []string
}

// NewReader makes a reader of a document. name is what problems call the file, dir the folder that
// file:PATH counts from, env looks up a variable.
func NewReader(f *Format, name, dir string, env func(string) (string, bool)) *Reader {
	root := &yaml.Node{Kind: yaml.MappingNode}
	return &Reader{
		format: f, schema: yamlschema.FromStruct(f.Example, ""),
		source: references.Source{Dir: dir, Env: env}, name: name, root: root,
		given: map[string]*yaml.Node{"": root}, referred: map[string]bool{}, flags: map[string]string{},
	}
}

// quotedPattern is what the parser's messages repeat of a document.
var quotedPattern = regexp.MustCompile(`'[^']{2,}'`)

// ParseDocument takes the text of a document; false: it is none.
func (r *Reader) ParseDocument(data []byte) bool {
	if plain, err := runfolder.StripBOM(data); err == nil { // else the parser says where it is not
		data = plain
	}
	r.lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	var all []yaml.Node
	var syntax *yaml.LoadError
	err := yaml.Load(data, &all, yaml.WithAllDocuments())
	root := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	if len(all) > 0 && len(all[0].Content) > 0 {
		root = all[0].Content[0]
	}
	switch {
	case errors.As(err, &syntax):
		at := yaml.Node{Line: min(syntax.Mark.Line, len(r.lines)), Column: syntax.Mark.Column}
		r.addProblem("", &at,
			"YAML error: "+printable.OneLine(quotedPattern.ReplaceAllString(syntax.Message, "(not shown)")),
			"check brackets, quotes and the indentation, which is of spaces")
	case isNullNode(root):
		r.addProblem("", &yaml.Node{}, fmt.Sprintf("expected a %s, found an empty one", r.format.Name),
			r.format.Begin)
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

// SetFromFlag puts a value from a flag in place of what the document gives for a key; nil takes the
// key away. What is wrong with the key is then wrong with the flag.
func (r *Reader) SetFromFlag(flag, key string, n *yaml.Node) {
	for i := len(r.root.Content) - 2; i >= 0; i -= 2 {
		if r.root.Content[i].Value == key {
			r.root.Content = slices.Delete(r.root.Content, i, i+2)
		}
	}
	if r.flags[key] = flag; n != nil {
		r.root.Content = append(r.root.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Value: key, Line: 1}, n)
	}
}

// Decode reads the document into a pointer to a struct, with the defaults of what it does not give.
func (r *Reader) Decode(into any) {
	r.readMapping(value{"", r.schema, r.root, false})
	if len(r.problems) == 0 && r.root.Load(into) != nil { // whose error may quote a secret
		r.addProblem("", r.root, "cannot be read as a "+r.format.Name, "")
	}
}

// Has reports whether a key has a value.
func (r *Reader) Has(key string) bool { return r.given[key] != nil }

// IsReference reports whether the value of a key comes out of the environment or a file.
func (r *Reader) IsReference(key string) bool { return r.referred[key] }

// AddProblem notes a problem with a key, at its place or that of the nearest mapping around it.
func (r *Reader) AddProblem(key, message, hint string) {
	near := key
	for r.given[near] == nil && near != "" {
		near = near[:max(0, strings.LastIndexAny(near, ".["))]
	}
	r.addProblem(key, r.given[near], message, hint)
}

// hiddenSecret completes the sentence "found ..." in place of a secret.
const hiddenSecret = "a value that is not shown"

// kindNames complete it for what is no scalar.
var kindNames = map[yaml.Kind]string{
	yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.AliasNode: "an alias",
}

// reportUnexpected notes that a value is not what its schema expects.
func (r *Reader) reportUnexpected(v value, hint string) {
	found := printable.OneLine(v.node.Value)
	switch {
	case v.node.Kind == yaml.SequenceNode && v.schema.MaxItems != nil:
		found = fmt.Sprintf("a list of %d", len(v.node.Content))
	case v.node.Kind != yaml.ScalarNode:
		found = kindNames[v.node.Kind]
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

// addProblem notes a problem. A file that may hold secrets is not quoted.
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

// Err returns everything that is wrong, in the order of the file and without secrets, as a
// *Problems; nil: nothing is.
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
