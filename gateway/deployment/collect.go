package deployment

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// item is the description of one text within a list or a free mapping.
func (k *key) item() *key { return &key{kind: text, check: k.check} }

// item reads one text of a list or mapping; it is empty where the document gives nothing.
func (r *reader) item(k *key, path string, n *yaml.Node, t *string) bool {
	at := placeOf(n)
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if isNull(n) {
		return false
	}
	r.at[path] = at
	item := k.item()
	item.into = func(*target) any { return t }
	return r.leaf(item, path, n, at, nil)
}

// texts reads a list of text.
func (r *reader) texts(k *key, path string, n *yaml.Node, at place, t *target) bool {
	if n.Kind != yaml.SequenceNode {
		hint := ""
		if n.Kind == yaml.ScalarNode && isText(n) {
			hint = "write it as [" + shorten(n.Value) + "]"
		}
		r.add(path, at, "a list of text", describe(n, false), hint)
		return false
	}
	var list []string
	for i, child := range n.Content {
		inner, value := fmt.Sprintf("%s[%d]", path, i), ""
		if r.item(k, inner, child, &value) {
			list = append(list, value)
		} else if !r.bad[inner] {
			r.add(inner, placeOf(child), "text", "nothing", "")
		}
	}
	if len(list) == 0 && !k.required {
		return false
	}
	if len(list) == 0 {
		if !r.bad[path] {
			r.add(path, at, "at least one text", "an empty list", "")
		}
		return false
	}
	*k.into(t).(*[]string) = list
	return true
}

// textMap reads a mapping of free or fixed names to text.
func (r *reader) textMap(k *key, path string, n *yaml.Node, at place, t *target) bool {
	if n.Kind != yaml.MappingNode {
		r.add(path, at, "a mapping of names to text", describe(n, false), "")
		return false
	}
	given := map[string]string{}
	r.pairs(k, path, n, func(name string, value *yaml.Node) {
		inner, one := dotted(path, name), k
		if known := k.child(name); known != nil {
			one = known
		}
		if authenticates(name) {
			r.src.hide(value, true)
			r.literals(value)
		}
		if k.checkKey != nil {
			if c := k.checkKey(name); c != nil {
				r.add(inner, placeOf(value), c.expected, fmt.Sprintf("the name %q", shorten(name)), c.hint)
				return
			}
		}
		if value.Kind == yaml.MappingNode && k.child(name) != nil {
			r.add(inner, placeOf(value), "text", "a mapping", "write the dotted name as one key: "+name+".part: ...")
			return
		}
		if text := ""; r.item(one, inner, value, &text) {
			given[name] = text
			r.file.given[inner] = true
		}
	})
	if len(given) == 0 {
		return false
	}
	*k.into(t).(*map[string]string) = given
	return true
}

// mappings reads a list of mappings. The waivers are the only one.
func (r *reader) mappings(k *key, path string, n *yaml.Node, at place) bool {
	if n.Kind != yaml.SequenceNode {
		r.add(path, at, "a list of mappings with the keys "+list(k.names()), describe(n, false), "begin each with a dash")
		return false
	}
	element := &key{kind: mapping, keys: k.keys}
	for i, child := range n.Content {
		inner, where := fmt.Sprintf("%s[%d]", path, i), placeOf(child)
		for child.Kind == yaml.AliasNode {
			child = child.Alias
		}
		waiver := Waiver{}
		if r.mapping(element, inner, child, where, &target{file: r.file, waiver: &waiver}) {
			r.file.Waivers = append(r.file.Waivers, waiver)
		} else if !r.bad[inner] {
			r.add(inner, where, element.expectation(), "an empty one", "")
		}
	}
	return len(r.file.Waivers) > 0
}

// credentials reads a list of credentials.
func (r *reader) credentials(k *key, path string, n *yaml.Node, at place, t *target) bool {
	r.src.hide(n, true)
	r.literals(n)
	if n.Kind != yaml.SequenceNode {
		r.add(path, at, k.expectation(), describe(n, true), "begin each with a dash")
		return false
	}
	var list []*Credential
	for i, child := range n.Content {
		inner, one := fmt.Sprintf("%s[%d]", path, i), (*Credential)(nil)
		item := &key{kind: credential, secret: true, into: func(*target) any { return &one }}
		if r.value(item, inner, child, t) {
			list = append(list, one)
		} else if !r.bad[inner] {
			r.add(inner, placeOf(child), item.expectation(), "nothing", "")
		}
	}
	*k.into(t).(*[]*Credential) = list
	return len(list) > 0
}

// credential reads a credential in one of its three spellings.
func (r *reader) credential(k *key, path string, n *yaml.Node, at place, t *target) bool {
	secret := &key{kind: text, secret: true, check: isCredential}
	value, method := "", Bearer
	if k.name == "api_key" {
		method = APIKey
	}
	switch n.Kind {
	case yaml.ScalarNode:
		secret.into = func(*target) any { return &value }
		if !r.leaf(secret, path, n, at, t) {
			return false
		}
	case yaml.MappingNode:
		methods := &key{name: k.name, kind: mapping, keys: []key{{name: string(Bearer)}, {name: string(APIKey)}}}
		found := 0
		r.pairs(methods, path, n, func(name string, child *yaml.Node) {
			inner, where, text := dotted(path, name), placeOf(child), ""
			for child.Kind == yaml.AliasNode {
				child = child.Alias
			}
			secret.into = func(*target) any { return &text }
			if isNull(child) {
				return
			}
			if r.leaf(secret, inner, child, where, t) {
				value, method = text, Method(name)
				found++
			}
		})
		if found > 1 {
			r.add(path, at, "one of bearer and api_key", "both", "keep the method that this identity uses")
		}
		if found != 1 {
			if found == 0 && len(n.Content) > 0 && !r.bad[path] {
				r.add(path, at, "a value under bearer or api_key", "nothing", "")
			}
			return false
		}
	default:
		r.add(path, at, k.expectation(), describe(n, true), "")
		return false
	}
	*k.into(t).(**Credential) = &Credential{Name: strings.TrimPrefix(path, "credentials."), Method: method, Value: value}
	return true
}
