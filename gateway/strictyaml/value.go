package strictyaml

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/meant"
)

// mostItems bounds lists and maps.
const mostItems = 10_000

// value reads the value of a key and reports whether it gave anything.
func (r *Reader) value(k *Key, path string, n *yaml.Node, v reflect.Value) bool {
	at, written := r.placeOf(n), n
	n = resolve(n)
	if k.secret && (k.kind == leaf || n.Kind != yaml.MappingNode) {
		r.conceal(written, true)
	}
	if isNull(n) {
		if r.format.Explicit {
			r.add(path, at, "expected a value, found nothing", "give one, or remove the key")
		}
		return false
	}
	r.at[path] = at
	given := false
	switch {
	case k.kind == mapping:
		given = r.structure(k, path, n, at, v)
	case k.kind == table:
		given = r.table(k, path, n, at, v)
	case k.kind == leaf:
		given = r.leaf(k, path, n, at, v)
	default:
		given = r.list(k, path, n, at, v)
	}
	if given {
		r.given[path] = true
	}
	return given
}

// structure reads a mapping, or the scalar that stands for one of its keys, into a struct or a pointer to one.
func (r *Reader) structure(k *Key, path string, n *yaml.Node, at place, v reflect.Value) (given bool) {
	fresh := reflect.New(k.of)
	if short := k.child(k.scalar); short != nil && n.Kind == yaml.ScalarNode {
		given = r.leaf(short, path, n, at, fresh.Elem().FieldByIndex(short.index))
	} else {
		given = r.mapping(k, path, n, at, fresh.Elem())
	}
	switch {
	case !given:
	case v.Kind() == reflect.Pointer:
		v.Set(fresh)
	default:
		v.Set(fresh.Elem())
	}
	return given
}

// mapping reads a mapping with fixed keys.
func (r *Reader) mapping(k *Key, path string, n *yaml.Node, at place, v reflect.Value) bool {
	if n.Kind != yaml.MappingNode {
		r.add(path, at, expected(k.expectation(), describe(n, k.secret)), "")
		return false
	}
	present := map[string]bool{}
	r.pairs(k, path, n, func(name string, _ place, value *yaml.Node) {
		child := k.child(name)
		present[name] = r.value(child, join(path, name), value, v.FieldByIndex(child.index))
	})
	if path != "" && len(present) == 0 && !r.bad[path] && !r.format.Explicit {
		return false
	}
	any := path == "" || r.format.Explicit
	for _, given := range present {
		any = any || given
	}
	if !any && !r.bad[path] {
		return false // every key is there without a value, as in the template
	}
	for _, child := range k.Keys {
		if inner := join(path, child.Name); child.Required && !present[child.Name] && !r.bad[inner] {
			where, ok := r.at[inner]
			if !ok {
				where = at
			}
			r.add(inner, where, "required, but missing", missing(child))
		}
	}
	r.choose(k, path, at, present)
	return any
}

// choose reports a mapping that gives more or fewer than one of the keys that exclude each other.
func (r *Reader) choose(k *Key, path string, at place, present map[string]bool) {
	var choices, chosen []string
	for _, child := range k.Keys {
		if child.choice {
			choices = append(choices, child.Name)
			if present[child.Name] {
				chosen = append(chosen, child.Name)
			}
		}
	}
	switch {
	case len(chosen) > 1:
		r.add(path, at, expected("one of "+List(choices), List(chosen)), "keep one of them")
	case len(choices) > 0 && len(chosen) == 0 && !r.bad[path]:
		r.add(path, at, expected("one of "+List(choices), "none of them"), "")
	}
}

func missing(k *Key) string {
	if k.kind != mapping {
		return "add " + k.Name + ": " + k.example()
	}
	if len(k.Keys) > 0 {
		return "add " + k.Name + " with " + k.Keys[0].Name + ": " + k.Keys[0].example()
	}
	return "add " + k.Name
}

// pairs calls visit for every known key of a mapping, once, and reports the others.
func (r *Reader) pairs(k *Key, path string, n *yaml.Node, visit func(name string, at place, value *yaml.Node)) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at, name, value := r.placeOf(n.Content[i]), resolve(n.Content[i]), n.Content[i+1]
		line, twice := first[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode:
			r.conceal(value, false)
			r.add(path, at, expected("a key that is text", describe(name, r.format.Secret != nil)), "")
		case !k.free && k.child(name.Value) == nil:
			r.unknown(k, path, at, name.Value, value)
		case twice:
			r.conceal(value, true)
			r.add(join(path, shorten(name.Value)), at, fmt.Sprintf("given twice; the first is on line %d", line),
				"keep one of the two")
		default:
			first[name.Value] = at.line
			visit(name.Value, at, value)
		}
	}
}

// unknown reports a key that the mapping does not have. Its value may be a secret under a misspelt name.
func (r *Reader) unknown(k *Key, path string, at place, name string, value *yaml.Node) {
	near := meant.One(name, k.childNames())
	shown := name
	if r.format.Secret != nil {
		r.conceal(value, false)
		if shown = plainName(name); k.secret && isNull(value) && near == "" {
			shown = "" // {SECRET} is a mapping with a key and no value
		}
		if shown != name {
			r.hidden[at.line] = true
			r.secrets = append(r.secrets, name)
			shown += "…"
		}
	}
	message, hint := "unknown key "+Quote(shown), "the keys here are "+List(k.childNames())
	if places := r.root.places(name, ""); near != "" {
		message, hint = message+"; did you mean "+near+"?", ""
		r.bad[join(path, near)] = true // not missing as well
	} else if len(places) > 0 && len(name) > 1 {
		hint = "it belongs at " + List(places)
	}
	if name == "<<" {
		hint = "mappings cannot be merged here; repeat the keys"
	}
	r.add(path, at, message, hint)
}

// plainName is the part of a key that looks like one: in {token:SECRET} the missing space makes all of it a key.
func plainName(name string) string {
	for i, c := range name {
		plain := c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c &&
			c <= 'Z'
		if !plain && name != "<<" || i >= 40 {
			return name[:i]
		}
	}
	return name
}

// list reads a list of leaves or mappings.
func (r *Reader) list(k *Key, path string, n *yaml.Node, at place, v reflect.Value) bool {
	element := *k
	if element.kind, element.length = leaf, 0; k.kind == mappings {
		element.kind = mapping
	}
	switch {
	case n.Kind == yaml.ScalarNode && k.scalar != "" && k.kind == list:
		one := reflect.MakeSlice(v.Type(), 1, 1)
		given := r.leaf(&element, path, n, at, one.Index(0))
		v.Set(one)
		return given
	case n.Kind != yaml.SequenceNode:
		hint := "begin each item with a dash, or write [a, b]"
		if n.Kind == yaml.ScalarNode && isText(n) && !k.secret {
			hint = "write it as [" + shorten(n.Value) + "]"
		}
		r.add(path, at, expected(k.expectation(), describe(n, k.secret)), hint)
		return false
	case len(n.Content) > mostItems:
		r.add(path, at, expected(fmt.Sprintf("at most %d items", mostItems), fmt.Sprint(len(n.Content))), "")
		return false
	case len(n.Content) == 0 && (k.Required || r.format.Explicit):
		r.add(path, at, "expected at least one item, found an empty list", "")
		return false
	case k.length > 0 && len(n.Content) != k.length:
		r.add(path, at, expected(k.expectation(), fmt.Sprintf("a list of %d", len(n.Content))), "")
		return false
	}
	into := v
	if k.length == 0 {
		into = reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	}
	for i, child := range n.Content {
		inner := fmt.Sprintf("%s[%d]", path, i)
		where, item := r.placeOf(child), resolve(child)
		r.at[inner] = where
		given := false
		if k.kind == mappings {
			given = r.structure(&element, inner, item, where, into.Index(i))
		} else {
			given = !isNull(item) && r.leaf(&element, inner, item, where, into.Index(i))
		}
		if !given && !r.bad[inner] {
			r.add(inner, where, "expected a value, found nothing", "")
		}
	}
	v.Set(into)
	return len(n.Content) > 0
}

// table reads a mapping of free or fixed names to leaves.
func (r *Reader) table(k *Key, path string, n *yaml.Node, at place, v reflect.Value) bool {
	if n.Kind != yaml.MappingNode {
		r.add(path, at, expected(k.expectation(), describe(n, k.secret)), "")
		return false
	}
	given := reflect.MakeMap(v.Type())
	r.pairs(k, path, n, func(name string, at place, value *yaml.Node) {
		inner, one, where := join(path, name), *k, r.placeOf(value)
		one.kind = leaf
		if known := k.child(name); known != nil {
			one = *known
		}
		if r.format.Secret != nil && r.format.Secret.MatchString(name) {
			one.secret = true
		}
		if one.secret {
			r.conceal(value, true)
		}
		if k.names.Test != nil {
			if m := k.names.Test(name); m != nil {
				r.add(inner, where, expected(m.Expected, "the name "+Quote(name)), m.Hint)
				return
			}
		}
		item := resolve(value)
		if item.Kind == yaml.MappingNode && !k.free {
			r.add(inner, where, expected("text", "a mapping"), "write the dotted name as one key: "+name+".part: ...")
			return
		}
		r.at[inner] = at
		text := reflect.New(k.of).Elem()
		switch {
		case isNull(item) && r.format.Explicit:
			r.add(inner, where, "expected a value, found nothing", "")
		case !isNull(item) && r.leaf(&one, inner, item, where, text):
			given.SetMapIndex(reflect.ValueOf(name), text)
			r.given[inner] = true
		}
	})
	if given.Len() == 0 {
		return false
	}
	v.Set(given)
	return true
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
