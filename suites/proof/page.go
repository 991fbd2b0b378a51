package proof

import (
	"fmt"
	"io"
	"strings"
)

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

§go test ./suites/proof§ runs the whole matrix (with §-short§, as §make test§ does, one fault for each rule), and fails when a fault survives, when a must or should rule has no fault,
when a fault fails 1.5 rules or more on average, when fewer than 90 %% are precise, and when this page lacks a fault. In the
same run no rule may fail on the healthy gateway over 25 seeds of its data, with checks in random order, nor on any
variant that conforms (§gateassay serve --list-variants§).

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
| §faults[].killed§ | whether that rule failed |
| §faults[].failed§ | every rule that failed, in the order of the catalogue |
| §faults[].unrelated§ | those of them that are not related |
| §faults[].reason§ | where it was not killed: why the rule did not fail |

With §--share§ the object has §schema§ §%s§, §share§, §runs§, and for each fault §caught§ (in how many
runs its rule failed), §first§ (whether the first run caught it) and §attempts§ (on how many of how many answers the rule
failed, for each run that caught it). §families§ sums them up by the first two parts of the rule's ID.

## The matrix

*Also fails* lists every other rule that failed, the unrelated ones in bold.

| fault | the gateway … | rule | killed | also fails |
|---|---|---|---|---|
`

// WriteMarkdown prints the matrix as a page.
func (m Matrix) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(pageHead, "§", "`"), m.Score, matrixSchema, chancesSchema)
	for _, r := range m.Rows {
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
	_, err := io.WriteString(w, b.String())
	return err
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
		if !strings.Contains(page, "\n"+r.cells()) {
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
	if score, _, _ := strings.Cut(m.Score.String(), ","); !strings.Contains(page, "\n**"+score+",") {
		stale = append(stale, "another score than "+score)
	}
	return stale
}
