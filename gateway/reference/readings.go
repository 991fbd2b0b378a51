package reference

import (
	"fmt"
	"slices"
)

// reads declares a reading.
func reads(name, statement string, e effect) faults {
	return faults{{Fault{Name: name, Statement: statement}, e}}
}

func readings() faults {
	return slices.Concat(laxReadings(), strictReadings(), recordReadings(), accessReadings(), fileReadings())
}

// effectsOfReadings returns what some readings do.
func effectsOfReadings(names []string) ([]effect, error) {
	effects, unknown := readings().effects(names)
	if unknown != "" {
		return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", unknown)
	}
	return effects, nil
}
