package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/schema"
)

// nameFieldsAlike groups rules that state the same of different fields of a creation if all of them
// that were judged failed alike, or all of one kind, such as the dates: what checks or writes one
// of the fields does so with the others, too.
func (s defectGrouping) nameFieldsAlike() {
	kinds := map[string]schema.FieldKind{}
	for _, f := range schema.AllFields() {
		kinds[f.Name] = f.Kind
	}
	for _, ofKind := range []bool{false, true} {
		alike := map[string][]RuleResult{}
		for _, r := range s.all {
			isJudged := r.Verdict == VerdictFail || r.Verdict == VerdictPass || r.Verdict == VerdictWaived
			id, field := idWithoutField(r.ID)
			if ofKind {
				id += " " + string(kinds[field])
			}
			if field != "" && isJudged {
				alike[id] = append(alike[id], r)
			}
		}
		for _, group := range alike {
			s.nameGroupAlike(group)
		}
	}
}

// nameGroupAlike gives rules on different fields one headline if all failed alike.
func (s defectGrouping) nameGroupAlike(group []RuleResult) {
	differs := func(r RuleResult) bool {
		return r.Verdict != VerdictFail || s.hasHeadline(r.ID) ||
			!slices.Equal(checkEnds(r), checkEnds(group[0]))
	}
	if slices.ContainsFunc(group, differs) ||
		slices.Contains(FailedOutcomes(group[0]), outcome.ServerError) { // grouped by topic
		return
	}
	s.nameAlike(group)
}

// nameAlike gives rules on different fields that fail alike one headline.
func (s defectGrouping) nameAlike(group []RuleResult) {
	if len(group) < 2 {
		return
	}
	for _, r := range group {
		s.headlines[r.ID] = fmt.Sprintf("%s, %d fields alike", Headline(group[0]), len(group))
	}
}

// nameUnrequired groups the rules on a required field that is absent, null or empty, and those on a
// header, if a creation without it was accepted: nothing requires it then. A header that is
// malformed has to be accepted in every form.
func (s defectGrouping) nameUnrequired() {
	accepted := func(r RuleResult) bool {
		return slices.Equal(FailedOutcomes(r), []outcome.Outcome{outcome.Accepted})
	}
	for _, absent := range s.failed {
		prefix, isHeader := strings.CutSuffix(absent.ID, ".absent")
		field, isField := strings.CutPrefix(absent.ID, "create.required.")
		isField = isField && slices.Contains(creationfields.Names(), field)
		if !accepted(absent) || !isHeader && !isField {
			continue
		}
		headline, alike := s.headlines[absent.ID]
		headline = cmp.Or(headline, Headline(absent))
		for _, r := range s.failed {
			isForm := strings.HasPrefix(r.ID, prefix+".") && (isField || !FailsPartly(r))
			sharesFate := alike || !s.hasHeadline(r.ID) ||
				isField && !s.namesOtherFields(r.ID, prefix)
			if isForm && accepted(r) && sharesFate {
				s.renameDefect(r.ID, headline)
			}
		}
	}
}

// namesOtherFields reports whether a rule has its headline in common with a rule on another
// required field than its own.
func (s defectGrouping) namesOtherFields(rule, own string) bool {
	for id, headline := range s.headlines {
		if headline == s.headlines[rule] && strings.HasPrefix(id, "create.required.") &&
			!strings.HasPrefix(id, own+".") {
			return true
		}
	}
	return false
}

// renameDefect gives a rule another headline. Rules on blank texts that had the old one in common
// follow.
func (s defectGrouping) renameDefect(rule, headline string) {
	const blank = "create.value.blank"
	if old, named := s.headlines[rule]; named && s.headlines[blank] == old {
		s.headlines[blank] = headline
	}
	s.headlines[rule] = headline
}

// checkEnd is how a check ended.
type checkEnd struct {
	verdict Verdict
	outcome outcome.Outcome
	status  int
}

func checkEnds(r RuleResult) (all []checkEnd) {
	for _, c := range r.Checks {
		all = append(all, checkEnd{c.Verdict, c.Outcome, c.Status})
	}
	return all
}

// idWithoutField replaces the field in the ID of a rule on one field of a creation. field is empty
// if the rule is about anything else.
func idWithoutField(id string) (without, field string) {
	if id == "create.default.registration_update_date_kept" {
		id = "create.echo.registration_update_date" // it states what these rules state
	}
	parts := strings.SplitN(id, ".", 4)
	if len(parts) < 3 || parts[0] != "create" ||
		!slices.Contains(creationfields.Names(), parts[2]) {
		return "", ""
	}
	field, parts[2] = parts[2], "*"
	return strings.Join(parts, "."), field
}
