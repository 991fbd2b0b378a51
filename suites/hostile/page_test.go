package hostile

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/printable"
)

// rowsOf returns the rows of the table: new rows for the results, and the rows of the old page for
// all other cases.
func rowsOf(cases []kase, before string, results []result) map[string]string {
	now := map[string]string{}
	for _, r := range results {
		now[r.title()] = fmt.Sprintf("| %s: %s | %s | %s | %s | %.0f | %d | %s |", r.group, r.name,
			r.reach, cmp.Or(r.verdict, "none"), cmp.Or(r.codes, strconv.Itoa(r.code)), r.took.Seconds(),
			r.memory>>20, strings.ReplaceAll(strings.Join(r.wrong, "; "), "|", "/"))
	}
	rows := map[string]string{}
	for _, c := range cases {
		if row, known := now[c.title()]; known {
			rows[c.title()] = row
			continue
		}
		start := fmt.Sprintf("| %s: %s | %s | ", c.group, c.name, c.reach)
		rows[c.title()] = start + " |  |  |  | not run |"
		for line := range strings.Lines(before) {
			if strings.HasPrefix(line, start) {
				rows[c.title()] = strings.TrimSpace(line)
			}
		}
	}
	return rows
}

// beforeTable is the page up to its rows, with the figures to be filled in.
//
//go:embed testdata/reliability.md
var beforeTable string

// page returns the table as a page of the documentation.
func page(rows map[string]string) []byte {
	held, slowest, largest := 0, 0, 0
	for _, row := range rows {
		cells := strings.Split(row, "|")
		number := func(i int) int { n, _ := strconv.Atoi(strings.TrimSpace(cells[i])); return n }
		slowest, largest = max(slowest, number(5)), max(largest, number(6))
		if strings.TrimSpace(cells[7]) == "" {
			held++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, beforeTable, int(longest.Seconds()), most>>20, held, len(rows), slowest, largest)
	for _, title := range slices.Sorted(maps.Keys(rows)) {
		b.WriteString(rows[title] + "\n")
	}
	return []byte(b.String())
}

// trouble is one way to spoil answers.
type trouble struct {
	group, name string
	spoil       spoil
	// pattern that the output must contain if every answer is spoiled
	cause   string
	reaches []reach                    // nil: all, every tenth, files
	accuses bool                       // the deployment is to blame: a violation may be found
	serve   func(http.Handler) secured // nil: over plain HTTP/1.1
	happens *interruption              // interruption of the run; nil: none
}

// of sets the group of troubles, and the reaches of those without any.
func of(group string, reaches []reach, list ...trouble) []trouble {
	for i := range list {
		list[i].group = group
		if list[i].reaches == nil {
			list[i].reaches = reaches
		}
	}
	return list
}

// cases returns every trouble with each of its reaches.
func cases(t *testing.T) (list []kase) {
	t.Helper()
	for _, t := range slices.Concat(resets(), silences(), lengths(), protocol(), heads(), bodies(),
		throttling(), exportLimits(), redirects(), filesOf(), unreadyFiles(), tlsFaults(t)) {
		reaches := t.reaches
		if reaches == nil {
			reaches = []reach{all, tenth, files}
		}
		for _, r := range reaches {
			list = append(list, kase{t, r})
		}
	}
	for _, i := range interruptions() {
		runs := reach(printable.Quantity(max(i.repeats, 1), "run"))
		list = append(list, kase{trouble{group: "interruption", name: i.name, happens: &i}, runs})
	}
	return list
}

type kase struct {
	trouble
	reach reach
}

func (c kase) title() string { return c.group + ": " + c.name + ", " + string(c.reach) }
