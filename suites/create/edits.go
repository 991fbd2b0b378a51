package create

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// edit changes a valid creation. Its name is all that reports and labels say of it.
type edit struct {
	name   string
	apply  func(c *target.Creation)
	before func(ctx context.Context) error // why it is not sent; nil: nothing keeps it back
}

// with changes one logical field. Values that may be personal are named by the caller (see changed).
func with(field string, value any) edit {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
	}
	return changed(field+" "+string(text), func(c *target.Creation) { *c = c.With(field, value) })
}

// raw is with for a value that goes out as it is written.
func raw(field, value string) edit { return with(field, representative.Raw(value)) }

func without(fields ...string) edit {
	return changed("no "+strings.Join(fields, ", no "), func(c *target.Creation) { *c = c.Without(fields...) })
}

// changed is an edit of any kind.
func changed(name string, apply func(c *target.Creation)) edit { return edit{name: name, apply: apply} }

func both(all ...edit) edit {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	return changed(strings.Join(names, ", "), func(c *target.Creation) {
		for _, e := range all {
			e.apply(c)
		}
	})
}

func label(e edit) string { return "creation with " + e.name }

// edited makes a request out of a valid one.
func edited(e edit) func(valid target.Creation) target.Creation {
	return func(valid target.Creation) target.Creation {
		valid.Label = label(e)
		e.apply(&valid)
		return valid
	}
}

// typed is raw for a value of a JSON type (string, number), unless the deployment file says that the field is sent so.
func (s *Suite) typed(field, jsonType, value string) edit {
	return s.unlessSentAs(jsonType, field, raw(field, value))
}

func (s *Suite) unlessSentAs(jsonType, field string, e edit) edit {
	return e.after(func(context.Context) error {
		if s.t.Deployment.LegalRepresentative.FieldTypes[field] == jsonType {
			return spec.Unmet("", "legal_representative.field_types has %s sent as a %s", field, jsonType)
		}
		return nil
	})
}

// unless keeps a defect back where one like it was not rejected. Once a rule is seen to be broken, more of the same
// would only make representatives, and break other rules for the same reason.
func unless(alike answer, e edit) edit {
	return e.after(func(ctx context.Context) error {
		a, err := alike.Get(ctx)
		if err == nil && !a.Refusal() {
			return spec.Unmet("", "not sent, since a request with a defect alike was not rejected")
		}
		return err
	})
}

// beside adds a defect to something valid that the control does not carry: where that alone was not accepted, a refusal
// says nothing about the defect.
func (s *Suite) beside(valid, defect edit) edit {
	twin := s.vary(target.AboutCaller, valid)
	return both(valid, defect).after(func(ctx context.Context) error {
		a, err := twin.Get(ctx)
		if err == nil && a.Refusal() && a.Status != http.StatusTooManyRequests {
			return spec.Unmet("", "the same request without the defect is refused as well (%s)", target.Describe(a.Exchange))
		}
		if err == nil && !a.Success() {
			return spec.Unclear("the same request without the defect was not accepted (%s), so a refusal would say nothing",
				target.Describe(a.Exchange))
		}
		return err
	})
}

func (s *Suite) besides(valid edit, defects []edit) (all []edit) {
	for _, defect := range defects {
		all = append(all, s.beside(valid, defect))
	}
	return all
}

// after adds a reason not to send the edit.
func (e edit) after(reason func(ctx context.Context) error) edit {
	earlier := e.before
	e.before = func(ctx context.Context) error {
		if earlier != nil {
			if err := earlier(ctx); err != nil {
				return err
			}
		}
		return reason(ctx)
	}
	return e
}
