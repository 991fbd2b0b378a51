// Package strictyaml reads files that people write in YAML into structs, and says what is wrong with them as compilers
// do: the place, the key, what was expected, the line with a caret below the column, and what to do next.
//
// A struct describes its format by the tags of its fields. The reader, the JSON Schema, the template and the reference
// all come from them, and what a field means is its comment:
//
//	yaml:"in_flight"                    the key; fields without it are left out, ",inline" adds the fields of a struct
//	default:"16"                        what holds where the key is not given
//	sample:"8"                          the value in the template where there is no default
//	jsonschema:"required,minimum=1"     required, minimum and maximum, also exclusive, enum;
//	                                    oneof: exactly one of the keys that say so is given
//	check:"uuid"                        a Check of the format that the text must pass; for lists and maps each text
//	names:"header"                      the same for the keys of a map
//	keys:"fields"                       Names of the format, where a map has fixed keys
//	unit:"rate"                         a Unit of the format, for numbers
//	layout:"date"                       a time is a day
//	scalar:"bearer"                     a scalar in place of the mapping stands for this key of it;
//	                                    of a list, any value: a scalar stands for a list of one
//	secret:"true"                       neither the text nor anything below it is ever shown; "false" takes a key out
//
// A pointer to a struct is a mapping that may be absent: its defaults hold only once it is given. Any text may hold
// ${NAME}, an environment variable, or be file:PATH, what a file holds.
package strictyaml

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Format is a kind of file that people write.
type Format struct {
	Name    string   // such as "plan"
	Largest int      // bytes
	Begin   string   // what to do about an empty file
	Absent  string   // what to do where there is none
	Sources []string // the Go source of the structs, whose comments say what the keys mean; may be empty

	Checks map[string]Check
	Units  map[string]Unit
	Names  map[string][]Name

	// Secret matches the names of map entries that carry a secret; nil: nothing in such a file is secret.
	Secret *regexp.Regexp
	// Explicit makes a key without a value an error; otherwise it counts as not given, as do empty lists and mappings.
	Explicit bool
}

// Mismatch is why a check refuses a text. Expected completes the sentence "expected ...".
type Mismatch struct {
	Expected, Hint string
	Conceal        bool // the text holds a secret: show nothing of it
}

// Check judges a text; nil is fine.
type Check struct {
	Type    string // what the reference calls it; empty: text
	Pattern string // for editors: a regular expression that the plain text matches
	Test    func(text string) *Mismatch
}

// Unit reads a number that is written with a unit.
type Unit struct {
	Type  string // what the reference calls it
	Words string // completes the sentence "expected ..."
	Parse func(text string) (float64, bool)
	Hint  func(text string) string // what to do about a text that is none; may be nil
}

// Name is a fixed key of a map.
type Name struct{ Name, Default, Sample, Check, Doc string }

// Key describes one key of a format.
type Key struct {
	Name     string
	Keys     []*Key
	Required bool // within its mapping, once that is given
	Doc      string
	Default  string
	Sample   string

	choice   bool // one of several, of which exactly one is given
	optional bool // a mapping that may be absent
	secret   bool
	kind     kind
	index    []int // of the field in the struct of its mapping
	of       reflect.Type
	check    Check
	names    Check
	length   int  // of a list; 0: any
	free     bool // a map whose keys are not fixed
	unit     *Unit
	day      bool
	scalar   string
	enum     []string
	least    *float64
	above    bool // the value must be above least, not only equal
	most     *float64
	below    bool // the value must be below most
}

type kind int

const (
	leaf     kind = iota
	mapping       // a struct
	mappings      // a list of structs
	list          // a list of leaves
	table         // a map of names to leaves
)

// Root describes a format whose file is read into values of the given struct.
func (f *Format) Root(of any) *Key {
	return f.root(reflect.TypeOf(of), comments(f.Sources))
}

func (f *Format) root(t reflect.Type, docs map[string]string) *Key {
	root := &Key{kind: mapping}
	f.describe(root, t, docs)
	return root
}

func (f *Format) describe(k *Key, t reflect.Type, docs map[string]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if option == "inline" {
			inner := &Key{secret: k.secret}
			f.describe(inner, field.Type, docs)
			for _, child := range inner.Keys {
				child.index = append([]int{i}, child.index...)
				k.Keys = append(k.Keys, child)
			}
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		tag := field.Tag
		child := &Key{
			Name: name, Default: tag.Get("default"), Sample: tag.Get("sample"),
			Doc: docs[t.Name()+"."+field.Name], index: []int{i},
			check: f.Checks[tag.Get("check")], names: f.Checks[tag.Get("names")], scalar: tag.Get("scalar"),
			day:    tag.Get("layout") == "date",
			secret: k.secret && tag.Get("secret") != "false" || tag.Get("secret") == "true",
		}
		if unit, ok := f.Units[tag.Get("unit")]; ok {
			child.unit = &unit
		}
		child.bounds(tag.Get("jsonschema"))
		f.shape(child, field.Type, docs)
		for _, n := range f.Names[tag.Get("keys")] {
			child.free = false
			child.Keys = append(child.Keys, &Key{
				Name: n.Name, Default: n.Default, Sample: n.Sample, Doc: n.Doc, check: f.Checks[n.Check],
				of: reflect.TypeFor[string](),
			})
		}
		k.Keys = append(k.Keys, child)
	}
}

// shape finds out what a field holds.
func (f *Format) shape(k *Key, t reflect.Type, docs map[string]string) {
	if t.Kind() == reflect.Pointer {
		k.optional, t = true, t.Elem()
	}
	k.of = t
	switch {
	case t == reflect.TypeFor[time.Time]():
	case t.Kind() == reflect.Struct:
		k.kind = mapping
		f.describe(k, t, docs)
	case t.Kind() == reflect.Map:
		k.kind, k.of, k.free = table, t.Elem(), true
	case t.Kind() == reflect.Slice && structure(t.Elem()) != nil:
		k.kind, k.of = mappings, structure(t.Elem())
		f.describe(k, k.of, docs)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		if k.kind, k.of = list, t.Elem(); t.Kind() == reflect.Array {
			k.length = t.Len()
		}
	}
}

// structure is the struct that a type is or points to; nil: it is another type.
func structure(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// bounds reads the tag that package jsonschema reads.
func (k *Key) bounds(tag string) {
	for part := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(part, "=")
		number, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "required":
			k.Required = true
		case "oneof":
			k.choice = true
		case "minimum":
			k.least = &number
		case "exclusiveMinimum":
			k.least, k.above = &number, true
		case "maximum":
			k.most = &number
		case "exclusiveMaximum":
			k.most, k.below = &number, true
		case "enum":
			k.enum = append(k.enum, value)
		}
	}
}

// child finds a key by name.
func (k *Key) child(name string) *Key {
	if i := slices.IndexFunc(k.Keys, func(c *Key) bool { return c.Name == name }); i >= 0 {
		return k.Keys[i]
	}
	return nil
}

// find finds a key by its dotted path.
func (k *Key) find(path string) *Key {
	for name := range strings.SplitSeq(path, ".") {
		k = k.child(name)
	}
	return k
}

func (k *Key) childNames() []string {
	names := make([]string, len(k.Keys))
	for i, child := range k.Keys {
		names[i] = child.Name
	}
	return names
}

// places finds where a key of that name belongs.
func (k *Key) places(name, path string) []string {
	var places []string
	for _, child := range k.Keys {
		inner := join(path, child.Name)
		if child.Name == name {
			places = append(places, inner)
		}
		if child.kind == mapping {
			places = append(places, child.places(name, inner)...)
		}
	}
	return places
}

// Walk calls visit for every key, with its dotted path; keys of a list's elements follow the list's own path.
func (k *Key) Walk(visit func(path string, k *Key)) { k.walk("", visit) }

func (k *Key) walk(path string, visit func(string, *Key)) {
	for _, child := range k.Keys {
		inner := join(path, child.Name)
		visit(inner, child)
		child.walk(inner, visit)
	}
}

// join returns the dotted path of a key in a mapping.
func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}
