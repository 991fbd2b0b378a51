package create

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// value gives a field a value. In its words a * stands for the field's name.
type value func(f field) edit

func (v value) everywhere() value { return func(f field) edit { return v(f).inEveryContext() } }

// of says that a value is right but for its JSON type (string, number): no defect where the deployment file says that the
// field has it.
func (v value) of(jsonType string) value {
	return func(f field) edit { e := v(f); e.jsonType = jsonType; return e }
}

// unless keeps a value back where another rule's is not rejected, see edit.
func (v value) unless(words string) value {
	return func(f field) edit { return v(f).after(about(f, words)) }
}

// unlessShown excuses an acceptance by what the record shows of the field.
func (v value) unlessShown(right func(got any, sent target.Creation) bool) value {
	return func(f field) edit { return v(f).unlessFine(ifShown(f.Name, right)) }
}

func absent(f field) edit { return without(f.Name) }

// raw is a value as it is written.
func raw(text string) value {
	return func(f field) edit { return with(f.Name, representative.Raw(text)) }
}

// number is a value of the type that the deployment has numbers in.
func number(text string) value { return func(f field) edit { return amount(f.Name, text) } }

// attack marks a value that web firewalls take for one, see wrong.Value.
func (v value) attack() value { return func(f field) edit { return v(f).expecting(ofAttack()) } }

// spelling makes a value of the text of the right one.
func spelling(words string, spell func(right string) any) value {
	return func(f field) edit {
		return spelled(about(f, words), f.Name, func(right any) any { return spell(fmt.Sprint(right)) })
	}
}

// each is the values of a class. Where what spoils one can be undone, the record may show what a valid creation would
// have: the value before it was spoilt.
func each(class []wrong.Value) (all []value) {
	for _, c := range class {
		all = append(all, func(f field) edit {
			e := spelled(f.Name+" "+c.Words, f.Name, c.Spoil)
			if c.Attack {
				e = e.expecting(ofAttack())
			}
			if c.Undone {
				e = e.unlessFine(ifShown(f.Name, func(got any, sent target.Creation) bool { return got == sent.Plain(f.Name) }))
			}
			return e
		})
	}
	return all
}

// inRange excuses an acceptance where the record shows a participation that nothing is wrong with: its decimals were cut,
// which are not said to be kept.
func inRange(got any, _ target.Creation) bool {
	share, ok := representative.ExactNumber(fmt.Sprint(got))
	return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
}

// dated is a date in a common year, in which the other dates of the request stay consistent.
func dated(words, form string) value {
	return func(f field) edit { return worded(about(f, words), f.Name, strings.Replace(form, "YYYY", year(f), 1)) }
}

func year(f field) string {
	return map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035", "registration_update_date": "2023",
	}[f.Name]
}
