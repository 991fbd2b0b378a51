package reference

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

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

// changes says what each of some faults changes, by its name; see combine.
type changes map[string]any

// faultsTSV has a line for each fault, in the order of lists: name, rule, statement, and possibly
// sweeping or thorough. A line of one word stands for the faults of that topic in mishandled.yaml.
//
//go:embed faults.tsv
var faultsTSV string

// faultChanges returns the changes of the faults that are not in mishandled.yaml, by topic.
func faultChanges() []changes {
	return []changes{
		fieldFaults(), invalidValueFaults(), createRequestFaults(), callerFaults(),
		createAnswerFaults(), recordTypeFaults(), echoFaults(), repeatFaults(), documentFaults(),
		exportRequestFaults(), exportAnswerFaults(), rangeFaults(), rowFaults(), fileFaults(),
		replayFaults(), replayComparisonFaults(), authFaults(), apiKeyFaults(), tokenFaults(),
		leftoverFaults(), carryOverFaults(), lenientFaults(), missingReturnFaults(),
	}
}

// declaredFaults returns all faults by topic, those without a condition first.
func declaredFaults() (all []faultDeclaration) {
	byName := changes{}
	for _, topic := range faultChanges() {
		maps.Copy(byName, topic)
	}
	for line := range strings.Lines(faultsTSV) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) == 1 {
			all = append(all, mishandlingFaults(cells[0])...)
			continue
		}
		if byName[cells[0]] == nil {
			panic(cells[0] + " is in faults.tsv, and nothing declares it") // it is part of the program
		}
		all = append(all, faultDeclaration{Fault{
			Name: cells[0], Rule: cells[1], Statement: cells[2],
			Sweeping: slices.Contains(cells, "sweeping"), Thorough: slices.Contains(cells, "thorough"),
		}, combine(byName[cells[0]])})
	}
	return append(all, conditionalFaults(all)...)
}

// Faults lists every fault, those without a condition first.
func Faults() (list []Fault) {
	for _, d := range declaredFaults() {
		list = append(list, d.Fault)
	}
	return list
}

// resolveEffects returns fresh effects for the names of readings and faults.
func resolveEffects(readingNames, faultNames []string) (effects []effect, err error) {
	readings := allowedReadings()
	for _, name := range readingNames {
		if readings[name] == nil {
			return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", name)
		}
		effects = append(effects, combine(readings[name]))
	}
	if len(faultNames) == 0 {
		return effects, nil
	}
	known := map[string]effect{}
	for _, d := range declaredFaults() {
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
