package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/meant"
)

// Fault is one way to break the gateway.
type Fault struct {
	Name      string   // what to switch on
	Rule      string   // ID of the catalogue's rule that it breaks; it may break others as well
	Statement string   // what the gateway then does
	Partner   string   // what has to stand beside a request that meets it, such as with_product; empty: nothing
	Sweeps    []string // patterns of every rule that it breaks, where it breaks many at once; its own is among them
}

// declaration is a fault with what it does. What an effect remembers belongs to the gateway that it was declared for.
type declaration struct {
	Fault
	effect
}

func fault(name, rule, statement string, e effect) declaration {
	return declaration{Fault{Name: name, Rule: rule, Statement: statement}, e}
}

func declarations() []declaration {
	return slices.Concat(
		requiredFaults(), valueFaults(), participationFaults(), dateFaults(), createAnswerFaults(), recordTypeFaults(),
		echoFaults(), createHeaderFaults(), contextFaults(), createBodyFaults(), repeatFaults(), documentFaults(),
		exportSuccessFaults(), exportHeaderFaults(), exportBodyFaults(), exportAnswerFaults(), rangeFaults(),
		orderFaults(), selectionFaults(), fileFaults(), replayFaults(), replayBodyFaults(), authFaults(), tokenFaults(),
		sweepingFaults(),
	)
}

// Faults lists every fault that one condition sets off, by topic.
func Faults() []Fault {
	var all []Fault
	for _, d := range declarations() {
		all = append(all, d.Fault)
	}
	return all
}

// effectsOf declares the faults of some names anew and returns what they do.
func effectsOf(names []string) ([]effect, error) {
	if len(names) == 0 {
		return nil, nil
	}
	known := map[string]declaration{}
	for _, d := range slices.Concat(declarations(), pairs()) {
		known[d.Name] = d
	}
	var effects []effect
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		d, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("unknown fault %q%s; --list-faults shows all %d", name, nearest(name, known),
				len(known))
		}
		effects = append(effects, d.effect)
	}
	return effects, nil
}

// nearest suggests names that are close to the one given.
func nearest(name string, known map[string]declaration) string {
	near := meant.Near(name, slices.Sorted(maps.Keys(known)))
	if len(near) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(near, ", ") + "?"
}
