package strictyaml

import (
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/meant"
)

// value reads what stands for a key and gives it as the decoder takes it: references resolved, short forms written out,
// units converted, empty and wrong parts left out. nil: nothing is left.
func (r *Reader) value(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	if isNull(n) {
		if r.format.Explicit {
			r.add(path, n, "expected a value, found nothing", "give one, or remove the key")
		}
		return nil
	}
	if r.at[path] == nil {
		r.at[path] = n
	}
	var out *yaml.Node
	switch short := extra(s, "scalar"); {
	case s.Type == "object" && short != "" && n.Kind == yaml.ScalarNode:
		if one := r.scalar(s.Properties.Value(short), path, n, secret); one != nil {
			out = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{named(short), one}}
		}
	case s.Type == "object":
		out = r.mapping(s, path, n, secret)
	case s.Type == "array" && short != "" && s.Items.Type != "object" && n.Kind == yaml.ScalarNode:
		if one := r.scalar(s.Items, path, n, secret); one != nil {
			out = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{one}}
		}
	case s.Type == "array":
		out = r.list(s, path, n, secret)
	default:
		out = r.scalar(s, path, n, secret)
	}
	if out != nil {
		r.given[path] = true
	}
	return out
}

func named(key string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key} }

// mapping reads a mapping.
func (r *Reader) mapping(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.add(path, n, expected(r.format.expectation(s), describe(n, secret)), "")
		return nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		child, inner := s.AdditionalProperties, join(path, key.Value)
		if !isTable(s) {
			child = s.Properties.Value(key.Value)
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			r.hide(key.Line)
			r.add(path, key, "expected a key that is text, found "+describe(key, r.format.Secret != nil), "")
		case child == nil:
			r.unknown(s, path, key, value, secret)
		case first[key.Value] != nil:
			r.add(join(path, shorten(key.Value)), key,
				fmt.Sprintf("given twice; the first is on line %d", first[key.Value].Line), "keep one of the two")
		case value.Kind == yaml.MappingNode && child.Type == "string" && extra(s, "table") != "":
			r.add(inner, value, "expected text, found a mapping", "write the dotted name as one key: "+key.Value+".part: ...")
		case r.fitsName(s, inner, key, value):
			first[key.Value] = key
			if isTable(s) && !isNull(value) {
				r.at[inner] = key
			}
			if one := r.value(child, inner, value, r.isSecret(s, child, key.Value, secret)); one != nil {
				out.Content = append(out.Content, named(key.Value), one)
			}
		}
	}
	if path != "" && !r.format.Explicit && len(out.Content) == 0 && !r.bad[path] {
		return nil // every key is there without a value, as in the template
	}
	r.missing(s, path, n)
	r.defaults(s, path, out)
	return out
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
		r.hide(key.Line)
		r.add(path, value, expected(wrong.Expected, "the name "+Quote(key.Value)), wrong.Hint)
	}
	return wrong == nil
}

// missing reports required keys that a mapping lacks, and keys that exclude each other.
func (r *Reader) missing(s *jsonschema.Schema, path string, n *yaml.Node) {
	for _, name := range s.Required {
		inner := join(path, name)
		if r.given[inner] || r.bad[inner] {
			continue
		}
		place, hint := r.at[inner], "add "+name+": "+example(s.Properties.Value(name))
		if place == nil {
			place = n
		}
		if s.Properties.Value(name).Type == "object" {
			hint = "add " + name + ":"
		}
		r.add(inner, place, "required, but missing", hint)
	}
	var choices, chosen []string
	for _, one := range s.OneOf {
		name := one.Required[0]
		if choices = append(choices, name); r.given[join(path, name)] {
			chosen = append(chosen, name)
		}
	}
	switch what := "one of " + List(choices); {
	case len(chosen) > 1:
		r.add(path, n, expected(what, List(chosen)), "keep one of them")
	case len(choices) > 0 && len(chosen) == 0 && !r.bad[path]:
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
		case r.given[inner]:
		case child.Properties != nil && extra(child, "optional") == "" && extra(child, "scalar") == "":
			value = &yaml.Node{Kind: yaml.MappingNode}
			r.defaults(child, inner, value)
		case child.Default != nil:
			t := r.format.text(child)
			plain, _ := t.Read(fmt.Sprint(child.Default))
			value = t.leaf(plain)
		}
		if value != nil {
			out.Content = append(out.Content, named(name), value)
		}
	}
}

// unknown reports a key that the mapping does not have. Its value may be a secret under a misspelt name.
func (r *Reader) unknown(s *jsonschema.Schema, path string, key, value *yaml.Node, secret bool) {
	name := key.Value
	near, shown := meant.One(name, keys(s)), name
	if r.format.Secret != nil && name != "<<" {
		r.hide(key.Line)
		if shown = plainName.FindString(name); secret && isNull(value) && near == "" {
			shown = "" // {SECRET} is a mapping with a key and no value
		}
		if shown != name {
			shown += "…"
		}
	}
	message, hint := "unknown key "+Quote(shown), "the keys here are "+List(keys(s))
	var places []string
	if len(r.problems) < printed {
		table := "-" // whose names are not keys
		Walk(r.schema, func(path string, s *jsonschema.Schema) {
			if extra(s, "table") != "" {
				table = path
			} else if path[strings.LastIndex(path, ".")+1:] == name && !strings.HasPrefix(path, table+".") {
				places = append(places, path)
			}
		})
	}
	switch {
	case near != "":
		message, hint = message+"; did you mean "+near+"?", ""
		r.bad[join(path, near)] = true // not missing as well
	case name == "<<":
		hint = "mappings cannot be merged here; repeat the keys"
	case places != nil:
		hint = "it belongs at " + List(places)
	}
	r.add(path, key, message, hint)
}

// list reads a list of scalars or mappings.
func (r *Reader) list(s *jsonschema.Schema, path string, n *yaml.Node, secret bool) *yaml.Node {
	size := len(n.Content)
	switch {
	case n.Kind != yaml.SequenceNode:
		hint := "begin each item with a dash, or write [a, b]"
		if n.Kind == yaml.ScalarNode && isText(n) && !secret {
			hint = "write it as [" + shorten(n.Value) + "]"
		}
		r.add(path, n, expected(r.format.expectation(s), describe(n, secret)), hint)
		return nil
	case size == 0 && (r.format.Explicit || s.MinItems != nil):
		r.add(path, n, "expected at least one item, found an empty list", "")
		return nil
	case s.MaxItems != nil && uint64(size) != *s.MaxItems:
		r.add(path, n, expected(r.format.expectation(s), fmt.Sprintf("a list of %d", size)), "")
		return nil
	}
	out := &yaml.Node{Kind: yaml.SequenceNode}
	for i, child := range n.Content {
		inner := fmt.Sprintf("%s[%d]", path, i)
		if one := r.value(s.Items, inner, child, secret); one != nil {
			out.Content = append(out.Content, one)
		} else if !r.bad[inner] {
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
		r.add(path, n, expected(r.format.expectation(s), describe(n, secret)), "")
		return nil
	}
	text, shown := n.Value, describe(n, secret)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		text = strings.TrimRight(text, "\n")
	}
	if secret {
		r.secrets = append(r.secrets, text)
	}
	foreign := r.flags[n] != nil // what comes from elsewhere is text whatever it looks like
	if !foreign && isText(n) && refers(text) {
		var ok bool
		if text, shown, ok = r.resolved(path, n, secret); !ok {
			return nil
		}
		if foreign, r.referred[path] = true, true; secret {
			r.secrets = append(r.secrets, text)
		}
	}
	if text == "" {
		if r.format.Explicit {
			r.add(path, n, expected(r.format.expectation(s), `""`), "")
		}
		return nil
	}
	t := r.format.text(s)
	plain, wrong := t.Read(text)
	switch {
	case wrong != nil || foreign || t.Style == Either:
	case t.Style == Quotable && !isText(n):
		wrong = &Mismatch{Expected: r.format.expectation(s), Hint: "put it in quotes"}
	case t.Style == Literal && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		wrong = &Mismatch{Expected: t.Expected, Hint: "write the number without quotes"}
	}
	if wrong == nil {
		return t.leaf(plain)
	}
	if wrong.Conceal {
		r.hide(n.Line)
		shown = "a value that is not shown"
	}
	r.add(path, n, expected(wrong.Expected, shown), wrong.Hint)
	return nil
}

// leaf is what Read gave, for the decoder.
func (t Text) leaf(plain string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: t.Tag, Value: plain}
}

func expected(what, found string) string { return fmt.Sprintf("expected %s, found %s", what, found) }
