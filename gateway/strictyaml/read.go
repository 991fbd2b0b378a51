package strictyaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/meant"
)

const (
	mostItems = 10_000  // of a list
	mostReads = 100_000 // keys and items of a document, however often aliases repeat them
)

// value reads what stands for a key and gives it as the decoder takes it: references resolved, short forms written out,
// units converted, empty and wrong parts left out. nil: nothing is left.
func (r *Reader) value(s *jsonschema.Schema, path string, at *yaml.Node, secret bool) *yaml.Node {
	n := resolve(at)
	if secret && n.Kind != yaml.MappingNode {
		r.conceal(at, true)
	}
	if isNull(n) {
		if r.format.Explicit {
			r.add(path, at, "expected a value, found nothing", "give one, or remove the key")
		}
		return nil
	}
	if r.at[path] == nil {
		r.at[path] = at
	}
	var out *yaml.Node
	short := extra(s, "scalar")
	switch {
	case s.Type == "object" && short != "" && n.Kind == yaml.ScalarNode:
		if one := r.scalar(s.Properties.Value(short), path, n, at, secret); one != nil {
			out = mappingOf(short, one)
		}
	case s.Type == "object":
		out = r.mapping(s, path, n, at, secret)
	case s.Type == "array" && short != "" && s.Items.Type != "object" && n.Kind == yaml.ScalarNode:
		if one := r.scalar(s.Items, path, n, at, secret); one != nil {
			out = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{one}}
		}
	case s.Type == "array":
		out = r.list(s, path, n, at, secret)
	default:
		out = r.scalar(s, path, n, at, secret)
	}
	if out != nil {
		r.given[path] = true
	}
	return out
}

func mappingOf(key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: key}, value}}
}

// mapping reads a mapping.
func (r *Reader) mapping(s *jsonschema.Schema, path string, n, at *yaml.Node, secret bool) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.add(path, at, expected(r.expectation(s), describe(n, secret)), "")
		return nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if r.exhausted(path, at) {
			return nil
		}
		place, key, value := n.Content[i], resolve(n.Content[i]), n.Content[i+1]
		child := property(s, key.Value)
		inner := join(path, key.Value)
		switch {
		case key.Kind != yaml.ScalarNode:
			r.conceal(value, false)
			r.add(path, place, "expected a key that is text, found "+describe(key, r.format.Secret != nil), "")
		case child == nil:
			r.unknown(s, path, place, key.Value, value, secret)
		case first[key.Value] != nil:
			r.conceal(value, true)
			r.add(join(path, shorten(key.Value)), place,
				fmt.Sprintf("given twice; the first is on line %d", first[key.Value].Line), "keep one of the two")
		case resolve(value).Kind == yaml.MappingNode && child.Type == "string" && hasParts(s, key.Value):
			r.add(inner, value, "expected text, found a mapping", "write the dotted name as one key: "+key.Value+".part: ...")
		case r.fitsName(s, inner, key.Value, value):
			first[key.Value] = place
			if isTable(s) && !isNull(value) {
				r.at[inner] = place
			}
			if one := r.value(child, inner, value, r.isSecret(s, child, key.Value, secret)); one != nil {
				out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key.Value}, one)
			}
		}
	}
	if path != "" && !r.format.Explicit && len(out.Content) == 0 && !r.bad[path] {
		return nil // every key is there without a value, as in the template
	}
	r.missing(s, path, at)
	r.defaults(s, path, out)
	return out
}

// exhausted counts what is read, and reports whether it is more than any honest document holds.
func (r *Reader) exhausted(path string, at *yaml.Node) bool {
	if r.reads++; r.reads == mostReads {
		r.add(path, at, expected(fmt.Sprintf("at most %d keys and items", mostReads), "more"), "aliases repeat what they name")
	}
	return r.reads >= mostReads
}

// isSecret reports whether a key of a mapping carries a secret.
func (r *Reader) isSecret(s, child *jsonschema.Schema, name string, around bool) bool {
	switch mark := extra(child, "secret"); {
	case mark != "":
		return mark == "true"
	case isTable(s) && r.format.Secret != nil && r.format.Secret.MatchString(name):
		return true
	}
	return around
}

// property is the schema of a key; nil: there is none.
func property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	if isTable(s) {
		return s.AdditionalProperties
	}
	return s.Properties.Value(name)
}

// hasParts reports whether a mapping has keys that begin with a name and a dot.
func hasParts(s *jsonschema.Schema, name string) bool {
	return slices.ContainsFunc(keys(s), func(other string) bool { return strings.HasPrefix(other, name+".") })
}

// fitsName reports whether a mapping may have a name, as far as its schema says.
func (r *Reader) fitsName(s *jsonschema.Schema, path, name string, value *yaml.Node) bool {
	if s.PropertyNames == nil {
		return true
	}
	_, wrong := r.format.text(s.PropertyNames).Read(name)
	if wrong != nil {
		r.conceal(value, true)
		r.add(path, value, expected(wrong.Expected, "the name "+Quote(name)), wrong.Hint)
	}
	return wrong == nil
}

// missing reports required keys that a mapping lacks, and keys that exclude each other.
func (r *Reader) missing(s *jsonschema.Schema, path string, at *yaml.Node) {
	for _, name := range s.Required {
		inner := join(path, name)
		if r.given[inner] || r.bad[inner] {
			continue
		}
		place, hint := r.at[inner], "add "+name+": "+example(s.Properties.Value(name))
		if place == nil {
			place = at
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
		r.add(path, at, expected(what, List(chosen)), "keep one of them")
	case len(choices) > 0 && len(chosen) == 0 && !r.bad[path]:
		r.add(path, at, expected(what, "none of them"), "")
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
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, value)
		}
	}
}

// unknown reports a key that the mapping does not have. Its value may be a secret under a misspelt name.
func (r *Reader) unknown(s *jsonschema.Schema, path string, at *yaml.Node, name string, value *yaml.Node, secret bool) {
	near := meant.One(name, keys(s))
	shown := name
	if r.format.Secret != nil {
		r.conceal(value, false)
		if shown = plainName.FindString(name); secret && isNull(value) && near == "" {
			shown = "" // {SECRET} is a mapping with a key and no value
		}
		if shown != name && name != "<<" {
			r.hidden[at.Line] = true
			r.secrets = append(r.secrets, name)
			shown += "…"
		}
	}
	message, hint := "unknown key "+Quote(shown), "the keys here are "+List(keys(s))
	switch {
	case near != "":
		message, hint = message+"; did you mean "+near+"?", ""
		r.bad[join(path, near)] = true // not missing as well
	case name == "<<":
		hint = "mappings cannot be merged here; repeat the keys"
	case r.places()[name] != nil:
		hint = "it belongs at " + List(r.places()[name])
	}
	r.add(path, at, message, hint)
}

// places are the paths of keys by their last names, but for those of names in tables.
func (r *Reader) places() map[string][]string {
	if r.known == nil {
		r.known = map[string][]string{}
		table := "-"
		Walk(r.schema, func(path string, s *jsonschema.Schema) {
			if extra(s, "table") != "" {
				table = path
			} else if !strings.HasPrefix(path, table+".") {
				name := path[strings.LastIndex(path, ".")+1:]
				r.known[name] = append(r.known[name], path)
			}
		})
	}
	return r.known
}

// list reads a list of scalars or mappings.
func (r *Reader) list(s *jsonschema.Schema, path string, n, at *yaml.Node, secret bool) *yaml.Node {
	found := describe(n, secret)
	size := len(n.Content)
	hint := ""
	want := r.expectation(s)
	switch {
	case n.Kind != yaml.SequenceNode:
		if hint = "begin each item with a dash, or write [a, b]"; n.Kind == yaml.ScalarNode && isText(n) && !secret {
			hint = "write it as [" + shorten(n.Value) + "]"
		}
	case size > mostItems:
		want, found = fmt.Sprintf("at most %d items", mostItems), fmt.Sprint(size)
	case size == 0:
		if r.format.Explicit || s.MinItems != nil {
			r.add(path, at, "expected at least one item, found an empty list", "")
		}
		return nil
	case s.MaxItems != nil && uint64(size) != *s.MaxItems:
		found = fmt.Sprintf("a list of %d", size)
	default:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for i, child := range n.Content {
			if r.exhausted(path, at) {
				return nil
			}
			inner := fmt.Sprintf("%s[%d]", path, i)
			if one := r.value(s.Items, inner, child, secret); one != nil {
				out.Content = append(out.Content, one)
			} else if !r.bad[inner] {
				r.add(inner, child, "expected a value, found nothing", "")
			}
		}
		if s.MaxItems != nil && len(out.Content) < size {
			return nil
		}
		return out
	}
	r.add(path, at, expected(want, found), hint)
	return nil
}

// scalar reads a scalar.
func (r *Reader) scalar(s *jsonschema.Schema, path string, n, at *yaml.Node, secret bool) *yaml.Node {
	if n.Kind != yaml.ScalarNode {
		r.add(path, at, expected(r.expectation(s), describe(n, secret)), "")
		return nil
	}
	text, shown := n.Value, describe(n, secret)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		text = strings.TrimRight(text, "\n")
	}
	foreign := r.flags[at] != nil // what comes from elsewhere is text whatever it looks like
	if !foreign && isText(n) && refers(text) {
		var ok bool
		if text, shown, ok = r.resolved(path, text, at, secret); !ok {
			return nil
		}
		foreign, r.referred[path] = true, true
	}
	if text == "" {
		if r.format.Explicit {
			r.add(path, at, expected(r.expectation(s), `""`), "")
		}
		return nil
	}
	t := r.format.text(s)
	plain, wrong := t.Read(text)
	quotes := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	switch {
	case foreign, t.Style == Either:
	case t.Style == Quotable && !isText(n) && wrong == nil:
		wrong = &Mismatch{Expected: r.expectation(s), Hint: "put it in quotes"}
	case t.Style == Literal && isText(n) && quotes && wrong == nil:
		wrong = &Mismatch{Expected: t.Expected, Hint: "write the number without quotes"}
	}
	if wrong == nil {
		return t.leaf(plain)
	}
	if wrong.Conceal {
		r.conceal(n, true)
		shown = "a value that is not shown"
	}
	r.add(path, at, expected(wrong.Expected, shown), wrong.Hint)
	return nil
}

// leaf is what Read gave, for the decoder.
func (t Text) leaf(plain string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: t.Tag, Value: plain}
}
