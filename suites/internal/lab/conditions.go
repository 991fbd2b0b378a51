package lab

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// stateCondition returns a condition in the words of a finding. Where a factor has more values than
// the default and that of the condition, it tries the others, so that "only with ATTORNEY" is not
// said of what fails with OTHER, too.
func (l *Lab) stateCondition(
	op client.Operation, condition design.Configuration,
	right func(target.Answer) bool, act func(design.Configuration) (target.Answer, error),
) []record.FactorValue {
	fails := func(config design.Configuration) bool {
		seen, err := act(config)
		return err == nil && !right(seen)
	}
	stated := slices.Clone(condition)
	for i, setting := range condition {
		factors := l.designs[op].Factors
		values := factors[slices.IndexFunc(factors,
			func(f design.Factor) bool { return f.Name == setting.Factor })].Values
		failing := slices.DeleteFunc(slices.Clone(values[1:]), func(value string) bool {
			other := slices.Clone(condition)
			other[i].Value = value
			return value != setting.Value && (!l.isAllowed(op, other) || !fails(other))
		})
		switch {
		case len(failing) == 1:
		case len(failing) < len(values)-1:
			stated[i].Value = strings.Join(failing, " or ")
		case values[0] == valueAbsent:
			stated[i].Value = valueGiven
		default:
			stated[i].Value = "other than " + values[0]
		}
	}
	return stated
}

// isAllowed reports whether no setting of a configuration was refused by itself.
func (l *Lab) isAllowed(op client.Operation, config design.Configuration) bool {
	l.minimiseMu.Lock()
	defer l.minimiseMu.Unlock()
	return len(l.withoutRefused(op, config)) == len(config)
}
