package gate

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
	"github.com/gateassay/gateassay/gateway/meant"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/threshold"
)

func (r *reader) policy(root *yaml.Node) {
	p := &r.read
	given := r.mapping("", resolve(root), []field{
		{"name", func(key string, n *yaml.Node) { p.Name = r.text(key, n, "a name") }},
		{"max_age", func(key string, n *yaml.Node) {
			age, ok := plan.ParseLength(n.Value)
			if n.Kind != yaml.ScalarNode || !ok || age <= 0 {
				r.refuse(key, n, "a duration above 0 with its unit, such as 24h or 7d", "")
			}
			p.MaxAge = age
		}},
		{"deployments", func(key string, n *yaml.Node) {
			r.items(key, n, func(key string, n *yaml.Node) {
				name := r.text(key, n, "the name of a deployment")
				if name != "" && slices.Contains(p.Deployments, name) {
					r.refuse(key, n, "each deployment once", "keep one of the two")
				}
				p.Deployments = append(p.Deployments, name)
			})
		}},
		{"conformance", func(key string, n *yaml.Node) { p.Conformance = &Conformance{}; r.conformance(key, n, p.Conformance) }},
		{"load", func(key string, n *yaml.Node) { p.Load = &Load{}; r.load(key, n, p.Load) }},
		{"capacity", func(key string, n *yaml.Node) { p.Capacity = &Capacity{}; r.capacity(key, n, p.Capacity) }},
	})
	if given == nil {
		return
	}
	if !given["max_age"] {
		r.missing("max_age", "how old a run may be", "add max_age: 24h")
	}
	// A key that is misspelt or empty is complained about already, and may be the one.
	if !given["conformance"] && !given["load"] && !given["capacity"] && len(r.problems.All) == 0 {
		r.missing("", "at least one of conformance, load and capacity", "add conformance: {verified: [must]}")
	}
}

// missing notes a key that is not there, unless it was complained about already.
func (r *reader) missing(key, expected, hint string) {
	if !slices.ContainsFunc(r.problems.All, func(p Problem) bool { return key != "" && p.Key == key }) {
		r.add(key, 1, 1, expected, "nothing", hint)
	}
}

func (r *reader) conformance(key string, n *yaml.Node, c *Conformance) {
	var drift *yaml.Node
	given := r.mapping(key, n, []field{
		{"verified", func(key string, n *yaml.Node) {
			r.items(key, n, func(key string, n *yaml.Node) { c.Verified = append(c.Verified, r.rules(key, n, true)) })
		}},
		{"waivers", func(key string, n *yaml.Node) {
			allowed := r.mapping(key, n, []field{
				{"allowed", func(key string, n *yaml.Node) {
					r.items(key, n, func(key string, n *yaml.Node) { c.Allowed = append(c.Allowed, r.rules(key, n, false)) })
				}},
				{"latest", func(key string, n *yaml.Node) { c.Latest = r.day(key, n) }},
			})
			if allowed != nil && !allowed["allowed"] {
				r.add(below(key, "allowed"), n.Line, n.Column, "the rules that may be waived", "nothing", "add allowed: [create.required.*], or remove waivers to allow none")
			}
		}},
		{"strict", func(key string, n *yaml.Node) {
			if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Decode(&c.Strict) != nil {
				r.refuse(key, n, "true or false", "")
			}
		}},
		{"baseline", func(key string, n *yaml.Node) { c.Baseline = r.baseline(key, n) }},
		{"drift", func(key string, n *yaml.Node) { drift = n; c.Drift = r.drift(key, n) }},
	})
	if given == nil {
		return
	}
	if !given["verified"] {
		c.Verified = []string{everyMust}
	}
	if drift != nil && !given["baseline"] {
		r.add(below(key, "drift"), drift.Line, drift.Column, "a baseline that observations can drift from", "none", "add conformance.baseline: FOLDER, or remove drift")
	}
}

// rules reads a pattern of rule IDs that matches at least one rule of the catalogue.
func (r *reader) rules(key string, n *yaml.Node, judged bool) string {
	pattern := r.text(key, n, "the ID of a rule or a pattern such as create.required.*")
	if pattern == "" || judged && (pattern == everyMust || pattern == everyShould) {
		return pattern
	}
	observed := false
	for _, rule := range rules.All() {
		if rules.Match(pattern, rule.ID) {
			if !judged || rule.Level != rules.Observe {
				return pattern
			}
			observed = true
		}
	}
	if observed {
		r.refuse(key, n, "rules that are judged", "these are only observed; hold them with conformance.drift: refused")
		return pattern
	}
	hint := "gateassay rules lists them"
	if near := rules.Near(pattern); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	r.refuse(key, n, "a rule of the catalogue", hint)
	return pattern
}

func (r *reader) day(key string, n *yaml.Node) time.Time {
	day, err := time.Parse(time.DateOnly, n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		r.refuse(key, n, "a day such as 2026-12-31", "")
	}
	return day
}

func (r *reader) baseline(key string, n *yaml.Node) string {
	return beside(r.name, r.text(key, n, "the folder or archive of an earlier run"))
}

func (r *reader) drift(key string, n *yaml.Node) (d Drift) {
	if n.Kind == yaml.SequenceNode {
		r.items(key, n, func(key string, n *yaml.Node) {
			d.Allowed = append(d.Allowed, r.observation(key, n))
		})
		return d
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "allowed":
		d.Any = true
	case n.Kind == yaml.ScalarNode && n.Value == "refused":
	default:
		r.refuse(key, n, "allowed, refused, or a list of the observations that may drift", "")
	}
	return d
}

// observation reads a pattern of IDs that matches at least one rule of the catalogue that is observed.
func (r *reader) observation(key string, n *yaml.Node) string {
	pattern := r.text(key, n, "the ID of an observation or a pattern such as create.observed.*")
	if pattern == "" {
		return ""
	}
	var ids []string
	for _, rule := range rules.All() {
		if rule.Level == rules.Observe {
			if ids = append(ids, rule.ID); rules.Match(pattern, rule.ID) {
				return pattern
			}
		}
	}
	hint := "gateassay rules --level observe lists them"
	if near := meant.Near(pattern, ids); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	r.refuse(key, n, "a rule of the catalogue that is observed", hint)
	return pattern
}

func (r *reader) load(key string, n *yaml.Node, l *Load) {
	l.Tolerance = defaultTolerance
	given := r.mapping(key, n, []field{
		{"thresholds", func(key string, n *yaml.Node) {
			l.Thresholds = r.thresholds(key, n)
		}},
		{"baseline", func(key string, n *yaml.Node) { l.Baseline = r.baseline(key, n) }},
		{"tolerance", func(key string, n *yaml.Node) { l.Tolerance = r.tolerance(key, n) }},
	})
	r.useless(key, n, given)
}

// useless finds a tolerance that nothing is compared with.
func (r *reader) useless(key string, n *yaml.Node, given map[string]bool) {
	if given["tolerance"] && !given["baseline"] {
		r.add(below(key, "tolerance"), n.Line, n.Column, "a baseline to compare with", "none", "add "+below(key, "baseline")+": FOLDER, or remove tolerance")
	}
}

// recorded are the statistics that run.json holds of each time.
var recorded = map[threshold.Time][]string{
	threshold.Response: {"p50", "p90", "p95", "p99", "p99.9", "max", "mean"},
	threshold.Service:  {"p50", "p90", "p95", "p99", "p99.9", "max", "mean"},
	threshold.File:     {"p50", "p90", "p95", "p99", "p99.9", "max", "mean"},
	threshold.Lag:      {"p50", "p99", "max"},
}

var statistic = regexp.MustCompile(`^(?:(service|lag|file)\.)?(p[0-9.]+|max|mean)[<>]`)

// figure tells which time a threshold is on, and whether run.json holds what it needs.
func figure(t threshold.Threshold) (of threshold.Time, known bool) {
	parts := statistic.FindStringSubmatch(t.String())
	if parts == nil {
		return "", true
	}
	if of = threshold.Time(parts[1]); of == "" {
		of = threshold.Response
	}
	return of, slices.Contains(recorded[of], parts[2])
}

func (r *reader) thresholds(key string, n *yaml.Node) (all []threshold.Threshold) {
	r.items(key, n, func(key string, n *yaml.Node) { all = append(all, r.threshold(key, n)...) })
	return all
}

// threshold reads one; it gives none after a problem.
func (r *reader) threshold(key string, n *yaml.Node) []threshold.Threshold {
	text := r.text(key, n, "a threshold such as p99<300ms")
	if text == "" {
		return nil
	}
	t, err := threshold.Parse(text)
	if err != nil {
		found, hint := describe(n), err.Error()
		var wrong *threshold.Error
		if errors.As(err, &wrong) {
			hint = fmt.Sprintf("at character %d of it: %s", wrong.Column, diagnostic.Clean(wrong.Message))
		}
		r.add(key, n.Line, n.Column, "a threshold such as p99<300ms", found, hint)
		return nil
	}
	if of, known := figure(t); !known {
		r.refuse(key, n, "a figure that runs record: "+list(recorded[of])+" of the "+string(of)+" time", "")
		return nil
	}
	return []threshold.Threshold{t}
}

func (r *reader) tolerance(key string, n *yaml.Node) float64 {
	share, ok := plan.ParseShare(n.Value)
	if n.Kind != yaml.ScalarNode || !ok || share < 0 || share >= 1 {
		r.refuse(key, n, "a share below 100%, such as 5% or 0.05", "")
	}
	return share
}

func (r *reader) capacity(key string, n *yaml.Node, c *Capacity) {
	c.Tolerance = defaultTolerance
	given := r.mapping(key, n, []field{
		{"at_least", func(key string, n *yaml.Node) {
			rate, ok := plan.ParseRate(n.Value)
			if n.Kind != yaml.ScalarNode || !ok || rate <= 0 {
				r.refuse(key, n, "a rate above 0, such as 200/s", "")
			}
			c.AtLeast = rate
		}},
		{"thresholds", func(key string, n *yaml.Node) { c.Thresholds = r.thresholds(key, n) }},
		{"baseline", func(key string, n *yaml.Node) { c.Baseline = r.baseline(key, n) }},
		{"tolerance", func(key string, n *yaml.Node) { c.Tolerance = r.tolerance(key, n) }},
	})
	r.useless(key, n, given)
}
