package strictyaml

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/references"
	"github.com/gateassay/gateassay/internal/suggest"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// yamlKinds are those of JSON that are not written as scalars.
var yamlKinds = map[string]yaml.Kind{"object": yaml.MappingNode, "array": yaml.SequenceNode}

// readValue makes what stands for a key into what the decoder takes: references resolved, short
// forms written out, units converted, empty parts left out. It reports whether anything is left;
// where a value is needed, that is the problem.
func (r *Reader) readValue(
	s *jsonschema.Schema,
	path string,
	n *yaml.Node,
	secret, needed bool,
) (left bool) {
	kind, before := cmp.Or(yamlKinds[s.Type], yaml.ScalarNode), len(r.problems)
	if short := yamlschema.ExtraValue(s, "scalar"); n.Kind == yaml.ScalarNode && short != "" &&
		!isNullNode(n) {
		one := *n
		n.Kind, n.Style, n.Tag, n.Content = kind, 0, "", []*yaml.Node{&one}
		if kind == yaml.MappingNode {
			n.Content = []*yaml.Node{keyNode(short, 0), &one}
		}
	}
	switch {
	case isNullNode(n):
	case n.Kind != kind:
		r.reportExpected(path, n, yamlschema.ExpectedText(s, r.format.Texts), describeNode(n, secret), "")
	case kind == yaml.MappingNode:
		left = r.readMapping(s, path, n, secret)
	case kind == yaml.SequenceNode:
		left = r.readList(s, path, n, secret)
	default:
		left = r.readScalar(s, path, n, secret)
	}
	if left {
		r.given[path] = n
	} else if needed && len(r.problems) == before {
		r.reportExpected(path, n, "a value", "nothing", "give one, or remove it")
	}
	return left
}

// keyNode is a key on a line; 0: it is in no file.
func keyNode(key string, line int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: line}
}

func (r *Reader) readMapping(
	s *jsonschema.Schema,
	path string,
	n *yaml.Node,
	secret bool,
) (left bool) {
	pairs, first, before := n.Content, map[string]*yaml.Node{}, len(r.problems)
	n.Content = nil
	names := jsonschema.Schema{Type: "string", Format: yamlschema.ExtraValue(s, "names")}
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value, known := pairs[i], pairs[i+1], len(r.problems)
		child, inner := s.AdditionalProperties, yamlschema.JoinPath(path, key.Value)
		if s.Properties != nil {
			child = s.Properties.Value(key.Value)
		}
		if key.Line == 0 || s.Properties == nil && isNullNode(value) {
			// of a short form, which has no key; and of {Authorization:SECRET}, where a space is missing
			inner = path
		}
		switch {
		case key.Kind != yaml.ScalarNode || key.Value == "":
			r.addProblem(path, key, "expected a key that is text", "")
		case child == nil:
			// which is not missing as well
			first[r.reportUnknownKey(s, path, key, secret || isNullNode(value))] = key
		case first[key.Value] != nil:
			r.addProblem(inner, key,
				fmt.Sprintf("given twice; the first is on line %d", first[key.Value].Line),
				"keep one of the two")
		case s.Properties == nil && !r.readScalar(&names, inner, key, secret || isNullNode(value)):
			// which has been said
		case r.readValue(child, inner, value, r.isSecret(s, child, key.Value, secret), r.format.Explicit):
			n.Content = append(n.Content, keyNode(key.Value, 0), value)
			first[key.Value] = key
		case len(r.problems) > known:
			first[key.Value] = key
		}
	}
	if path != "" && !r.format.Explicit && len(n.Content) == 0 && len(r.problems) == before {
		return false // every key is there without a value, as in the template
	}
	r.addDefaults(s, path, n, first)
	return true
}

// isSecret reports whether a key of a mapping carries a secret.
func (r *Reader) isSecret(s, child *jsonschema.Schema, name string, around bool) bool {
	if mark := yamlschema.ExtraValue(child, "secret"); mark != "" {
		return mark == "true"
	}
	return around || s.Properties == nil && r.format.Secret != nil && r.format.Secret.MatchString(name)
}

// keyNamePattern is what a key looks like: in {token:SECRET} the missing space makes all of it a
// key.
var keyNamePattern = regexp.MustCompile(`^[\w.-]{0,40}`)

// reportUnknownKey reports a key that the mapping does not have, and gives the one that was meant.
// {SECRET} is a mapping with a key and no value.
func (r *Reader) reportUnknownKey(
	s *jsonschema.Schema,
	path string,
	key *yaml.Node,
	secret bool,
) string {
	known := yamlschema.MappingKeys(s)
	message, hint := "unknown key "+printable.Quote(
		keyNamePattern.FindString(key.Value),
	), "the keys here are "+strings.Join(known, ", ")
	switch question := suggest.DidYouMean(key.Value, known); {
	case question != "":
		message, hint = message+"; "+question, ""
	case secret && r.format.Secret != nil:
		message = "unknown key (not shown)"
	}
	r.addProblem(path, key, message, hint)
	return suggest.NearestWord(key.Value, known)
}

// addDefaults fills in the defaults of what a mapping does not give, and says what it lacks.
func (r *Reader) addDefaults(
	s *jsonschema.Schema,
	path string,
	n *yaml.Node,
	given map[string]*yaml.Node,
) {
	for name, child := range s.Properties.FromOldest() {
		inner, value := yamlschema.JoinPath(path, name), &yaml.Node{
			Kind:  yaml.ScalarNode,
			Value: fmt.Sprint(child.Default),
		}
		switch {
		case given[name] != nil:
			continue
		case slices.Contains(s.Required, name):
			r.addProblem(inner, n, "required, but missing",
				strings.TrimSpace("add "+name+": "+yamlschema.SampleValue(child)))
			continue
		case child.Default != nil:
			r.readScalar(child, inner, value, false)
		case child.Properties != nil && yamlschema.ExtraValue(child, "optional") == "" && yamlschema.ExtraValue(child,
			"scalar") == "":
			value.Kind = yaml.MappingNode
			r.addDefaults(child, inner, value, nil)
		default:
			continue
		}
		n.Content = append(n.Content, keyNode(name, 0), value)
	}
}

func (r *Reader) readList(
	s *jsonschema.Schema,
	path string,
	n *yaml.Node,
	secret bool,
) (left bool) {
	if size := len(n.Content); s.MaxItems != nil && uint64(size) != *s.MaxItems {
		r.reportExpected(path, n, yamlschema.ExpectedText(s, r.format.Texts),
			fmt.Sprintf("a list of %d", size), "")
	}
	for i, child := range n.Content {
		r.readValue(s.Items, fmt.Sprintf("%s[%d]", path, i), child, secret, true)
	}
	return len(n.Content) > 0
}

func (r *Reader) readScalar(
	s *jsonschema.Schema,
	path string,
	n *yaml.Node,
	secret bool,
) (left bool) {
	t, text := yamlschema.FormatOf(s, r.format.Texts), n.Value
	foreign := n.Line == 0 // what comes from elsewhere is text whatever it looks like
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		text = strings.TrimRight(text, "\n")
	}
	secret = secret || r.format.Secret != nil && strings.Contains(text, "@") // user:password@host
	found := describeNode(n, secret)
	if !foreign && isTextNode(n) && references.HasReference(text) {
		var err error
		if text, err = r.source.Expand(text, secret); err != nil {
			r.addProblem(path, n, err.Error(), "")
			return false
		}
		foreign, r.referred[path], found = true, true, "what it refers to (not shown)"
	}
	if secret && text != "" {
		r.secrets = append(r.secrets, text)
	}
	plain, ok := t.Read(text)
	quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	switch {
	case text == "" && n.Line > 0: // counts as not given
	case text == "", !ok:
		r.reportExpected(path, n, t.Expected, found, suggest.DidYouMean(text, t.Words))
	case !foreign && !t.Amount && !isTextNode(n):
		r.reportExpected(path, n, t.Expected, found, "put it in quotes")
	case !foreign && quoted && s.Type != "string":
		r.reportExpected(path, n, t.Expected, found, "write it without quotes")
	default:
		n.Value, n.Style, n.Tag = plain, 0, "!!str"
		if t.Amount {
			n.Tag = ""
		}
		return true
	}
	return false
}

func isNullNode(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// isTextNode reports whether a scalar is text; YAML's dates are, since nothing here depends on how
// YAML reads them.
func isTextNode(n *yaml.Node) bool {
	return n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp"
}

// kindNames are the kinds of nodes but for scalars, to complete the sentence "found ...".
var kindNames = map[yaml.Kind]string{
	yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.AliasNode: "an alias",
}

// describeNode says what a node is, to complete that sentence.
func describeNode(n *yaml.Node, secret bool) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		return kindNames[n.Kind]
	case secret:
		return "a value that is not shown"
	case isTextNode(n):
		return printable.Quote(n.Value)
	}
	return printable.OneLine(n.Value)
}
