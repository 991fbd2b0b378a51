package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Replay protection has a rule for each way to repeat a request in each mode. What goes wrong with one way, in the same
// way and under the same condition, is one defect in however many modes: its headline names them.

// repeated is a failed rule about one way to repeat a request in one mode.
type repeated struct {
	id, mode, cell string
	verb           string // what became of the repeat
	condition      string
}

// acrossModes are the families of repeats that go wrong alike in several modes.
func acrossModes(list []Rule) (found []family) {
	ways := map[[3]string][]repeated{} // by modes, verb and condition
	var order [][3]string
	for _, c := range rules.Cells() {
		for _, alike := range alikeIn(list, c) {
			var modes []string
			for _, r := range alike {
				modes = append(modes, r.mode)
			}
			key := [3]string{strings.Join(modes, " "), alike[0].verb, alike[0].condition}
			if ways[key] == nil {
				order = append(order, key)
			}
			ways[key] = append(ways[key], alike...)
		}
	}
	for _, key := range order {
		var ids, cells []string
		for _, r := range ways[key] {
			ids = append(ids, r.id)
			if words := repeating(r.cell); !slices.Contains(cells, words) {
				cells = append(cells, words)
			}
		}
		if len(ids) < 2 {
			continue
		}
		headline := fmt.Sprintf("Requests that %s are %s %s", strings.Join(cells, " or "), key[1],
			inModes(strings.Fields(key[0])))
		if key[2] != "" {
			headline += ", only " + key[2]
		}
		found = append(found, family{headline: headline, rules: ids})
	}
	return found
}

// alikeIn are the failed rules about a cell, sorted by what became of the repeat and under which condition.
func alikeIn(list []Rule, cell rules.Cell) (groups [][]repeated) {
	for _, m := range rules.Modes() {
		i := slices.IndexFunc(list, func(r Rule) bool { return r.ID == "replay."+m.Name+"."+cell.Name })
		if i < 0 || list[i].Verdict != Fail {
			continue
		}
		one, ok := repeatOf(list[i])
		if !ok {
			continue
		}
		one.mode, one.cell = m.Name, cell.Name
		at := slices.IndexFunc(groups, func(g []repeated) bool {
			return g[0].verb == one.verb && g[0].condition == one.condition
		})
		if at < 0 {
			groups = append(groups, []repeated{one})
		} else {
			groups[at] = append(groups[at], one)
		}
	}
	return groups
}

// repeatOf is what became of a repeat, where all that failed of a rule says the same, and the condition that
// all of it takes.
func repeatOf(r Rule) (repeated, bool) {
	one := repeated{id: r.ID}
	first := true
	for _, c := range r.Checks {
		if c.Verdict != Fail {
			continue
		}
		_, condition, _ := strings.Cut(c.Message, ", only ")
		verb := ""
		switch {
		case strings.Contains(c.Message, " is not blocked: 2"):
			verb = "accepted"
		case strings.Contains(c.Message, " is blocked: 4"):
			verb = "blocked"
		}
		if verb == "" || !first && verb != one.verb {
			return one, false
		}
		if !first && condition != one.condition {
			condition = "" // there is none that all of it takes
		}
		one.verb, one.condition, first = verb, condition, false
	}
	return one, !first
}

// repeating is what differs in a request, or that nothing does.
func repeating(cell string) string {
	return cmp.Or(map[string]string{
		"other_body":  "differ only in their body",
		"other_query": "differ only in their query",
		"other_user":  "come from another user",
		"other_nonce": "change only the nonce",
		"other_both":  "change both identifiers",
		"same":        "repeat everything",
	}[cell], "change only the transaction ID")
}

// inModes names modes of replay protection.
func inModes(names []string) string {
	all := rules.Modes()
	const many = 4
	switch {
	case len(names) == len(all):
		return "in every mode"
	case len(names) >= many:
		return fmt.Sprintf("in %d of %d modes", len(names), len(all))
	}
	var headers []string
	for _, m := range all {
		if slices.Contains(names, m.Name) {
			headers = append(headers, cmp.Or(m.Header, "no replay value"))
		}
	}
	last := len(headers) - 1
	return "with " + strings.Join(append(headers[:max(last-1, 0)],
		strings.Join(headers[max(last-1, 0):], " and ")), ", ")
}
