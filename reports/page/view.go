package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/suites/record"
)

// view is what the template shows.
type view struct {
	Run          record.Run
	Headline     string
	Why          string
	Rests        []string // what the verdict rests on
	Bar          []slice
	Tiles        []digest.Tally
	Created      string
	Took         string
	Tone         string   // ok, bad or unsure
	Failed       []defect // violations, those of security rules first
	Warned       []defect
	Brief        int // violations for which the page has no room but in its tables
	Waived       []card
	Inconclusive []group
	Needs        []group
	Missing      string // the lines to add to the deployment file
	Unverified   []group
	Operations   []operation
	Observed     []digest.Seen
	Timeline     *timeline // nil: no exchange is known
	Data         data
	frame.Sealed
}

// slice is one verdict's part of the bar below the headline, in thousandths.
type slice struct {
	Verdict record.Verdict
	X, W    int
}

// group is rules with one cause. Rerun runs all of them; it is empty where they are too many for a command line.
type group struct {
	Cause string
	Verb  string   // what to do where keys are the cause
	See   []string // rules that the cause names
	Rules []record.Rule
	Rerun string
}

// defect is one thing that is wrong, with a card for each rule that shows it.
type defect struct {
	digest.Defect
	Cards []card
	Tally string // of the checks of all its rules
}

type card struct {
	record.Rule
	Brief    bool // for the tables only
	Finding  string
	Related  []string // rules that the same defect breaks
	Under    []card   // of the first of them: the others, which are lines below it on paper
	Grouped  bool     // of the others
	Unjudged []string // rules that it keeps from being judged
	First    check
	Further  []check
}

type check struct {
	record.Check
	Headed   bool // its message is the headline of the card
	Masked   bool // it describes a value by its form alone
	Personal bool // an exchange that is shown carries a person's data
	Shown    []numbered
	Left     []int // exchanges that are not shown
}

// also names further checks in a line, for paper.
func also(further []check) string {
	const most = 3
	var names []string
	for _, k := range further[:min(len(further), most)] {
		names = append(names, k.Name)
	}
	line := strings.Join(names, "; ")
	if more := len(further) - most; more > 0 {
		line += fmt.Sprintf("; and %d more", more)
	}
	return line
}

type numbered struct {
	Seq                int
	Label, Field, Role string
	Decisive           bool
	*Exchange
}

type operation struct {
	digest.Operation
	Topics []topic
}

type topic struct {
	Operation, Name string
	Counts          record.Counts
	Rules           []row
}

// row is a rule of the matrix; Elsewhere reports that the page shows the rule in another place, with what was found.
type row struct {
	record.Rule
	Elsewhere bool
}

// In says in words how a topic's rules came out.
func (t topic) In() string { return digest.InWords(digest.Tallies(t.Counts)) }

func newView(run record.Run, exchanges Exchanges, b *budget) view {
	v := view{
		Run: run, Headline: digest.Headline(run), Why: digest.Why(run), Rests: rests(run), Bar: bar(run.Counts),
		Created: digest.Created(run), Tiles: digest.Tallies(run.Counts), Tone: digest.Tone(string(run.Verdict)),
		Observed: digest.Observed(run), Sealed: frame.Seal(reportCSS+partsCSS, "", frame.Copying+script),
	}
	if d := run.Run.FinishedAt.Sub(run.Run.StartedAt); d > 0 && !run.Run.FinishedAt.IsZero() {
		v.Took = d.Round(time.Millisecond).String()
	}
	var moments []Moment
	if exchanges != nil {
		moments = sorted(exchanges.Moments())
	}
	s := newShelf(run, exchanges, moments, b)
	violated, warned := digest.Defects(run)
	for _, d := range violated {
		v.Failed = append(v.Failed, s.defect(d))
	}
	for _, d := range warned {
		v.Warned = append(v.Warned, s.defect(d))
	}
	carded := map[string]bool{} // rules that the page shows outside of the matrix
	for _, d := range slices.Concat(v.Failed, v.Warned) {
		for _, one := range d.Cards {
			carded[one.ID] = !one.Brief
			if one.Brief && one.Binding() {
				v.Brief++
			}
		}
	}
	for _, r := range digest.With(run, record.Waived) {
		v.Waived = append(v.Waived, s.card(r, nil))
		carded[r.ID] = true
	}
	open := digest.With(run, record.Inconclusive)
	known := map[string]bool{}
	for _, r := range run.Rules {
		known[r.ID] = true
	}
	v.Inconclusive = groups(digest.ByReason(open), run.Run.File, known)
	for _, r := range open {
		carded[r.ID] = true
	}
	unverified := digest.With(run, record.NotVerified)
	needs, others := digest.ByNeed(unverified)
	v.Needs, v.Unverified, v.Missing = groups(needs, "", nil), groups(others, "", known), digest.Missing(unverified)
	for _, op := range digest.Operations(run) {
		v.Operations = append(v.Operations, operation{Operation: op, Topics: topics(op, carded)})
	}
	if exchanges != nil {
		v.Timeline = newTimeline(moments)
		v.Data = newData(moments, exchanges, b)
	}
	return v
}

// mentioned lists the rules of the run that a text names.
func mentioned(text string, known map[string]bool) []string {
	var found []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_')
	}) {
		if word = strings.Trim(word, "."); known[word] && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}

func groups(list []digest.Group, file string, known map[string]bool) []group {
	const most = 40 // rules named on one command line
	var found []group
	for _, g := range list {
		one := group{Cause: g.Cause, Verb: g.Verb(), See: mentioned(g.Cause, known), Rules: g.Rules}
		if len(g.Rules) <= most {
			one.Rerun = digest.RerunAll(g.IDs(), file)
		}
		found = append(found, one)
	}
	return found
}

// topics groups rules by topic in the order of the catalogue.
func topics(op digest.Operation, carded map[string]bool) []topic {
	var found []topic
	for _, b := range digest.By(op.Rules, func(r record.Rule) string { return digest.Topic(r.ID) }) {
		one := topic{Operation: op.Name, Name: b.Key, Counts: digest.Counts(b.Items)}
		for _, r := range b.Items {
			one.Rules = append(one.Rules, row{r, carded[r.ID]})
		}
		found = append(found, one)
	}
	return found
}

// rests says what was done to reach the verdict, so that a reader sees how thorough the run was.
func rests(run record.Run) []string {
	checks := 0
	levels := map[string]*record.Counts{"must": {}, "should": {}}
	for _, r := range run.Rules {
		checks += len(r.Checks)
		if c := levels[r.Level]; c != nil {
			c.Add(r)
		}
	}
	lines := []string{fmt.Sprintf("%s, %d of them judged, by %s on %s.", digest.Quantity(len(run.Rules), "rule"),
		run.Counts.Judged(), digest.Quantity(checks, "check"), digest.Quantity(run.Run.Requests, "request"))}
	for _, level := range []string{"must", "should"} {
		if c := *levels[level]; c.Total() > 0 {
			lines = append(lines, fmt.Sprintf("%s with level %s: %s.", digest.Quantity(c.Total(), "rule"),
				level, digest.InWords(digest.Tallies(c))))
		}
	}
	return lines
}

func bar(c record.Counts) []slice {
	var found []slice
	done := 0
	for _, v := range digest.Tallies(c) {
		if v.N > 0 {
			x := done * 1000 / c.Total()
			done += v.N
			found = append(found, slice{v.Verdict, x, max(1, done*1000/c.Total()-x)})
		}
	}
	return found
}
