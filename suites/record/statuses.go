package record

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Requests that had to be refused and all got one wrong status have one cause: how the deployment answers them. Where
// one of these rules fails in another way as well, it has a defect of its own.

// refusal is a failed rule that one wrong status explains.
type refusal struct {
	rule      Rule
	area      string // what was to be refused
	status    string
	condition string // that the defect takes; empty: none
}

const (
	strangers = "authentication"
	creation  = "creation"
	export    = "export"
)

// wrongStatuses are the families of requests that got one wrong status in place of a refusal.
func wrongStatuses(list []Rule) (found []family) {
	var all []refusal
	for _, r := range list {
		if one, ok := refusalOf(r); ok && r.Verdict == Fail {
			all = append(all, one)
		}
	}
	for len(all) > 0 {
		first := all[0]
		alike := slices.DeleteFunc(slices.Clone(all), func(o refusal) bool { return !first.like(o) })
		all = slices.DeleteFunc(all, first.like)
		for _, group := range apart(list, alike) {
			found = append(found, together(list, group))
		}
	}
	return found
}

func (a refusal) like(b refusal) bool {
	return a.area == b.area && a.status == b.status && a.condition == b.condition
}

// refusalOf is what one wrong status explains of a rule: everything that failed.
func refusalOf(r Rule) (refusal, bool) {
	one := refusal{rule: r}
	for i, c := range slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.Verdict != Fail }) {
		area, status := areaOf(r, c), onlyStatus(c)
		_, condition, _ := strings.Cut(c.Message, ", only ")
		if i == 0 {
			one.area, one.status, one.condition = area, status, condition
		}
		if area != one.area || status != one.status || condition != one.condition {
			return one, false
		}
	}
	return one, one.area != "" && one.status > "299"
}

// areaOf is what a check asks the deployment to refuse; empty for any other check.
func areaOf(r Rule, c Check) string {
	secured := strings.HasPrefix(r.ID, "auth.") || strings.HasSuffix(r.ID, ".authenticated")
	switch {
	case strings.HasPrefix(c.Name, "refuses ") && secured:
		return strangers
	case strings.HasPrefix(c.Name, "rejects a creation "):
		return creation
	case strings.HasPrefix(c.Name, "refuses an export "):
		return export
	}
	return ""
}

var attempted = regexp.MustCompile(`(?:^|attempts: )([1-5]\d\d)\b`)

// onlyStatus is the one status that a check saw, in each of its attempts.
func onlyStatus(c Check) string {
	line, _, _ := strings.Cut(c.Actual, "\n")
	seen := map[string]bool{}
	status := ""
	for _, m := range attempted.FindAllStringSubmatch(line, -1) {
		status = m[1]
		seen[status] = true
	}
	if len(seen) != 1 {
		return ""
	}
	return status
}

// apart sorts rules that got one wrong status by cause. A refusal under another status is one habit; a server error may
// have a cause of its own in each kind of request, unless nearly all end in one.
func apart(list []Rule, alike []refusal) (groups [][]refusal) {
	const few, several = 3, 5
	if len(alike) < few {
		return nil
	}
	fails := map[string]bool{}
	for _, a := range alike {
		fails[a.rule.ID] = true
	}
	otherwise := map[string]int{} // rules by kind that refused something as they should, or failed in another way
	others := 0
	for _, r := range list {
		if !fails[r.ID] && slices.ContainsFunc(r.Checks, func(c Check) bool {
			return areaOf(r, c) == alike[0].area && (c.Verdict == Pass || c.Verdict == Fail)
		}) {
			otherwise[kind(r.ID)]++
			others++
		}
	}
	everywhere := len(alike) >= several && (alike[0].condition != "" || len(alike) >= 3*others)
	if alike[0].status < "500" || everywhere {
		return [][]refusal{alike}
	}
	for len(alike) > 0 {
		of := kind(alike[0].rule.ID)
		other := func(a refusal) bool { return kind(a.rule.ID) != of }
		group := slices.DeleteFunc(slices.Clone(alike), other)
		alike = slices.DeleteFunc(alike, func(a refusal) bool { return !other(a) })
		if len(group) >= few && otherwise[of] == 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// kind is what a rule's ID begins with: create.dates.
func kind(id string) string {
	parts := strings.SplitN(id, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// together is the family of rules that got one wrong status.
func together(list []Rule, group []refusal) family {
	status, area := group[0].status, group[0].area
	var rules []string
	var broken []Rule
	for _, a := range group {
		rules, broken = append(rules, a.rule.ID), append(broken, a.rule)
	}
	for _, r := range list {
		if area == strangers && r.ID == "auth.export_status" && r.Verdict == Fail && counts(r, status) {
			rules = append(rules, r.ID)
		}
	}
	did := map[byte]string{'3': "redirected", '4': "refused", '5': "end in a server error"}[status[0]]
	headline := fmt.Sprintf("%s %s: %s, expected %s", requests(area, broken), did, status, expected(area, broken))
	return family{headline: headline + condition(broken), rules: rules, got: status}
}

var counted = regexp.MustCompile(`\d × ([1-5]\d\d)\b`)

// counts reports whether a rule about the status of all refusals saw one wrong status, and no other.
func counts(r Rule, status string) bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool {
		return c.Verdict == Fail && slices.ContainsFunc(counted.FindAllStringSubmatch(c.Actual, -1),
			func(m []string) bool { return m[1] != status && m[1] != "401" })
	})
}

// requests names what had to be refused, as narrowly as the rules allow.
func requests(area string, broken []Rule) string {
	all := func(prefixes ...string) bool {
		return !slices.ContainsFunc(broken, func(r Rule) bool {
			return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(r.ID, p) })
		})
	}
	what := map[string]string{creation: "Creations", export: "Exports"}[area]
	if area == strangers {
		switch of := operations(broken); {
		case len(of) == 1:
			what = of[0]
		default:
			what = "Requests"
		}
	}
	switch {
	case all("auth.bearer."):
		return what + " with an invalid token"
	case all("auth.api_key."):
		return what + " with an invalid API key"
	case area == strangers:
		return what + " without valid authentication"
	case all("create.required."):
		return what + " that lack a required field"
	case all("create.dates."):
		return what + " with an invalid date"
	case all("create.header.", "export.header."):
		return what + " with an invalid header"
	case all("create.body.", "export.body."):
		return what + " with an invalid body"
	}
	return "Invalid " + strings.ToLower(what)
}

// operations are those whose requests some checks sent.
func operations(broken []Rule) (of []string) {
	for _, o := range [][2]string{{"a creation ", "Creations"}, {"an export ", "Exports"}, {"an upload ", "Uploads"}} {
		if slices.ContainsFunc(broken, func(r Rule) bool {
			return slices.ContainsFunc(r.Checks, func(c Check) bool {
				return c.Verdict == Fail && strings.Contains(c.Name, o[0])
			})
		}) {
			of = append(of, o[1])
		}
	}
	return of
}

// expected is what would have been right for all of some rules: the status that the document names, or any refusal.
func expected(area string, broken []Rule) string {
	if area == strangers {
		if slices.Contains(operations(broken), "Creations") {
			return "401"
		}
		return "a 4xx"
	}
	shortest := ""
	for _, r := range broken {
		for _, c := range r.Checks {
			_, want, said := strings.Cut(c.Message, ", expected ")
			want, _, _ = strings.Cut(want, ", only with ")
			switch {
			case c.Verdict != Fail || !said:
			case want == "a 4xx":
				return want
			case shortest == "" || len(want) < len(shortest):
				shortest = want
			}
		}
	}
	return cmp.Or(shortest, "a 4xx")
}
