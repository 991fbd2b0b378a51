package reference

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/internal/suggest"
)

// Fault is one way in which the gateway can be broken.
type Fault struct {
	Name      string // what to switch on
	Rule      string // ID of the rule that it breaks; it may break others as well
	Statement string // what the gateway does wrong
	Partner   string // the condition it depends on, such as with_product; empty: none
	Sweeping  bool   // it breaks many rules of its operation
	Thorough  bool   // only a thorough run finds it reliably
}

// faultDeclaration is a fault and its effect. An effect's memory belongs to the gateway that it
// was declared for.
type faultDeclaration struct {
	Fault
	effect
}

type faultDeclarations []faultDeclaration

// faultsTSV has a line for each fault that is declared by name: name, rule and statement.
//
//go:embed faults.tsv
var faultsTSV string

var faultTable = sync.OnceValue(func() map[string]Fault {
	all := map[string]Fault{}
	for line := range strings.Lines(faultsTSV) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(cells) == 3 {
			all[cells[0]] = Fault{Name: cells[0], Rule: cells[1], Statement: cells[2]}
		}
	}
	return all
})

// declareFault declares a fault of faults.tsv.
func declareFault(name string, changes ...any) faultDeclarations {
	one := faultTable()[name]
	one.Name = name
	return faultDeclarations{{one, combineEffects(changes...)}}
}

// faultsForEach declares faults for each of some values.
func faultsForEach[T any](values []T, declare func(T) faultDeclarations) (all faultDeclarations) {
	for _, value := range values {
		all = append(all, declare(value)...)
	}
	return all
}

// allFaultDeclarations returns all faults by topic, those without a condition first.
func allFaultDeclarations() faultDeclarations {
	plain := slices.Concat(fieldFaults(), invalidValueFaults(), createRequestFaults(), callerFaults(),
		createAnswerFaults(), recordTypeFaults(), echoFaults(), repeatFaults(), documentFaults(),
		exportRequestFaults(), exportAnswerFaults(), rangeFaults(), rowFaults(), fileFaults(),
		replayFaults(), replayComparisonFaults(), authFaults(), apiKeyFaults(), tokenFaults(),
		leftoverFaults(), carryOverFaults(), lenientFaults(), missingReturnFaults(), sweepingFaults())
	return append(plain, conditionalFaults(plain)...)
}

// Faults lists every fault, those without a condition first.
func Faults() (list []Fault) {
	for _, d := range allFaultDeclarations() {
		list = append(list, d.Fault)
	}
	return list
}

// resolveEffects returns fresh effects for the names of readings and faults.
func resolveEffects(readingNames, faultNames []string) (effects []effect, err error) {
	known := allowedReadings()
	for _, name := range readingNames {
		if known[name] == nil {
			return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", name)
		}
		effects = append(effects, known[name])
	}
	if len(faultNames) == 0 {
		return effects, nil
	}
	clear(known)
	for _, d := range allFaultDeclarations() {
		known[d.Name] = d.effect
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(faultNames))) {
		if known[name] == nil {
			return nil, unknownNameError("fault", name, slices.Sorted(maps.Keys(known)))
		}
		effects = append(effects, known[name])
	}
	return effects, nil
}

// unknownNameError returns an error that says a name is unknown and suggests similar ones.
func unknownNameError(what, word string, known []string) error {
	text := fmt.Sprintf("unknown %s %q", what, word)
	if near := suggest.NearestWords(word, known); len(near) > 0 {
		text += ", did you mean " + strings.Join(near, ", ") + "?"
	}
	return fmt.Errorf("%s; --list-%ss shows all %d", text, what, len(known))
}
