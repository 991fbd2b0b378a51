package reference

import (
	"fmt"
	"slices"
)

// reading is one way to read the document where it leaves a choice. Its effect steps into the work as that of a fault
// does, and what comes out conforms all the same.
type reading struct {
	name, statement string
	effect
}

func reads(name, statement string, e effect) reading { return reading{name, statement, e} }

func readings() []reading {
	return slices.Concat(laxReadings(), strictReadings(), recordReadings(), accessReadings(), fileReadings())
}

// effectsOfReadings returns what some readings do.
func effectsOfReadings(names []string) ([]effect, error) {
	var effects []effect
	for _, name := range names {
		all := readings()
		i := slices.IndexFunc(all, func(r reading) bool { return r.name == name })
		if i < 0 {
			return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", name)
		}
		effects = append(effects, all[i].effect)
	}
	return effects, nil
}
