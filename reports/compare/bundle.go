package compare

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// bundle is rules that took the same step for the same reason, such as all those that an interrupted run did not reach.
type bundle struct {
	Change
	IDs []string
}

// level is that of the rules, with the mark of what protects data or money.
func (c Change) level() string {
	return digest.Level(record.Rule{Level: c.Level, Security: c.Security})
}

// fewestBundled is how many rules are told in one line; fewer stay apart.
const fewestBundled = 3

// bundles puts rules together, each where the first of them stood.
func bundles(list []Change) []bundle {
	var all []bundle
	at := map[Change]int{}
	for _, c := range list {
		id := c.ID
		c.ID, c.Statement = "", ""
		i, known := at[c]
		if !known {
			i = len(all)
			at[c] = i
			all = append(all, bundle{Change: c})
		}
		all[i].IDs = append(all[i].IDs, id)
	}
	var told []bundle
	for _, b := range all {
		if len(b.IDs) >= fewestBundled {
			told = append(told, b)
			continue
		}
		for _, id := range b.IDs {
			told = append(told, bundle{b.Change, []string{id}})
		}
	}
	return told
}

// lack is observations that one of the runs did not make, for one reason.
type lack struct {
	Reason string
	IDs    []string
}

// lacks separates observations that one run did not make for one reason from those that are shown one by one.
func lacks(list []Drift) (bundled []lack, others []Drift) {
	count := map[string]int{}
	for _, d := range list {
		count[d.Reason]++
	}
	at := map[string]int{}
	for _, d := range list {
		if d.Reason == "" || count[d.Reason] < fewestBundled {
			others = append(others, d)
			continue
		}
		i, known := at[d.Reason]
		if !known {
			i = len(bundled)
			at[d.Reason] = i
			bundled = append(bundled, lack{Reason: d.Reason})
		}
		bundled[i].IDs = append(bundled[i].IDs, d.ID)
	}
	return bundled, others
}

// names are the first of a list, with how many follow.
func names(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
