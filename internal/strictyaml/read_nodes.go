package strictyaml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/suggest"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// value is the node of a key and the schema that applies to it.
type value struct {
	path   string
	schema *jsonschema.Schema
	node   *yaml.Node
	secret bool // never show this value or anything inside it
}

// readValue prepares a value for the decoder: it resolves references, expands short forms,
// converts units and removes empty parts. It reports whether there is a value, valid or not. If
// one is needed but missing, it reports a problem.
func (r *Reader) readValue(v value, needed bool) (given bool) {
	if mark := yamlschema.ExtraValue(v.schema, "secret"); mark != "" {
		v.secret = mark == "true"
	}
	n := v.node
	if short := yamlschema.ExtraValue(v.schema, "scalar"); n.Kind == yaml.ScalarNode &&
		short != "" && !isNullNode(n) {
		key, one := yaml.Node{Kind: yaml.ScalarNode, Value: short}, *n
		n.Kind, n.Style, n.Tag, n.Content = yaml.MappingNode, 0, "", []*yaml.Node{&key, &one}
		if v.schema.Items != nil {
			n.Kind, n.Content = yaml.SequenceNode, n.Content[1:]
		}
	}
	switch isMapping, isList := v.schema.Type == "object", v.schema.Type == "array"; {
	case isNullNode(n):
	case n.Kind == yaml.MappingNode && isMapping:
		given = r.readMapping(v)
	case n.Kind == yaml.SequenceNode && isList:
		given = r.readList(v)
	case n.Kind == yaml.ScalarNode && !isMapping && !isList:
		given = r.readScalar(v)
	default:
		r.reportUnexpected(v, "")
		return true
	}
	if given {
		r.given[v.path] = n
	} else if needed {
		r.addProblem(v.path, n, "expected a value, found nothing", "give one, or remove it")
	}
	return given || needed
}

func (r *Reader) readMapping(v value) (given bool) {
	pairs, seen := v.node.Content, map[string]*yaml.Node{}
	v.node.Content = nil
	for pair := range slices.Chunk(pairs, 2) {
		key, bare, isTable := pair[0], isNullNode(pair[1]), v.schema.PropertyNames != nil
		path := yamlschema.JoinPath(v.path, key.Value)
		if key.Line == 0 || isTable && bare {
			// short forms have no key; {Authorization:SECRET} lacks a space after its key
			path = v.path
		}
		inner := value{path, v.schema.AdditionalProperties, pair[1], v.secret}
		name := value{path, v.schema.PropertyNames, key, v.secret || bare}
		if isTable {
			r.readScalar(name)
			inner.secret = v.secret || r.format.Secret != nil && r.format.Secret.MatchString(key.Value)
		} else {
			inner.schema = v.schema.Properties.Value(key.Value)
		}
		switch {
		case key.Kind != yaml.ScalarNode || key.Value == "":
			r.addProblem(v.path, key, "expected a key that is text", "")
			seen[""] = key
		case inner.schema == nil:
			seen[r.reportUnknownKey(v, name)] = key // it is not missing as well
		case seen[key.Value] != nil:
			r.addProblem(path, key,
				fmt.Sprint("given twice; the first is on line ", seen[key.Value].Line), "keep one of the two")
		case r.readValue(inner, r.format.Explicit):
			key.Tag, seen[key.Value] = "!!str", key
			v.node.Content = append(v.node.Content, pair...)
		}
	}
	if v.path != "" && !r.format.Explicit && len(seen) == 0 {
		return false // all keys are without values, as in the template
	}
	r.addDefaults(v, seen)
	return true
}

// keyNamePattern matches the part of a key that is safe to show: {token:SECRET} is one key,
// because the space is missing.
var keyNamePattern = regexp.MustCompile(`^[\w.-]{0,40}`)

// reportUnknownKey reports an unknown key and returns the known one that was probably meant.
// {SECRET} is a mapping with a key and no value.
func (r *Reader) reportUnknownKey(around, key value) (meant string) {
	text, known := key.node.Value, yamlschema.MappingKeys(around.schema)
	message := "unknown key " + printable.Quote(keyNamePattern.FindString(text))
	hint := "the keys here are " + strings.Join(known, ", ")
	if question := suggest.DidYouMean(text, known); question != "" {
		message, hint = message+"; "+question, ""
	} else if key.secret && r.format.Secret != nil {
		message = "unknown key (not shown)"
	}
	r.addProblem(around.path, key.node, message, hint)
	return suggest.NearestWord(text, known)
}

// addDefaults adds the defaults of missing keys and reports missing keys that are required.
func (r *Reader) addDefaults(v value, given map[string]*yaml.Node) {
	for name, child := range v.schema.Properties.FromOldest() {
		var node yaml.Node
		inner := value{yamlschema.JoinPath(v.path, name), child, &node, false}
		switch {
		case given[name] != nil: // it needs no default
		case slices.Contains(v.schema.Required, name):
			r.addProblem(inner.path, v.node, "required, but missing",
				strings.TrimSpace("add "+name+": "+yamlschema.SampleValue(child)))
		case child.Default != nil:
			node = yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(child.Default)}
			r.readScalar(inner)
		case child.Properties != nil && yamlschema.ExtraValue(child, "optional") == "" &&
			yamlschema.ExtraValue(child, "scalar") == "":
			node.Kind = yaml.MappingNode
			r.addDefaults(inner, nil)
		}
		if node.Kind != 0 {
			v.node.Content = append(v.node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, &node)
		}
	}
}

func (r *Reader) readList(v value) (given bool) {
	if most := v.schema.MaxItems; most != nil && uint64(len(v.node.Content)) != *most {
		r.reportUnexpected(v, "")
	}
	for i, item := range v.node.Content {
		r.readValue(value{fmt.Sprintf("%s[%d]", v.path, i), v.schema.Items, item, v.secret}, true)
	}
	return len(v.node.Content) > 0
}

func (r *Reader) readScalar(v value) (given bool) {
	n, text := v.node, v.node.Value
	foreign := n.Line == 0 // values from outside the file are always text
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		text = strings.TrimRight(text, "\n")
	}
	v.secret = v.secret || r.format.Secret != nil && strings.Contains(text, "@") // user:password@host
	if !foreign && isTextNode(n) {
		expanded, err := r.expand(text, v.secret)
		if err != nil {
			r.addProblem(v.path, n, err.Error(), "")
			return true
		}
		foreign, text = expanded != text, expanded
		r.referred[v.path] = foreign
	}
	if text == "" && n.Line > 0 {
		return false // an empty value of a flag counts as given, an empty key does not
	}
	if v.secret {
		r.secrets = append(r.secrets, printable.Quote(text), hiddenSecret)
	}
	format := yamlschema.FormatOf(v.schema, r.format.Texts)
	quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	switch plain, ok := format.Read(text); {
	case text == "", !ok:
		r.reportUnexpected(v, suggest.DidYouMean(text, format.Words))
	case !foreign && !format.Amount && !isTextNode(n):
		r.reportUnexpected(v, "put it in quotes")
	case !foreign && quoted && v.schema.Type != "string":
		r.reportUnexpected(v, "write it without quotes")
	default:
		n.Value, n.Style, n.Tag = plain, 0, "!!str"
		if format.Amount {
			n.Tag = ""
		}
	}
	return true
}

func isNullNode(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// isTextNode reports whether a scalar is text. Dates are, because YAML need not parse them.
func isTextNode(n *yaml.Node) bool {
	return n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp"
}
