package digest

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/suites/record"
)

// MissingYAML is the part of a deployment file that would let unverified rules be verified, with
// example values; of alternatives the first. A comment says how many rules each key is for.
func MissingYAML(list []record.RuleResult) string {
	counts := map[string]int{}
	var keys []string
	for _, r := range list {
		for _, key := range missingKeysOf(r) {
			if strings.HasPrefix(key, limitsPrefix) { // there already, and too low
				continue
			}
			if counts[key] == 0 {
				keys = append(keys, key)
			}
			counts[key]++
		}
	}
	return settings.Example(keys, func(key string) string {
		if counts[key] == 0 {
			return ""
		}
		return "for " + Quantity(counts[key], "rule")
	})
}

const limitsPrefix = "limits."

// GroupAdvice says what to do with the keys that a group's rules need: to add them, to raise a
// limit, or to correct what is given and did not serve.
func GroupAdvice(g RuleGroup) string {
	if strings.HasPrefix(g.Key, limitsPrefix) {
		return "raise"
	}
	for _, r := range g.Items {
		if slices.ContainsFunc(r.Checks, lacksKey) {
			return "add"
		}
	}
	return "correct"
}

// lacksKey reports whether a check needs a key that the deployment file does not give. One that is
// given did not serve.
func lacksKey(c record.CheckResult) bool {
	return c.Verdict == record.VerdictNotVerified && c.MissingKey != "" && !c.KeyIsGiven
}

// missingKeysOf lists the deployment keys that a rule lacks.
func missingKeysOf(r record.RuleResult) []string {
	var keys []string
	for _, c := range r.Checks {
		if lacksKey(c) && !slices.Contains(keys, c.MissingKey) {
			keys = append(keys, c.MissingKey)
		}
	}
	return keys
}
