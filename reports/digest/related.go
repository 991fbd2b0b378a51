package digest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Cluster is failed rules that one defect may explain, the one that says most about it first.
type Cluster struct{ Rules []record.Rule }

// Clusters puts failed rules together whose failing checks judge the same exchange, when also the topic or the detail of
// their IDs is the same: many rules rest on one request, such as the first creation, which alone ties nothing together.
// Rules about one field each are of one topic and rest on the same answers; they belong together only where their fields
// are wrong in the same way, such as absent.
// Clusters come in the order of their first rule, must before should; within one, a rule all of whose checks fail comes
// before those of which only some do.
func Clusters(failed []record.Rule) []Cluster {
	parent := make([]int, len(failed))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	// The first rule for each thing that ties rules together; a later one joins it.
	first := map[tie]int{}
	for i, r := range failed {
		topic := OperationOf(r.ID) + "." + Topic(r.ID)
		if ofFields(topic) {
			topic += ": " + strings.ReplaceAll(" "+actual(r), " "+detail(r.ID)+" ", " it ")
		}
		for _, x := range failing(r) {
			for _, t := range []tie{{x, topic}, {x, "=" + detail(r.ID)}} {
				if j, known := first[t]; known {
					a, b := root(i), root(j)
					parent[max(a, b)] = min(a, b)
				} else {
					first[t] = i
				}
			}
		}
	}
	at := map[int]int{}
	var found []Cluster
	for i, r := range failed {
		top := root(i)
		place, known := at[top]
		if !known {
			place = len(found)
			at[top] = place
			found = append(found, Cluster{})
		}
		found[place].Rules = append(found[place].Rules, r)
	}
	for _, c := range found {
		slices.SortStableFunc(c.Rules, func(a, b record.Rule) int {
			return cmp.Or(cmp.Compare(binding(a), binding(b)), cmp.Compare(FailingShare(b), FailingShare(a)))
		})
	}
	return found
}

// ofFields tells whether a topic holds one rule for each field of an answer.
func ofFields(topic string) bool {
	return strings.HasSuffix(topic, ".response") || strings.HasSuffix(topic, ".echo")
}

type tie struct {
	exchange int
	by       string
}

// failing lists the exchanges of a rule's failing checks.
func failing(r record.Rule) []int {
	var all []int
	for _, c := range r.Checks {
		if c.Verdict == record.Fail {
			all = append(all, c.Exchanges...)
		}
	}
	return all
}

// FailingShare is the share of a rule's judged checks that failed, from 0 to 1.
func FailingShare(r record.Rule) float64 {
	failed, judged := Failing(r)
	return float64(failed) / float64(max(1, judged))
}

// Failing counts the checks of a rule that failed, and those that failed or passed.
func Failing(r record.Rule) (failed, judged int) {
	for _, c := range r.Checks {
		switch c.Verdict {
		case record.Fail:
			failed, judged = failed+1, judged+1
		case record.Pass:
			judged++
		}
	}
	return failed, judged
}

// OperationOf is the first part of a rule's ID.
func OperationOf(id string) string {
	name, _, _ := strings.Cut(id, ".")
	return name
}

// detail is what follows the topic in a rule's ID, or the ID where nothing does.
func detail(id string) string {
	if parts := strings.SplitN(id, ".", 3); len(parts) == 3 {
		return parts[2]
	}
	return id
}

// Finding is the one line that says most about a rule that did not pass: what was seen in its first failing check, after
// its message where that is short.
func Finding(r record.Rule) string {
	const short = 24
	for _, c := range r.Checks {
		if c.Verdict == record.Fail {
			seen := actual(r)
			if c.Message != "" && seen != "" && len(c.Message) <= short {
				return c.Message + ": " + seen
			}
			return cmp.Or(seen, c.Message, c.Name)
		}
	}
	return r.Reason
}

// actual is the first line of what was seen in a rule's first failing check.
func actual(r record.Rule) string {
	for _, c := range r.Checks {
		if c.Verdict == record.Fail {
			line, _, _ := strings.Cut(c.Actual, "\n")
			return line
		}
	}
	return ""
}
