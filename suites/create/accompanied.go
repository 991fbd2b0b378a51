package create

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// accompanied finds the creation in company that has an edit. It carries several sound things at once: where they are
// refused in company only, the edit is sent in company by itself, and where they are refused always, without company.
func (s *Suite) accompanied(e edit) (seen answer, found bool) {
	for i, bundle := range s.accompaniedBundles() {
		if slices.ContainsFunc(bundle, func(one edit) bool { return one.name == e.name }) {
			return s.inEveryRow(e, s.inEveryRow(both(bundle...), nil, s.exchanged(i)...)), true
		}
	}
	return nil, false
}

// inEveryRow declares a valid creation in one row of company after the other, up to the first that is refused, or whose
// record does not show what it should. Those that are exchanged serve for it where they are right.
func (s *Suite) inEveryRow(e edit, shared answer, exchanged ...swapped) answer {
	var plain answer
	if shared != nil {
		plain = s.vary(target.AboutField, e)
	}
	seen := spec.Observe(s.Plan, label(e)+", with other options", func(ctx context.Context) (target.Answer, error) {
		rows := control.Accompanied(client.Create)
		if shared != nil {
			switch a, err := shared.Get(ctx); {
			case err == nil && a.Success():
				return a, nil
			case err == nil && len(a.Condition) == 0:
				return plain.Get(ctx)
			case err == nil:
				rows = s.c.RowsWith(ctx, client.Create, rows, a.Condition)
			}
		}
		a, err := s.c.Answer(ctx, client.Create, rows, s.intact, func(with control.Company) (target.Answer, error) {
			for i, o := range exchanged {
				if s.c.Company(ctx, client.Create, rows[i]).String() != with.String() {
					continue
				}
				if a, err := o.Get(ctx); err == nil && s.intact(a) {
					return a, nil
				}
			}
			return s.c.Creations(ctx, target.AboutField, with, edited(e))
		})
		if err == nil && s.intact(a) { // with the qualifications that the rows have
			if wrong, found := s.wrongFor(ctx, exchanged); found {
				return wrong, nil
			}
		}
		return a, err
	})
	if !slices.Contains(s.valid, seen) { // the tree is built twice
		s.valid = append(s.valid, seen)
	}
	return seen
}

// intact reports whether the record of a creation shows what it was sent, or has as default, as far as it shows it. The
// qualification, which only the company gives, is judged in every record of the run.
func (s *Suite) intact(a target.Answer) bool {
	found := s.read(a)
	if !a.Success() || found.record == nil {
		return false
	}
	for _, name := range []string{
		"participation_percentage", "income", "patrimony", "pep", "is_public_server", "birth_date",
		"relationship_start_date", "relationship_end_date", "registration_update_date", "document_country_of_issue",
		"document_number",
	} {
		path, want := representative.ResponsePath(name), found.sent.Get(name)
		given := want != nil
		switch {
		case given:
		case name == "document_country_of_issue":
			want = "BRA"
		case name == "registration_update_date":
			want = found.sent.Get("relationship_start_date")
		default:
			continue
		}
		got, _ := found.record.Get(path)
		if (got != nil || !given) && echoOf(path, want, got).Likeness() != Alike {
			return false
		}
	}
	return keepsLetters(found)
}

// keepsLetters reports whether a name with letters beyond ASCII has some left: in which case they come is a choice.
func keepsLetters(a answered) bool {
	sent, _ := a.sent.Get("name").(string)
	value, _ := a.record.Get("name")
	got, there := value.(string)
	return !there || isASCII(sent) || !isASCII(got)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}
