package record

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// family is a defect that breaks several rules at once, and nothing less than all of what it would break proves it:
// every check of its rules that was judged failed, in the same way. A rule is a pattern of IDs, followed by what the
// names of its checks contain where not all of them count; "$" is the end of a name. Behind " => " stands what the
// headline of a check has to contain, whatever was answered; checks that passed then prove nothing.
type family struct {
	headline string // empty: what the first rule says of itself
	rules    []string
	core     int      // so many of the first rules have to be broken; the others may be unverified
	least    int      // rules that have to be broken; 0: two
	also     []string // rules that break with them, and prove and disprove nothing
	got      string   // what the status of each answer begins with: "2" for an accepted request; empty: any
}

// whole is a family all of whose rules have to be broken, by answers whose status begins with got.
func whole(got, headline string, rules ...string) family {
	return family{headline: headline, rules: rules, core: len(rules), got: got}
}

func (f family) with(also ...string) family {
	f.also = also
	return f
}

// leading are families of rules that break together, in whatever way: the first one names the defect.
func leading(also []string, rules ...string) (list []family) {
	for _, got := range []string{"2", "3", "4", "5"} {
		list = append(list, whole(got, "", rules...).with(also...))
	}
	return list
}

// families are those that the checks of some rules prove, each with its headline.
func families(list []Rule) []family {
	failed := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool {
		return !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Verdict == Fail })
	})
	if len(failed) < 2 {
		return nil
	}
	proven := wrongStatuses(list)
	for _, f := range known() {
		broken := slices.DeleteFunc(slices.Clone(failed), func(r Rule) bool { return !f.explains(r) })
		if len(broken) < max(2, f.least) {
			continue
		}
		core, kept := map[string]bool{}, false
		for _, r := range list {
			for _, c := range r.Checks {
				entry := covering(f.rules, r, c)
				broke := f.breaks(f.rules, r, c)
				if entry >= 0 && entry < f.core && broke {
					core[f.rules[entry]] = true
				}
				kept = kept || entry >= 0 && !broke && judged(c)
			}
		}
		if kept || len(core) < f.core {
			continue
		}
		if f.headline != "" {
			f.headline += condition(broken)
		} else {
			lead := func(r Rule) bool { return covers(f.rules[0], r.ID, "") }
			f.headline = Headline(broken[max(0, slices.IndexFunc(broken, lead))])
		}
		proven = append(proven, f)
	}
	return append(proven, acrossModes(list)...)
}

// condition is what all of some rules say that their defect takes: ", only with x-product-uuid".
func condition(broken []Rule) string {
	var common []string
	for i, r := range broken {
		_, only, _ := strings.Cut(Headline(r), ", only with ")
		only, _, _ = strings.Cut(only, " and ")
		partners := strings.Split(only, ", ")
		if i == 0 {
			common = partners
		}
		common = slices.DeleteFunc(common, func(p string) bool { return p == "" || !slices.Contains(partners, p) })
	}
	if len(common) == 0 {
		return ""
	}
	return ", only with " + strings.Join(common, ", ")
}

// covering is the first entry of a list that is about a check of a rule, or -1.
func covering(entries []string, r Rule, c Check) int {
	name := cmp.Or(c.Name, "-") // covers takes none for any
	return slices.IndexFunc(entries, func(entry string) bool {
		_, said, limited := strings.Cut(entry, says)
		return covers(entry, r.ID, name) && (!limited || c.Verdict == Fail && strings.Contains(c.Message, said))
	})
}

const says = " => "

// covers reports whether an entry is about a rule and a check of it; an empty name stands for any check.
func covers(entry, id, check string) bool {
	entry, _, _ = strings.Cut(entry, says)
	pattern, part, _ := strings.Cut(entry, " ")
	return rules.Match(pattern, id) && (check == "" || strings.Contains(check+"$", part))
}

// breaks reports whether a check failed as one of some entries says.
func (f family) breaks(entries []string, r Rule, c Check) bool {
	entry := covering(entries, r, c)
	return entry >= 0 && (strings.Contains(entries[entry], says) || f.broken(c))
}

func (f family) broken(c Check) bool {
	if c.Verdict != Fail || f.got == "" {
		return c.Verdict == Fail
	}
	const enough = 1000 // bytes: statuses stand before what was answered
	actual := c.Actual[:min(len(c.Actual), enough)]
	return slices.ContainsFunc(gotStatus.FindAllStringSubmatch(actual, -1), func(status []string) bool {
		return strings.HasPrefix(status[1]+status[2], f.got)
	})
}

// gotStatus finds the status that a check's actual text begins with, or those that it counts.
var gotStatus = regexp.MustCompile(`^(?:\d+ of \d+ attempts: )?([1-5]\d\d)\b|\d × ([1-5]\d\d)\b`)

// judged reports whether a check says something of a family's rules. Three kinds pass where they found nothing to judge:
// those of another wallet where the default one is wrong, an empty qualification that was taken for none, and a sort left
// out beside partners that change the rows.
func judged(c Check) bool {
	open := strings.HasSuffix(c.Name, " in another wallet") || strings.HasSuffix(c.Name, ` qualification ""`) ||
		strings.HasPrefix(c.Name, "sort left out beside ")
	return c.Verdict == Fail || c.Verdict == Pass && !open
}

// explains reports whether everything that failed of a rule is what the family would break.
func (f family) explains(r Rule) bool {
	failed := 0
	for _, c := range r.Checks {
		if c.Verdict != Fail {
			continue
		}
		if !f.breaks(f.rules, r, c) && !f.breaks(f.also, r, c) {
			return false
		}
		failed++
	}
	return failed > 0
}
