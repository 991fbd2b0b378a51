package hostile

import (
	"cmp"
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
	fmt.Fprintf(&b, `# Hostile deployments and networks

In each case a proxy in front of a conformant gateway spoils one thing: all answers, every tenth answer, the downloads of
files, the requests that ask whether a file is ready (polls), or TLS handshakes. `+
		"`conform`"+
		` runs with a timeout of 3 s, in a
process of its own. Each run has to end within %d s and %d MiB, without a panic, and leave run.json and report.html. It must
not accuse the deployment of what the network did, it has to name the cause, and its exit code has to match its verdict.
`+
		"`make reliability`"+
		` writes this page.

In the cases of *interruption* a run of a gateway that answers after 20 ms is interrupted, or its terminal, its disk or its
folder fails. Nothing that was found may be lost: `+
		"`report show`"+
		` has every check and every exchange of the journal, and marks
a run that was cut off as partial. A run that was told to stop before its end exits with 130, even if its terminal is gone.
A run that could not write a file, or whose report nobody can read, exits with 4. Where a row stands for several runs, it
lists all their verdicts and exit codes, and the largest time and memory.

When a deployment throttles, `+
		"`conform`"+
		` waits as long as it asks. The first time, and whenever no request gets through, all
requests wait. While others get through, only the refused request waits, for at most two seconds. The pace drops to three
fifths, at most once for the requests that were under way together, and then rises by a tenth with each answer. A run in
which nothing gets through for 75 s, or that is asked three times in a row to wait for more than a minute, is inconclusive.
For the download of a file, 429 and 503 only say when to ask again, at most five seconds later.

%d of %d cases held; the longest run took %d s, the largest %d MiB.

| what | answers | verdict | exit code | s | MiB | fell short |
|---|---|---|---|---|---|---|
`, int(longest.Seconds()), most>>20, held, len(rows), slowest, largest)
	for _, title := range slices.Sorted(maps.Keys(rows)) {
		b.WriteString(rows[title] + "\n")
	}
	return []byte(b.String())
}
