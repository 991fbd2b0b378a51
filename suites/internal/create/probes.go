package create

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// newProbe returns a creation with an edit.
func newProbe(what string, edit func(r *target.Request)) lab.Probe {
	return lab.Probe{Operation: client.OperationCreate, Description: what, Edit: edit}
}

// withChangedField returns a creation with an edit of a logical field.
func withChangedField(what, field string, edit func(r *target.Request)) lab.Probe {
	p := newProbe(what, edit)
	p.ChangedFields, p.Expectation = []string{field}, expectFieldRejected(field)
	return p
}

// validValue returns the valid value of a field, even if the deployment refuses all CPFs.
func validValue(r *target.Request, field string) any {
	if valid := r.Draft.Get(field); valid != nil || field != "document_number" {
		return valid
	}
	return generateCPF(false)
}

// withFieldSpelled derives the value of a logical field from the valid one.
func withFieldSpelled(what, field string, spell func(valid any) any) lab.Probe {
	return withChangedField(what, field,
		func(r *target.Request) { r.SetField(field, spell(validValue(r, field))) })
}

// withRespelledText derives the value of a logical field from the text of the valid one.
func withRespelledText(what, field string, spell func(right string) any) lab.Probe {
	return withChangedField(what, field,
		func(r *target.Request) { r.SetField(field, spell(fmt.Sprint(validValue(r, field)))) })
}

// withCPF derives a CPF from the valid one.
func withCPF(what string, spell func(right string) any) lab.Probe {
	return withRespelledText(what, "document_number", spell)
}

// withDescribedField sets a logical field. what describes the value, which may be personal.
func withDescribedField(what, field string, value any) lab.Probe {
	return withChangedField(what, field, func(r *target.Request) { r.SetField(field, value) })
}

func withField(field string, value any) lab.Probe {
	return withDescribedField(field+" "+jsonNotation(value), field, value)
}

func withoutField(field string) lab.Probe {
	return withChangedField("no "+field, field, func(r *target.Request) { r.RemoveFields(field) })
}

// withFields sets several fields.
func withFields(what string, values map[string]any) lab.Probe {
	var probes []lab.Probe
	for _, field := range slices.Sorted(maps.Keys(values)) {
		probes = append(probes, withField(field, values[field]))
	}
	return lab.CombineProbes(probes...).As(what)
}

// What is expected of creations that have to be rejected.
var (
	// any refusal, possibly by a firewall with its own status
	attackRejected = lab.Expectation{
		Conclusive: answers.ConclusiveForAttack, Matcher: BeRefused(http.StatusUnauthorized),
	}
	// the statuses that the document names for required parameters
	requiredRejected = lab.Expectation{
		Matcher: HaveStatus(http.StatusBadRequest, http.StatusUnprocessableEntity),
	}
	// any status for an unknown, forbidden or invalid shareholder
	shareholderRejected = lab.Expectation{
		Conclusive: answers.ConclusiveForCaller,
		Matcher: HaveStatus(http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound,
			http.StatusUnprocessableEntity),
	}
)

// concerningCaller lets any 4xx refuse a creation that is about its caller or target user.
func concerningCaller(p lab.Probe) lab.Probe {
	p.ConcernsCaller = true
	return p.Expecting(
		lab.Expectation{Conclusive: answers.ConclusiveForCaller, Matcher: BeRefused()})
}

// expectFieldRejected returns what to expect of an invalid field: any 4xx if it is not required.
func expectFieldRejected(name string) lab.Expectation {
	switch {
	case name == "shareholder_id":
		return shareholderRejected
	case slices.ContainsFunc(fieldsWhere(isRequired), hasName(name)):
		return requiredRejected
	}
	return lab.Expectation{}
}

// jsonNotation returns a value as JSON.
func jsonNotation(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
	}
	return string(b)
}

// declaredProbe returns a creation that another rule sends.
func (s *Suite) declaredProbe(description string) lab.DeclaredProbe {
	p, known := s.lab.FindProbe(client.OperationCreate, description)
	if !known {
		panic("create: no rule sends a creation with " + description)
	}
	return p
}

// withDefects adds each of the defects to a valid edit that the control does not have.
func (s *Suite) withDefects(valid lab.Probe, defects ...lab.Probe) (probes []lab.Probe) {
	for _, p := range defects {
		p.Edit, p.ChangedFields = lab.CombineProbes(valid, p).Edit, nil
		p.Description += ", with " + valid.Description
		probes = append(probes, p.AfterAcceptanceOf(s.observeValid(valid)))
	}
	return probes
}
