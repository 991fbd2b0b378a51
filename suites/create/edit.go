package create

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// probe is a creation with something special about it, of any kind.
func probe(what string, edit func(r *target.Request)) lab.Probe {
	return lab.Probe{Operation: lab.Create, Description: what, Edit: edit}
}

// spelled gives one logical field a value made of the valid one.
func spelled(what, field string, spell func(valid any) any) lab.Probe {
	p := probe(what, func(r *target.Request) {
		valid := r.Draft.Get(field)
		if valid == nil && field == "document_number" { // the deployment refuses right ones
			valid = newCPF(false)
		}
		value := spell(valid)
		if written, ok := value.(json.RawMessage); ok {
			value = representative.Raw(written)
		}
		r.SetField(field, value)
	})
	p.ChangedFields, p.Expectation = []string{field}, ofField(field)
	return p
}

// worded gives one logical field a value, under a name of its own: values may be personal.
func worded(what, field string, value any) lab.Probe {
	return spelled(what, field, func(any) any { return value })
}

func with(field string, value any) lab.Probe { return worded(field+" "+notation(value), field, value) }

func without(field string) lab.Probe {
	p := worded("no "+field, field, nil)
	p.Edit = func(r *target.Request) { r.RemoveFields(field) }
	return p
}

// several gives several fields values.
func several(what string, values map[string]any) lab.Probe {
	var probes []lab.Probe
	for _, field := range slices.Sorted(maps.Keys(values)) {
		probes = append(probes, with(field, values[field]))
	}
	return named(what, both(probes...))
}

func both(probes ...lab.Probe) lab.Probe {
	var names, fields []string
	for _, p := range probes {
		names, fields = append(names, p.Description), append(fields, p.ChangedFields...)
	}
	p := probe(strings.Join(names, ", "), func(r *target.Request) {
		for _, p := range probes {
			p.Edit(r)
		}
	})
	p.ChangedFields = fields
	return p
}

func named(what string, p lab.Probe) lab.Probe { p.Description = what; return p }

// everywhere has a probe sent in every context of its rule.
func everywhere(p lab.Probe) lab.Probe { p.AllConfigurations = true; return p }

// unless keeps a probe back where a simpler one is not answered right.
func unless(simpler string, p lab.Probe) lab.Probe { p.RequiresRejectionOf = simpler; return p }

// expecting says what a probe should get.
func expecting(due lab.Expectation, p lab.Probe) lab.Probe { p.Expectation = due; return p }

// ofAttack: a firewall in front stops what looks like an attack, with a status of its own.
func ofAttack() lab.Expectation {
	return lab.Expectation{Conclusive: target.ConclusiveForAttack, Matcher: BeRefused(http.StatusUnauthorized)}
}

// ofRequired: for a required parameter the document names the statuses.
func ofRequired() lab.Expectation {
	return lab.Expectation{Matcher: HaveStatus(http.StatusBadRequest, http.StatusUnprocessableEntity)}
}

// ofShareholder: whether a shareholder is called unknown, forbidden or invalid is open.
func ofShareholder() lab.Expectation {
	return lab.Expectation{Conclusive: target.ConclusiveForCaller, Matcher: HaveStatus(http.StatusBadRequest, http.StatusForbidden,
		http.StatusNotFound, http.StatusUnprocessableEntity)}
}

// ofCaller: whose request it is, or for whom, may be refused by any 4xx.
func ofCaller(p lab.Probe) lab.Probe {
	p.Expectation, p.ConcernsCaller = lab.Expectation{Conclusive: target.ConclusiveForCaller, Matcher: BeRefused()}, true
	return p
}

// ofField: what is not a required parameter is rejected by any 4xx that speaks about the request.
func ofField(name string) lab.Expectation {
	switch {
	case name == "shareholder_id":
		return ofShareholder()
	case slices.ContainsFunc(where(required), func(f field) bool { return f.Name == name }):
		return ofRequired()
	}
	return lab.Expectation{}
}

// unlessShown excuses an acceptance by what the record shows of a field.
func unlessShown(field string, right func(got any, sent target.Request) bool, p lab.Probe) lab.Probe {
	p.Tolerated = func(a target.Answer) bool {
		found := read(a)
		got, _ := found.record.Get(representative.ResponsePath(field))
		return a.Success() && found.fault == nil && right(got, a.Sent)
	}
	return p
}

// notation is a value as JSON.
func notation(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
	}
	return string(b)
}

// on adds defects to something valid that the control does not carry.
func (s *Suite) on(valid lab.Probe, defects ...lab.Probe) (probes []lab.Probe) {
	for _, p := range defects {
		p.Edit, p.ChangedFields, p.Description = both(valid, p).Edit, nil, p.Description+", with "+valid.Description
		p.RequiresAccepted = append(slices.Clip(p.RequiresAccepted), s.valid(valid))
		probes = append(probes, p)
	}
	return probes
}
