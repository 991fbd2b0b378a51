package lab

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// coveringDesign holds the options of an operation that the deployment file has values for, and
// the configurations of the run.
type coveringDesign struct {
	design.Design
	factors []requestFactor
	blocks  [][]design.Configuration
}

// Limits of the controls of an operation; each control is a request. At depth thorough, exports
// cover every pair of values, and creations most pairs, as each leaves a record.
const maxConfigurations, thoroughCreateConfigurations, thoroughExportConfigurations = 10, 12, 100

func (l *Lab) newCoveringDesign(op client.Operation) *coveringDesign {
	e := &coveringDesign{factors: l.requestFactors(op)}
	for _, o := range e.factors {
		e.Factors = append(e.Factors, o.Factor)
	}
	onBehalf := record.FactorValue{Factor: l.headerNames(op).OnBehalfOf}
	e.Constraints = []design.Constraint{
		{When: onBehalf, Factor: target.HeaderProduct, Value: valueGiven},
		{When: onBehalf, Factor: target.HeaderWallet, Value: valueAbsent},
		{When: onBehalf, Factor: "filter_type", Value: valueAbsent},
	}
	if l.target.Depth != deployment.DepthQuick { // at depth quick, requests are sent without options
		thorough := thoroughCreateConfigurations
		if op == client.OperationExport {
			thorough = thoroughExportConfigurations
		}
		e.blocks = e.Blocks(l.target.SeededRand("contexts of "+string(op)),
			target.ChooseByDepth(l.target, 0, maxConfigurations, thorough))
	}
	return e
}

// AllConfigurations returns the configurations of an operation in this run.
func (l *Lab) AllConfigurations(op client.Operation) []design.Configuration {
	return slices.Concat(l.designs[op].blocks...)
}

// AssignConfigurations returns the configurations of each of n cases of a rule. Together they
// cover every value of every option, and at depth thorough every pair of values. At depth quick
// there are none.
func (l *Lab) AssignConfigurations(
	op client.Operation, rule string, n int,
) [][]design.Configuration {
	blocks := l.designs[op].blocks
	switch all := slices.Concat(blocks...); {
	case len(blocks) == 0:
		return make([][]design.Configuration, n)
	case l.target.Depth == deployment.DepthThorough: // each case covers every value
		return design.DistributeConfigurations(all, n, len(blocks[0]))
	}
	return design.AssignBlocks(blocks, n, l.target.SeededRand("contexts of "+rule))
}

// ConfigurationsCoveringEachValue returns configurations for requests that leave records behind.
// They cover every value of every option, except at depth quick, where there are none.
func (l *Lab) ConfigurationsCoveringEachValue(
	op client.Operation, what string,
) []design.Configuration {
	return design.AssignBlocks(l.designs[op].blocks, 1, l.target.SeededRand("contexts of "+what))[0]
}

// IdentityFactors returns the names of the options that decide who makes the request or whose
// objects it is about.
func (l *Lab) IdentityFactors(op client.Operation) (names []string) {
	for _, o := range l.designs[op].factors {
		if o.decidesIdentity {
			names = append(names, o.Name)
		}
	}
	return names
}

// ApplyConfiguration sets the options of a configuration. The request still counts as unmodified.
func (l *Lab) ApplyConfiguration(r *target.Request, config design.Configuration) {
	for _, o := range l.designs[r.Operation].factors {
		if value, has := config.Value(o.Name); has {
			o.apply(r, value)
		}
	}
	r.MarkUnmodified()
}

// ConfigurationControl is the outcome of a valid request in a configuration.
type ConfigurationControl struct {
	Configuration design.Configuration // the options that the deployment accepts
	// WronglyRefused is the refusal of options that should be accepted; nil: none were refused.
	WronglyRefused *target.Answer
}

// ObserveControl declares the valid request in a configuration, which is sent once per run.
// Options that make it fail are noted and dropped: no other rule is judged with them, and no
// further configuration tries them.
func (l *Lab) ObserveControl(
	op client.Operation, config design.Configuration,
) *spec.Observation[ConfigurationControl] {
	name := fmt.Sprintf("a valid %s with %s", operationNoun(op), config)
	return spec.ObserveAsCase(l.plan, name, func(ctx spec.Context) (found ConfigurationControl) {
		if len(config) == 0 {
			return found
		}
		a, err := l.sendValid(ctx, op, config)
		ctx.StopOnError(err)
		if a.IsSuccess() {
			return ConfigurationControl{Configuration: config}
		}
		if l.IsRefusedLikeValid(ctx, a) { // whatever the options
			return found
		}
		l.minimiseMu.Lock()
		defer l.minimiseMu.Unlock()
		for rest := l.withoutRefused(op, config); len(rest) > 0; rest = l.withoutRefused(op, rest) {
			if len(rest) < len(config) {
				a, err = l.sendValid(ctx, op, rest)
				ctx.StopOnError(err)
			}
			if a.IsSuccess() {
				found.Configuration = rest
				return found
			}
			dropped, defect := l.findRefused(ctx, op, rest, a)
			found.WronglyRefused = cmp.Or(found.WronglyRefused, defect)
			rest = rest.Without(dropped.Factor)
		}
		return found
	})
}

// findRefused finds a setting that a configuration is refused for. It also returns the refusal
// where that is a defect, or else nil.
func (l *Lab) findRefused(
	ctx spec.Context, op client.Operation, config design.Configuration, refused target.Answer,
) (last record.FactorValue, defect *target.Answer) {
	refused = minimiseConfiguration(l.designs[op].Design, config, refused, target.Answer.IsSuccess,
		func(some design.Configuration) (target.Answer, error) { return l.sendValid(ctx, op, some) })
	condition := design.Configuration(refused.Condition)
	if ctx.Err() != nil {
		ctx.StopOnError(spec.ErrInterrupted)
	}
	known := len(condition) > 0
	if !known {
		condition = config
	}
	last = condition[len(condition)-1]
	alone := len(condition) == 1
	if last.Factor == l.headerNames(op).OnBehalfOf { // which needs a product
		alone = len(condition.Without(target.HeaderProduct)) == 1
	}
	if alone {
		l.refusedSettings[op] = append(l.refusedSettings[op], last)
	}
	l.NoteExcludedOptionf("a valid %s is refused with %s, so the other rules were judged without it",
		operationNoun(op), last)
	refused.Condition = condition
	if known && l.refusalIsDefect(op, refused, alone) {
		defect = &refused
	}
	return last, defect
}

// refusalIsDefect reports whether the refused options should have been accepted: documented
// values, or options that are accepted one by one, unless the wallet may belong to another
// product.
func (l *Lab) refusalIsDefect(op client.Operation, refused target.Answer, alone bool) bool {
	whose := l.IdentityFactors(op)
	others := slices.ContainsFunc(refused.Condition,
		func(s record.FactorValue) bool { return !slices.Contains(whose, s.Factor) })
	if alone {
		return op == client.OperationExport &&
			slices.Contains([]string{"sort", "order", "type_extension"}, refused.Condition[0].Factor)
	}
	return op == client.OperationCreate || others || refused.Status >= 500
}

// withoutRefused returns the configuration without the options that were refused by themselves,
// and without options that need those.
func (l *Lab) withoutRefused(
	op client.Operation, config design.Configuration,
) (rest design.Configuration) {
	for _, s := range config {
		if more := append(slices.Clone(rest), s); !slices.Contains(l.refusedSettings[op], s) &&
			l.designs[op].Allows(more) {
			rest = more
		}
	}
	return rest
}

// sendValid sends a valid request with options, after one without options was accepted.
func (l *Lab) sendValid(
	ctx context.Context, op client.Operation, config design.Configuration,
) (target.Answer, error) {
	if len(config) == 0 {
		return l.PlainControl(op).Get(ctx)
	}
	valid := "valid " + operationNoun(op)
	a, err := l.SendInConfigurations(ctx, Probe{
		Operation: op, Label: valid + ", with " + config.String(), Valid: true,
		Expectation: Expectation{Conclusive: answers.ConclusiveForCaller},
		Edit:        func(r *target.Request) { l.ApplyConfiguration(r, config) },
	})
	a.Subject = valid
	return a, err
}

// FindFailingConfiguration calls act in each configuration until right rejects what it finds, and
// without options where there are none. It then minimises that configuration to the condition of
// the answer, which is empty where it is wrong without options.
func (l *Lab) FindFailingConfiguration(
	ctx context.Context, op client.Operation, configs []design.Configuration,
	right func(target.Answer) bool, act func(design.Configuration) (target.Answer, error),
) (found target.Answer, err error) {
	if len(configs) == 0 {
		configs = []design.Configuration{nil}
	}
	for _, config := range configs {
		if config, err = l.acceptedPart(ctx, op, config); err != nil {
			return found, err
		}
		if found, err = act(config); err != nil {
			return found, err
		}
		if !right(found) {
			found = minimiseConfiguration(l.designs[op].Design, config, found, right, act)
			found.StatedCondition = l.stateCondition(op, found.Condition, right, act)
			return found, nil
		}
	}
	return found, nil
}

// acceptedPart returns the options of a configuration with which a valid request is accepted. It
// returns none where the control got no answer.
func (l *Lab) acceptedPart(
	ctx context.Context, op client.Operation, config design.Configuration,
) (design.Configuration, error) {
	control, err := l.ObserveControl(op, config).Get(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, spec.ErrInterrupted
	}
	return control.Configuration, nil
}

// minimiseConfiguration returns a condition only where act is wrong with it and right without it,
// twice in a row each, after it was found so. Otherwise the failure may have another, intermittent
// cause, such as one of two replicas that take turns.
func minimiseConfiguration(
	d design.Design, config design.Configuration, found target.Answer,
	right func(target.Answer) bool, act func(design.Configuration) (target.Answer, error),
) target.Answer {
	if len(config) == 0 {
		return found
	}
	smallest := found
	condition := d.MinimiseConfiguration(config, func(some design.Configuration) bool {
		seen, err := act(some)
		wrong := err == nil && !right(seen)
		if wrong {
			smallest = seen
		}
		return wrong
	})
	if len(condition) == 0 {
		return smallest
	}
	for range 2 {
		if again, err := act(condition); err != nil || right(again) {
			return found
		}
	}
	for range 2 {
		if plain, err := act(nil); err == nil && !right(plain) {
			return plain
		}
	}
	smallest.Condition = condition
	return smallest
}
