package reference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/meant"
)

// Fault is one way to break the gateway.
type Fault struct {
	Name      string   // what to switch on
	Rule      string   // ID of the catalogue's rule that it breaks; it may break others as well
	Statement string   // what the gateway then does
	Partner   string   // the condition that it takes, such as with_product; empty: none
	Sweeps    []string // patterns of every rule that it breaks, where it breaks many at once; its own is among them
}

// declaration is a fault with what it does, or a reading, which is one way to read the document where it leaves a
// choice: it breaks no rule. What an effect remembers belongs to the gateway that it was declared for.
type declaration struct {
	Fault
	effect
}

type faults []declaration

// fault declares one fault. Its name is written whole, so that a search finds it, and its rule without the operation,
// with which the name begins as well. Without a rule it breaks the one that has its name.
func fault(name, rule, statement string, e effect) faults {
	if rule != "" {
		rule = name[:strings.IndexByte(name, '.')+1] + rule
	}
	return faults{{Fault{Name: name, Rule: cmp.Or(rule, name), Statement: statement}, e}}
}

// forEach declares the faults of each of some values.
func forEach[T any](values []T, declare func(T) faults) (all faults) {
	for _, value := range values {
		all = append(all, declare(value)...)
	}
	return all
}

func declarations() faults {
	return slices.Concat(
		requiredFaults(), valueFaults(), participationFaults(), dateFaults(), createAnswerFaults(), recordTypeFaults(),
		echoFaults(), createHeaderFaults(), callerFaults(), createBodyFaults(), repeatFaults(), documentFaults(),
		exportRequestFaults(), exportAnswerFaults(), rangeFaults(), orderFaults(), selectionFaults(), rowsOfFaults(),
		fileFaults(), replayFaults(), comparedFaults(), memoryFaults(), authFaults(), keyFaults(), tokenFaults(),
		sweepingFaults(), lenientFaults(), carelessKeys(), classFaults(), misplacedFaults(),
	)
}

// Faults lists every fault that one condition sets off, by topic.
func Faults() []Fault { return declarations().listed() }

// Pairs lists the faults that need a second condition: a request that is nearly right, or something beside it.
func Pairs() []Fault { return slices.Concat(narrowFaults(), crossed()).listed() }

func (all faults) listed() (list []Fault) {
	for _, d := range all {
		list = append(list, d.Fault)
	}
	return list
}

// effects returns what those of some names do, and the first name that is not among them.
func (all faults) effects(names []string) (effects []effect, unknown string) {
	for _, name := range names {
		i := slices.IndexFunc(all, func(d declaration) bool { return d.Name == name })
		if i < 0 {
			return nil, name
		}
		effects = append(effects, all[i].effect)
	}
	return effects, ""
}

// effectsOf declares the faults of some names anew and returns what they do.
func effectsOf(names []string) ([]effect, error) {
	if len(names) == 0 {
		return nil, nil
	}
	all := slices.Concat(declarations(), narrowFaults(), crossed())
	effects, unknown := all.effects(slices.Compact(slices.Sorted(slices.Values(names))))
	if unknown == "" {
		return effects, nil
	}
	var known []string
	for _, d := range all {
		known = append(known, d.Name)
	}
	slices.Sort(known)
	text := fmt.Sprintf("unknown fault %q", unknown)
	if near := meant.Near(unknown, known); len(near) > 0 {
		text += ", did you mean " + strings.Join(near, ", ") + "?"
	}
	return nil, fmt.Errorf("%s; --list-faults shows all %d", text, len(known))
}
