package deployment

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/meant"
)

// reader turns the nodes of one document into a File and collects what is wrong on the way.
type reader struct {
	name string
	dir  string
	env  func(string) (string, bool)
	src  *source
	file *File

	problems []Problem
	bad      map[string]bool  // keys with a problem, and the mappings they are in
	at       map[string]place // where values are
	secrets  []string         // texts that no problem may repeat
	root     *key
}

func newReader(name, dir, data string, env func(string) (string, bool)) *reader {
	return &reader{
		name: name, dir: dir, env: env, src: newSource(data),
		file: &File{given: map[string]bool{}},
		bad:  map[string]bool{}, at: map[string]place{}, root: document(),
	}
}

// add notes a problem. Its source line is filled in at the end, when everything that must be hidden is known.
func (r *reader) add(key string, at place, expected, found, hint string) {
	r.problems = append(r.problems, Problem{
		File: r.name, Line: at.line, Column: at.column, Key: key, Expected: expected, Found: found, Hint: hint,
	})
	for path := key; path != ""; {
		r.bad[path] = true
		cut := strings.LastIndexAny(path, ".[")
		path = path[:max(cut, 0)]
	}
}

func (r *reader) document(root *yaml.Node) {
	r.src.index(root)
	if root.Kind != yaml.MappingNode {
		r.src.hide(root, false)
		r.add("", placeOf(root), "a mapping with the keys name, base_url and credentials", describe(root, true), startHint)
		return
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "credentials" {
			r.src.hide(root.Content[i+1], true)
			r.literals(root.Content[i+1])
		}
	}
	r.mapping(r.root, "", root, place{1, 1}, &target{file: r.file})
	r.complete()
	r.crossCheck()
}

// literals remembers the texts that the document itself holds as credentials.
func (r *reader) literals(n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		if !onlyRefers(n.Value) {
			r.secrets = append(r.secrets, n.Value)
		}
	case yaml.AliasNode:
		if n.Alias.Kind == yaml.ScalarNode {
			r.secrets = append(r.secrets, n.Alias.Value)
		}
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			r.literals(n.Content[i])
		}
	default:
		for _, child := range n.Content {
			r.literals(child)
		}
	}
}

// value reads the value of a key and tells whether it gave anything.
func (r *reader) value(k *key, path string, n *yaml.Node, t *target) bool {
	at := placeOf(n)
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if isNull(n) {
		return false
	}
	r.at[path] = at
	given := false
	switch k.kind {
	case mapping:
		given = r.mapping(k, path, n, at, t)
	case mappings:
		given = r.mappings(k, path, n, at)
	case texts:
		given = r.texts(k, path, n, at, t)
	case textMap, namedTexts:
		given = r.textMap(k, path, n, at, t)
	case credentials:
		given = r.credentials(k, path, n, at, t)
	case credential:
		given = r.credential(k, path, n, at, t)
	default:
		given = r.leaf(k, path, n, at, t)
	}
	if given {
		r.file.given[path] = true
	}
	return given
}

// mapping reads a mapping with fixed keys.
func (r *reader) mapping(k *key, path string, n *yaml.Node, at place, t *target) bool {
	if n.Kind != yaml.MappingNode {
		r.add(path, at, "a mapping with the keys "+list(k.names()), describe(n, k.secret), "")
		return false
	}
	given := map[string]bool{}
	r.pairs(k, path, n, func(name string, value *yaml.Node) {
		given[name] = r.value(k.child(name), dotted(path, name), value, t)
	})
	if len(n.Content) == 0 && path != "" {
		return false
	}
	any := path == ""
	for _, child := range k.keys {
		any = any || given[child.name]
	}
	if !any && !r.bad[path] {
		return false // every key is there without a value, as in the template
	}
	for _, child := range k.keys {
		inner := dotted(path, child.name)
		if child.required && !given[child.name] && !r.bad[inner] {
			where, ok := r.at[inner]
			if !ok {
				where = at
			}
			r.add(inner, where, describeKey(&child), "nothing", missingHint(&child))
		}
	}
	return any
}

func missingHint(k *key) string {
	if k.name == "credentials" {
		return "add at least platform_token: ${GATEWAY_TOKEN}, or api_key"
	}
	return "add " + k.name + ": " + k.template()
}

// pairs calls visit for every known key of a mapping, once, and reports the others. k's own keys are the known ones,
// every key is where there are none.
func (r *reader) pairs(k *key, path string, n *yaml.Node, visit func(name string, value *yaml.Node)) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		for name.Kind == yaml.AliasNode {
			name = name.Alias
		}
		at := placeOf(n.Content[i])
		if name.Kind != yaml.ScalarNode {
			r.src.hide(value, false)
			r.add(path, at, "a key that is text", describe(name, true), "")
			continue
		}
		if len(k.keys) > 0 && k.child(name.Value) == nil {
			r.unknown(k, path, at, name.Value, value)
			continue
		}
		if line, twice := first[name.Value]; twice {
			r.src.hide(value, true)
			r.add(dotted(path, name.Value), at, "the key once", fmt.Sprintf("it again; it is on line %d already", line), "keep one of the two")
			continue
		}
		first[name.Value] = at.line
		visit(name.Value, value)
	}
}

// unknown reports a key that the mapping does not have. Its value may be a secret under a misspelt name.
func (r *reader) unknown(k *key, path string, at place, name string, value *yaml.Node) {
	r.src.hide(value, false)
	near := meant.One(name, k.names())
	shown := printableKey(name)
	if strings.HasPrefix(path, "credentials") && isNull(value) && near == "" {
		shown = "" // {SECRET} is a mapping with a key and no value
	}
	if shown != name {
		r.src.hideFrom(at, len(shown))
		r.secrets = append(r.secrets, name)
		shown += "…"
	}
	hint := "the keys here are " + list(k.names())
	if near != "" {
		hint = "did you mean " + near + "?"
		r.bad[dotted(path, near)] = true // not missing as well
	} else if places := r.root.places(name, ""); len(places) > 0 && len(name) > 1 {
		hint = "it belongs at " + strings.Join(places, " or ")
	}
	if name == "<<" {
		hint = "merging mappings is not possible here; repeat the keys"
	}
	r.add(dotted(path, shown), at, "a known key", fmt.Sprintf("%q", shown), hint)
}

// printableKey is the part of a key that looks like one: in {token:SECRET} the missing space makes all of it a key.
func printableKey(name string) string {
	for i, c := range name {
		plain := c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !plain || i >= 40 {
			return name[:i]
		}
	}
	return name
}

// places finds where else in the document a key of that name belongs.
func (k *key) places(name, path string) []string {
	var places []string
	for i := range k.keys {
		child := &k.keys[i]
		inner := dotted(path, child.name)
		if child.name == name {
			places = append(places, inner)
		}
		if child.kind == mapping {
			places = append(places, child.places(name, inner)...)
		}
	}
	return places
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
