package hostile

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
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
