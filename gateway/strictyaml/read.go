package strictyaml

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/meant"
)

// value reads what stands for a key and gives it as the decoder takes it: references resolved, short forms written out,
// units converted, empty and wrong parts left out. nil: nothing is left.
func (r *Reader) value(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) (out *yaml.Node) {
	short := n.Kind == yaml.ScalarNode && extra(s, "scalar") != ""
	switch {
	case n.Kind == yaml.AliasNode:
		r.add(path, n, "expected a value, found an alias", "repeat what it stands for")
	case isNull(n) && r.format.Explicit:
		r.add(path, n, "expected a value, found nothing", "give one, or remove the key")
	case isNull(n):
	case s.Type == "object" && short:
		name := extra(s, "scalar")
		if one := r.scalar(s.Properties.Value(name), path, n, secret); one != nil {
			out = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{named(name), one}}
		}
	case s.Type == "object":
		out = r.mapping(s, path, n, secret)
	case s.Type == "array" && short && s.Items.Type != "object":
		if one := r.scalar(s.Items, path, n, secret); one != nil {
			out = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{one}}
		}
	case s.Type == "array":
		out = r.list(s, path, n, secret)
	default:
		out = r.scalar(s, path, n, secret)
	}
	if out != nil {
		r.given[path] = n
	}
	return out
}

func named(key string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key} }

// mapping reads a mapping.
func (r *Reader) mapping(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return r.misfit(s, path, n, secret)
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	first, problems := map[string]int{}, len(r.problems)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		child, inner := s.AdditionalProperties, join(path, key.Value)
		if !isTable(s) {
			child = s.Properties.Value(key.Value)
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			r.hide(key)
			r.add(path, key, "expected a key that is text, found "+describe(key, r.format.Secret != nil), "")
		case child == nil:
			first[r.unknown(s, path, key, value, secret)] = key.Line // which is not missing as well
		case first[key.Value] > 0:
			r.hide(value)
			r.add(inner, key, fmt.Sprintf("given twice; the first is on line %d", first[key.Value]), "keep one of the two")
		case r.fitsName(s, inner, key, value):
			if !isNull(value) {
				first[key.Value] = max(1, key.Line)
			}
			if one := r.value(child, inner, value, r.isSecret(s, child, key.Value, secret)); one != nil {
				out.Content = append(out.Content, named(key.Value), one)
			}
		}
	}
	if path != "" && !r.format.Explicit && len(out.Content) == 0 && len(r.problems) == problems {
		return nil // every key is there without a value, as in the template
	}
	for _, name := range s.Required {
		if child := s.Properties.Value(name); first[name] == 0 {
			r.add(join(path, name), n, "required, but missing", strings.TrimSpace("add "+name+": "+example(child)))
		}
	}
	if len(r.problems) == problems {
		r.choose(s, path, n)
	}
	r.defaults(s, path, out)
	return out
}

// misfit reports a node of another kind than its schema asks for.
func (r *Reader) misfit(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	if secret {
		r.hide(n)
	}
	r.add(path, n, expected(r.format.expectation(s), describe(n, secret)), "")
	return nil
}

// isSecret reports whether a key of a mapping carries a secret.
func (r *Reader) isSecret(s, child *jsonschema.Schema, name string, around bool) bool {
	if mark := extra(child, "secret"); mark != "" {
		return mark == "true"
	}
	return around || isTable(s) && r.format.Secret != nil && r.format.Secret.MatchString(name)
}

// fitsName reports whether a mapping may have a name, as far as its schema says.
func (r *Reader) fitsName(s *jsonschema.Schema, path string, key, value *yaml.Node) bool {
	if s.PropertyNames == nil {
		return true
	}
	_, wrong := r.format.text(s.PropertyNames).Read(key.Value)
	if wrong != nil {
		r.hide(value)
		r.add(path, key, expected(wrong.Expected, "the name "+Quote(key.Value)), wrong.Hint)
	}
	return wrong == nil
}

// choose reports keys that exclude each other.
func (r *Reader) choose(s *jsonschema.Schema, path string, n *yaml.Node) {
	var choices, chosen []string
	for _, one := range s.OneOf {
		name := one.Required[0]
		if choices = append(choices, name); r.Has(join(path, name)) {
			chosen = append(chosen, name)
		}
	}
	switch what := "one of " + List(choices); {
	case len(chosen) > 1:
		r.add(path, n, expected(what, List(chosen)), "keep one of them")
	case len(choices) > 0 && len(chosen) == 0:
		r.add(path, n, expected(what, "none of them"), "")
	}
}

// defaults fills in what a mapping does not give.
func (r *Reader) defaults(s *jsonschema.Schema, path string, out *yaml.Node) {
	if extra(s, "table") != "" {
		return // what its names stand for where they are not given depends on others
	}
	for name, child := range s.Properties.FromOldest() {
		var value *yaml.Node
		switch inner := join(path, name); {
		case r.Has(inner):
			continue
		case child.Properties != nil && extra(child, "optional") == "" && extra(child, "scalar") == "":
			value = &yaml.Node{Kind: yaml.MappingNode}
			r.defaults(child, inner, value)
		case child.Default != nil:
			t := r.format.text(child)
			plain, _ := t.Read(fmt.Sprint(child.Default))
			value = t.leaf(plain)
		default:
			continue
		}
		out.Content = append(out.Content, named(name), value)
	}
}

// plainName is what a key looks like: in {token:SECRET} the missing space makes all of it a key.
var plainName = regexp.MustCompile(`^[\w.-]{0,40}`)

// unknown reports a key that the mapping does not have, and gives the one that was meant. Its value may be a secret
// under a misspelt name; {SECRET} is a mapping with a key and no value.
func (r *Reader) unknown(s *jsonschema.Schema, path string, key, value *yaml.Node, secret bool) string {
	near, hint := meant.One(key.Value, keys(s)), "the keys here are "+List(keys(s))
	message := "unknown key " + Quote(plainName.FindString(key.Value))
	switch {
	case near != "":
		message, hint = message+"; did you mean "+near+"?", ""
	case secret && isNull(value):
		message = "unknown key (not shown)"
	}
	r.add(path, key, message, hint)
	r.hide(key)
	r.hide(value)
	return near
}

// list reads a list of scalars or mappings.
func (r *Reader) list(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	size := len(n.Content)
	switch {
	case n.Kind != yaml.SequenceNode:
		return r.misfit(s, path, n, secret)
	case size == 0 && (r.format.Explicit || s.MinItems != nil):
		r.add(path, n, "expected at least one item, found an empty list", "")
		return nil
	case s.MaxItems != nil && uint64(size) != *s.MaxItems:
		r.add(path, n, expected(r.format.expectation(s), fmt.Sprintf("a list of %d", size)), "")
		return nil
	}
	out := &yaml.Node{Kind: yaml.SequenceNode}
	for i, child := range n.Content {
		inner, problems := fmt.Sprintf("%s[%d]", path, i), len(r.problems)
		if one := r.value(s.Items, inner, child, secret); one != nil {
			out.Content = append(out.Content, one)
		} else if len(r.problems) == problems {
			r.add(inner, child, "expected a value, found nothing", "")
		}
	}
	if size == 0 || s.MaxItems != nil && len(out.Content) < size {
		return nil
	}
	return out
}

// scalar reads a scalar.
func (r *Reader) scalar(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	if n.Kind != yaml.ScalarNode {
		return r.misfit(s, path, n, secret)
	}
	t := r.format.text(s)
	text, shown := n.Value, describe(n, secret)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		text = strings.TrimRight(text, "\n")
	}
	foreign := r.flags[n] != "" // what comes from elsewhere is text whatever it looks like
	if !foreign && isText(n) && refers(text) {
		var err error
		if text, err = r.resolved(text, secret); err != nil {
			r.hidden[n.Line] = r.hidden[n.Line] || secret
			r.add(path, n, err.Error(), "")
			return nil
		}
		foreign, r.referred[path], shown = true, true, "what it refers to (not shown)"
	}
	if secret && text != "" {
		r.hide(n)
		r.secrets = append(r.secrets, text)
	}
	if text == "" {
		if r.format.Explicit || r.flags[n] != "" {
			r.add(path, n, expected(t.Expected, `""`), "")
		}
		return nil
	}
	plain, wrong := t.Read(text)
	switch quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0; {
	case wrong != nil || foreign:
	case !t.Amount && !isText(n):
		wrong = &Mismatch{Expected: t.Expected, Hint: "put it in quotes"}
	case quoted && s.Type != "string":
		wrong = &Mismatch{Expected: t.Expected, Hint: "write it without quotes"}
	}
	if wrong == nil {
		return t.leaf(plain)
	}
	if wrong.Conceal {
		r.hide(n)
		shown = "a value that is not shown"
	}
	r.add(path, n, expected(wrong.Expected, shown), wrong.Hint)
	return nil
}

// leaf is what Read gave, for the decoder.
func (t Text) leaf(plain string) *yaml.Node {
	n := named(plain)
	if t.Amount {
		n.Tag = ""
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// isText reports whether a scalar is text; YAML's dates are, since nothing here depends on how YAML reads them.
func isText(n *yaml.Node) bool { return n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp" }

func expected(what, found string) string { return fmt.Sprintf("expected %s, found %s", what, found) }

// describe says what a node is, to complete the sentence "found ...".
func describe(n *yaml.Node, secret bool) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "nothing"
	case secret:
		return "a value that is not shown"
	case isText(n):
		return Quote(n.Value)
	}
	return clean(n.Value)
}
