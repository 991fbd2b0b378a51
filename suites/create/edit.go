package create

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// edit changes a valid creation. Its name is all that reports and labels say of it.
type edit struct {
	name       string
	apply      func(c *target.Creation)
	fields     []string                 // those that it changes, by logical name
	how        outcome                  // what is right; none: a defect is rejected as its field is
	claim      target.Claim             // of what should be refused
	everywhere bool                     // it is sent in every context of its rule
	in         design.Context           // the one that it is sent in
	before     []reason                 // why it may not be sent
	fine       func(target.Answer) bool // of a defect: an acceptance that is right all the same; nil: none is
}

// reason says why something is not sent; nil: nothing keeps it back.
type reason func(context.Context) error

func (e edit) inEveryContext() edit                          { e.everywhere = true; return e }
func (e edit) named(name string) edit                        { e.name = name; return e }
func (e edit) rejected(how outcome) edit                     { e.how = how; return e }
func (e edit) unlessFine(fine func(target.Answer) bool) edit { e.fine = fine; return e }
func (e edit) only(keptBack reason) edit {
	e.before = append(slices.Clip(e.before), keptBack)
	return e
}

// field is the one field that the edit changes; empty: none, or several.
func (e edit) field() string {
	if len(e.fields) == 1 {
		return e.fields[0]
	}
	return ""
}

// changed is an edit of any kind.
func changed(name string, apply func(c *target.Creation)) edit { return edit{name: name, apply: apply} }

// spelled gives one logical field a value made of the valid one.
func spelled(name, field string, spell func(valid any) any) edit {
	return edit{name: name, fields: []string{field}, apply: func(c *target.Creation) {
		value := spell(c.Draft.Get(field))
		if written, ok := value.(json.RawMessage); ok {
			value = representative.Raw(written)
		}
		*c = c.With(field, value)
	}}
}

// worded gives one logical field a value, under a name of its own: values may be personal.
func worded(name, field string, value any) edit {
	return spelled(name, field, func(any) any { return value })
}

func with(field string, value any) edit { return worded(field+" "+notation(value), field, value) }

// raws are edits that give a field values which go out as they are written.
func raws(field string, values ...string) (edits []edit) {
	for _, value := range values {
		edits = append(edits, with(field, representative.Raw(value)))
	}
	return edits
}

// unlessSentAs keeps an edit back where the deployment file says that its field is of a JSON type (string, number).
func (s *Suite) unlessSentAs(jsonType string, e edit) edit {
	return e.only(func(context.Context) error {
		if s.t.Deployment.LegalRepresentative.FieldTypes[e.field()] == jsonType {
			return spec.Unmet("", "legal_representative.field_types says that %s is sent as a %s", e.field(), jsonType)
		}
		return nil
	})
}

func without(field string) edit {
	return edit{name: "no " + field, fields: []string{field}, apply: func(c *target.Creation) { *c = c.Without(field) }}
}

// all gives several fields values.
func all(name string, values map[string]any) edit {
	fields := slices.Sorted(maps.Keys(values))
	return edit{name: name, fields: fields, apply: func(c *target.Creation) {
		for _, field := range fields {
			*c = c.With(field, values[field])
		}
	}}
}

func both(edits ...edit) edit {
	var names, fields []string
	for _, e := range edits {
		names, fields = append(names, e.name), append(fields, e.fields...)
	}
	return edit{name: strings.Join(names, ", "), fields: fields, apply: func(c *target.Creation) {
		for _, e := range edits {
			e.apply(c)
		}
	}}
}

func label(e edit) string { return "creation with " + e.name }

// notation is a value as JSON.
func notation(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
	}
	return string(b)
}

// unless keeps a defect back where another rule's defect like it, by its name, does not get what is right. Once a rule is
// seen to be broken, more of the same would only make representatives, and break other rules for the same reason.
func (s *Suite) unless(name string, e edit) edit {
	return e.only(func(ctx context.Context) error {
		other, known := s.defect(name)
		if !known {
			panic("create: no rule sends a creation with " + name)
		}
		if !other.seen.Launched() {
			return nil
		}
		if a, err := other.seen.Get(ctx); err == nil && !other.holds(a) {
			return spec.Unmet("", "not sent: a request with a similar defect was not rejected, %s", label(other.edit))
		}
		return nil
	})
}

// accepting keeps a defect back where what it is added to was not accepted alone: a refusal says nothing of the defect.
func accepting(valid answer) reason {
	return func(ctx context.Context) error {
		a, err := valid.Get(ctx)
		switch {
		case err != nil || a.Success():
		case a.Refusal() && a.Status != http.StatusTooManyRequests:
			err = spec.Unmet("", "the same request without the defect is refused as well (%s)", a)
		default:
			err = spec.Unclear("the same request without the defect was not accepted (%s), so a refusal would prove nothing", a)
		}
		return err
	}
}

// on adds defects to something valid that the control does not carry.
func (s *Suite) on(valid edit, defects ...edit) []edit {
	edits := s.inPlaceOf(valid, defects...)
	for i := range edits {
		edits[i].name += ", with " + valid.name
	}
	return edits
}

// inPlaceOf puts defects in the place of something valid that the control does not carry.
func (s *Suite) inPlaceOf(valid edit, defects ...edit) (edits []edit) {
	for _, e := range defects {
		e.apply, e.how, e.fields = both(valid, e).apply, howOf(e), nil
		edits = append(edits, e.only(accepting(s.sound(valid))))
	}
	return edits
}
