package create

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// edit changes a valid creation. Its name is all that reports and labels say of it.
type edit struct {
	outcome
	name       string
	apply      func(c *target.Creation)
	fields     []string                 // those that it changes, by logical name
	jsonType   string                   // a right value of that type: no defect where the deployment file says that the field has it
	everywhere bool                     // it is sent in every context of its rule
	claim      target.Claim             // of what should be refused
	before     []reason                 // why it may not be sent
	like       string                   // another defect, by its name: where that does not get what is right, it is not sent
	fine       func(target.Answer) bool // of a defect: an acceptance that is right all the same; nil: none is
}

// reason says why something is not sent; nil: nothing keeps it back.
type reason func(context.Context) error

func (e edit) inEveryContext() edit                          { e.everywhere = true; return e }
func (e edit) after(like string) edit                        { e.like = like; return e }
func (e edit) named(name string) edit                        { e.name = name; return e }
func (e edit) expecting(o outcome) edit                      { e.outcome = o; return e }
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
func changed(name string, apply func(c *target.Creation)) edit {
	return edit{name: name, apply: apply, outcome: ofValue()}
}

// spelled gives one logical field a value made of the valid one.
func spelled(name, field string, spell func(valid any) any) edit {
	e := changed(name, func(c *target.Creation) {
		valid := c.Draft.Get(field)
		if valid == nil && field == "document_number" { // the deployment refuses right ones
			valid = newCPF(false)
		}
		value := spell(valid)
		if written, ok := value.(json.RawMessage); ok {
			value = representative.Raw(written)
		}
		*c = c.With(field, value)
	})
	e.fields, e.outcome = []string{field}, ofField(field)
	return e
}

// worded gives one logical field a value, under a name of its own: values may be personal.
func worded(name, field string, value any) edit {
	return spelled(name, field, func(any) any { return value })
}

func with(field string, value any) edit { return worded(field+" "+notation(value), field, value) }

func without(field string) edit {
	e := worded("no "+field, field, nil)
	e.apply = func(c *target.Creation) { *c = c.Without(field) }
	return e
}

// all gives several fields values.
func all(name string, values map[string]any) edit {
	var edits []edit
	for _, field := range slices.Sorted(maps.Keys(values)) {
		edits = append(edits, with(field, values[field]))
	}
	return both(edits...).named(name)
}

func both(edits ...edit) edit {
	var names, fields []string
	for _, e := range edits {
		names, fields = append(names, e.name), append(fields, e.fields...)
	}
	e := changed(strings.Join(names, ", "), func(c *target.Creation) {
		for _, e := range edits {
			e.apply(c)
		}
	})
	e.fields = fields
	return e
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

// on adds defects to something valid that the control does not carry.
func (s *Suite) on(valid edit, defects ...edit) (edits []edit) {
	for _, e := range defects {
		e.apply, e.fields, e.name = both(valid, e).apply, nil, e.name+", with "+valid.name
		edits = append(edits, e.only(accepting(s.sound(valid))))
	}
	return edits
}

// accepting keeps a defect back where the same without it is not accepted: a refusal says nothing of it.
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
