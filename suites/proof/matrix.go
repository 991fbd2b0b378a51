package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Matrix is the kill matrix of a set of faults.
type Matrix struct {
	Schema string `json:"schema"` // gateassay/proof/v1
	Score  Score  `json:"score"`
	Rows   []Row  `json:"faults"`
}

// Score sums a matrix up.
type Score struct {
	Faults     int      `json:"faults"`
	Killed     int      `json:"killed"`           // the fault's own rule failed
	Precise    int      `json:"precise"`          // nothing unrelated failed
	Exact      int      `json:"exact"`            // the own rule failed and no other
	FailedMean float64  `json:"failed_mean"`      // rules that failed for a fault, on average; those of a sweeping fault count as one
	Unproven   []string `json:"rules_unproven"`   // must and should rules that no fault was seen to break
	ProvenOnly int      `json:"rules_with_exact"` // rules that some fault breaks alone
}

const matrixSchema = "gateassay/proof/v1"

// Row is one fault with what failed.
type Row struct {
	Fault     string   `json:"fault"`
	Rule      string   `json:"rule"`
	Statement string   `json:"statement"`
	Partner   string   `json:"partner,omitempty"` // what has to stand beside
	Killed    bool     `json:"killed"`
	Failed    []string `json:"failed"`
	Unrelated []string `json:"unrelated"`
	Reason    string   `json:"reason,omitempty"` // why the own rule did not fail
}

// Faults makes a subject of each fault.
func Faults(faults []reference.Fault, seed int64) []Subject {
	var list []Subject
	for _, f := range faults {
		list = append(list, Subject{Fault: f, Seed: seed})
	}
	return list
}

// NewMatrix sums findings about faults up.
func NewMatrix(findings []Finding) Matrix {
	m := Matrix{Schema: matrixSchema, Rows: []Row{}}
	proven, alone := map[string]bool{}, map[string]bool{}
	failed := 0
	for _, f := range findings {
		row := Row{
			Fault: f.Subject.Fault.Name, Rule: f.Subject.Fault.Rule, Statement: f.Subject.Fault.Statement,
			Partner: f.Subject.Fault.Partner, Killed: f.Killed(), Failed: append([]string{}, f.Failed...), Unrelated: append([]string{}, f.Unrelated()...),
		}
		m.Score.Faults++
		for _, id := range f.Failed {
			if id == row.Rule || !f.Subject.sweeps(id) {
				failed++
			}
		}
		if row.Killed {
			m.Score.Killed++
			proven[row.Rule] = true
		} else {
			row.Reason = f.Reasons[row.Rule]
			if missed := f.Missed(); row.Reason == "" || len(missed) > 0 && !slices.Contains(missed, row.Rule) {
				row.Reason = "these did not fail: " + strings.Join(missed, ", ")
			}
		}
		if len(row.Unrelated) == 0 {
			m.Score.Precise++
		}
		if row.Killed && len(f.Failed) == 1 {
			m.Score.Exact++
			alone[row.Rule] = true
		}
		m.Rows = append(m.Rows, row)
	}
	if m.Score.Faults > 0 {
		m.Score.FailedMean = float64(failed*100/m.Score.Faults) / 100
	}
	m.Score.Unproven = []string{}
	var catalogue []rules.Rule
	if len(findings) > 0 {
		catalogue = findings[0].Catalogue
	}
	for _, r := range catalogue {
		if r.Level != rules.Observe && !proven[r.ID] {
			m.Score.Unproven = append(m.Score.Unproven, r.ID)
		}
	}
	m.Score.ProvenOnly = len(alone)
	return m
}

// WriteJSON prints the matrix for programs.
func (m Matrix) WriteJSON(w io.Writer) error { return writeJSON(w, m) }

func writeJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// WriteTable prints the matrix for a terminal: what was not killed and what was not precise first.
func (m Matrix) WriteTable(w io.Writer) error {
	var b strings.Builder
	rank := func(r Row) int {
		switch {
		case !r.Killed:
			return 0
		case len(r.Unrelated) > 0:
			return 1
		}
		return 2
	}
	rows := slices.Clone(m.Rows)
	slices.SortStableFunc(rows, func(a, c Row) int { return rank(a) - rank(c) })
	for _, r := range rows {
		state := "killed"
		if !r.Killed {
			state = "SURVIVED"
		}
		fmt.Fprintf(&b, "%-8s %-58s %s\n", state, r.Fault, strings.Join(marked(r), " "))
		if !r.Killed {
			fmt.Fprintf(&b, "         the gateway %s; %s: %s\n", r.Statement, r.Rule, r.Reason)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", m.Score)
	_, err := io.WriteString(w, b.String())
	return err
}

// marked lists the failed rules, the own one first, unrelated ones with a mark.
func marked(r Row) []string {
	var list []string
	if r.Killed {
		list = append(list, r.Rule)
	}
	for _, id := range r.Failed {
		switch {
		case id == r.Rule:
		case slices.Contains(r.Unrelated, id):
			list = append(list, "!"+id)
		default:
			list = append(list, "+"+id)
		}
	}
	return list
}

// String is the score in one line.
func (s Score) String() string {
	share := func(n int) string { return shareOf(n, s.Faults) }
	text := fmt.Sprintf("killed %s, precise %s, alone %s; %.2f rules failed for a fault on average",
		share(s.Killed), share(s.Precise), share(s.Exact), s.FailedMean)
	const most = 12 // a few chosen faults leave nearly all rules unproven
	switch n := len(s.Unproven); {
	case n > most:
		text += fmt.Sprintf("; %d rules are broken by none of these faults", n)
	case n > 0:
		text += fmt.Sprintf("; %d rules without a fault that breaks them: %s", n, strings.Join(s.Unproven, ", "))
	}
	return text
}

const pageHead = `# Proof: what the suites catch

Each fault of the reference gateway (§gateassay serve --list-faults§) breaks one rule at the one place where it is kept.
§gateassay prove§ runs all suites against every fault. This page is its result, made by §make generate§.

**%s.**

- A fault is *killed* when its own rule fails. A sweeping fault breaks many rules at once, such as all about rejections:
  it is killed when every one of them fails. In the average they count as one.
- It is *precise* when nothing unrelated fails. Rules are related when they are of one operation and topic, the first two
  parts of their IDs; all rules of the operation §replay§ are, since they speak of one memory.
- It is *alone* when its own rule fails and no other. Some faults cannot be: a gateway that ignores the end of a range
  violates each rule that depends on an end.

§make proof§ runs the whole matrix, and fails when a fault survives, when a must or should rule has no fault, when a fault
fails 1.5 rules or more on average, when fewer than 90 %% are precise, and when this page lacks a fault. In the same run no
rule may fail on the healthy gateway over 25 seeds of its data, with checks in random order, nor on any variant that
conforms (§gateassay serve --list-variants§). §make test§ takes a sample of it, another each day: one fault for each rule,
most of them against the rules of their topic only, and some of the variants and seeds.

## As JSON

§gateassay prove --format json§ prints one object:

| member | |
|---|---|
| §schema§ | §%s§ |
| §score.faults§, §.killed§, §.precise§, §.exact§ | numbers of faults; exact is what is called alone here |
| §score.failed_mean§ | rules that failed for a fault, on average; those of a sweeping fault count as one |
| §score.rules_unproven§ | must and should rules that no fault was seen to break |
| §score.rules_with_exact§ | number of rules that some fault breaks alone |
| §faults[].fault§, §.rule§, §.statement§ | the fault, the rule that it breaks, what the gateway then does |
| §faults[].partner§ | what has to stand beside a request that meets the fault; absent: nothing |
| §faults[].killed§ | whether that rule failed |
| §faults[].failed§ | every rule that failed, in the order of the catalogue |
| §faults[].unrelated§ | those of them that are not related |
| §faults[].reason§ | where it was not killed: why the rule did not fail |

With §--share§ the object has §schema§ §%s§, §share§, §runs§, and for each fault §caught§ (in how many
runs its rule failed), §first§ (whether the first run caught it) and §attempts§ (on how many of how many answers the rule
failed, for each run that caught it). §families§ sums them up by the first two parts of the rule's ID.

## The matrix

*Also fails* lists every other rule that failed, the unrelated ones in bold.

Faults that need something beside them are in the next table.

| fault | the gateway … | rule | killed | also fails |
|---|---|---|---|---|
`

const pairsHead = `
## Pairs

These faults break a rule only where something else stands beside: an optional header, the other method of
authentication, another qualification, another field of an export. Each cell is such a fault: *yes* where one run catches
it and the failure says what it takes, **no** where it survives, – where there is none, since nothing would show. A run
does not send each rule beside each partner: its seed spreads the partners over two rows, and what is sent anyway carries
one of them, or none.

`

// WriteMarkdown prints the matrix as a page.
func (m Matrix) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(pageHead, "§", "`"), m.Score, matrixSchema, chancesSchema)
	for _, r := range m.Rows {
		if r.Partner != "" {
			continue
		}
		var also []string
		for _, id := range marked(r) {
			switch {
			case strings.HasPrefix(id, "!"):
				also = append(also, "**`"+id[1:]+"`**")
			case strings.HasPrefix(id, "+"):
				also = append(also, "`"+id[1:]+"`")
			}
		}
		fmt.Fprintf(&b, "%s%s |\n", r.cells(), strings.Join(also, " "))
	}
	b.WriteString(m.pairs())
	_, err := io.WriteString(w, b.String())
	return err
}

// pairs is the table of rules and partners.
func (m Matrix) pairs() string {
	var rules, partners []string
	cells := map[string]string{}
	for _, r := range m.Rows {
		if r.Partner == "" {
			continue
		}
		rule := r.Rule
		if what, _, ok := strings.Cut(strings.TrimPrefix(r.Fault, r.Rule+"."), "_"); ok && strings.HasPrefix(what, "export") {
			rule += " (exports)"
		}
		rules, partners = append(rules, rule), append(partners, r.Partner)
		cells[rule+r.Partner] = "yes"
		if !r.Killed {
			cells[rule+r.Partner] = "**no**"
		}
	}
	if len(rules) == 0 {
		return ""
	}
	unique := func(list []string) []string {
		slices.Sort(list)
		return slices.Compact(list)
	}
	rules, partners = unique(rules), unique(partners)
	var b strings.Builder
	b.WriteString(pairsHead + "| rule | " + strings.ReplaceAll(strings.Join(partners, " | "), "_", " ") + " |\n")
	b.WriteString("|---|" + strings.Repeat("---|", len(partners)) + "\n")
	for _, rule := range rules {
		name, more, _ := strings.Cut(rule, " ")
		fmt.Fprintf(&b, "| `%s`%s |", name, strings.TrimRight(" "+more, " "))
		for _, p := range partners {
			fmt.Fprintf(&b, " %s |", cmp.Or(cells[rule+p], "–"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cells begin the row's line on the page: what does not depend on the time that things took.
func (r Row) cells() string {
	killed := "yes"
	if !r.Killed {
		killed = "**no**"
	}
	return fmt.Sprintf("| `%s` | %s | `%s` | %s | ", r.Fault, strings.ReplaceAll(r.Statement, "|", `\|`), r.Rule, killed)
}

// Stale lists what a page says otherwise than the matrix: faults without their line, lines without a fault, the score.
func (m Matrix) Stale(page string) []string {
	var stale []string
	known := map[string]bool{}
	for _, r := range m.Rows {
		known[r.Fault] = true
		if r.Partner == "" && !strings.Contains(page, "\n"+r.cells()) {
			stale = append(stale, "no line, or another one, for "+r.Fault)
		}
	}
	_, table, _ := strings.Cut(page, "## The matrix")
	table, _, _ = strings.Cut(table, "\n## ")
	for line := range strings.SplitSeq(table, "\n") {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			if name, _, _ = strings.Cut(name, "`"); !known[name] {
				stale = append(stale, "a line for "+name+", which is no fault")
			}
		}
	}
	for line := range strings.SplitSeq(m.pairs(), "\n") {
		if !strings.Contains(page, line) {
			stale = append(stale, "another line than "+line)
		}
	}
	if score, _, _ := strings.Cut(m.Score.String(), ","); !strings.Contains(page, "\n**"+score+",") {
		stale = append(stale, "another score than "+score)
	}
	return stale
}
