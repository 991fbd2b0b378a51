package create

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// newProbe is a creation with something special about it, of any kind.
func newProbe(what string, edit func(r *target.Request)) lab.Probe {
	return lab.Probe{Operation: lab.OperationCreate, Description: what, Edit: edit}
}

// withFieldSpelled gives one logical field a value made of the valid one.
func withFieldSpelled(what, field string, spell func(valid any) any) lab.Probe {
	p := newProbe(what, func(r *target.Request) {
		valid := r.Draft.Get(field)
		if valid == nil && field == "document_number" { // the deployment refuses right ones
			valid = generateCPF(false)
		}
		value := spell(valid)
		if written, ok := value.(json.RawMessage); ok {
			value = representative.RawJSON(written)
		}
		r.SetField(field, value)
	})
	p.ChangedFields, p.Expectation = []string{field}, expectFieldRejected(field)
	return p
}

// withDescribedField gives one logical field a value, under a name of its own: values may be
// personal.
func withDescribedField(what, field string, value any) lab.Probe {
	return withFieldSpelled(what, field, func(any) any { return value })
}

func withField(field string, value any) lab.Probe {
	return withDescribedField(field+" "+jsonNotation(value), field, value)
}

func withoutField(field string) lab.Probe {
	p := withDescribedField("no "+field, field, nil)
	p.Edit = func(r *target.Request) { r.RemoveFields(field) }
	return p
}

// withFields gives several fields values.
func withFields(what string, values map[string]any) lab.Probe {
	var probes []lab.Probe
	for _, field := range slices.Sorted(maps.Keys(values)) {
		probes = append(probes, withField(field, values[field]))
	}
	return lab.CombineProbes(probes...).As(what)
}

// expectAttackRejected: a firewall in front stops what looks like an attack, with a status of its
// own.
func expectAttackRejected() lab.Expectation {
	return lab.Expectation{
		Conclusive: answers.ConclusiveForAttack,
		Matcher:    BeRefused(http.StatusUnauthorized),
	}
}

// expectRequiredRejected: for a required parameter the document names the statuses.
func expectRequiredRejected() lab.Expectation {
	return lab.Expectation{Matcher: HaveStatus(http.StatusBadRequest, http.StatusUnprocessableEntity)}
}

// expectShareholderRejected: whether a shareholder is called unknown, forbidden or invalid is open.
func expectShareholderRejected() lab.Expectation {
	return lab.Expectation{
		Conclusive: answers.ConclusiveForCaller,
		Matcher: HaveStatus(http.StatusBadRequest, http.StatusForbidden,
			http.StatusNotFound, http.StatusUnprocessableEntity),
	}
}

// concerningCaller: whose request it is, or for whom, may be refused by any 4xx.
func concerningCaller(p lab.Probe) lab.Probe {
	p.Expectation, p.ConcernsCaller = lab.Expectation{
		Conclusive: answers.ConclusiveForCaller,
		Matcher:    BeRefused(),
	}, true
	return p
}

// expectFieldRejected: what is not a required parameter is rejected by any 4xx that speaks about
// the request.
func expectFieldRejected(name string) lab.Expectation {
	switch {
	case name == "shareholder_id":
		return expectShareholderRejected()
	case slices.ContainsFunc(fieldsWhere(isRequired), func(f field) bool { return f.Name == name }):
		return expectRequiredRejected()
	}
	return lab.Expectation{}
}

// toleratedIfEchoed excuses an acceptance by what the record shows of a field.
func toleratedIfEchoed(
	field string, right func(got any, sent target.Request) bool, p lab.Probe,
) lab.Probe {
	p.Tolerated = func(a target.Answer) bool {
		found := newAcceptedCreation(a)
		got, _ := found.record.Get(representative.ResponsePath(field))
		return a.IsSuccess() && found.parseError == nil && right(got, a.Sent)
	}
	return p
}

// jsonNotation is a value as JSON.
func jsonNotation(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
	}
	return string(b)
}

// withDefects adds defects to something valid that the control does not carry.
func (s *Suite) withDefects(valid lab.Probe, defects ...lab.Probe) (probes []lab.Probe) {
	for _, p := range defects {
		p.Edit, p.ChangedFields = lab.CombineProbes(valid, p).Edit, nil
		p.Description += ", with " + valid.Description
		p.RequiresAccepted = append(slices.Clip(p.RequiresAccepted), s.observeValid(valid))
		probes = append(probes, p)
	}
	return probes
}
