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
	fmt.Fprintf(&b, `# What gateassay bears

A proxy before a conformant gateway does one thing to all answers, to every tenth, to the downloads of files or to what
asks whether they are ready, or to the handshakes of TLS, and `+"`conform`"+
		` runs with a timeout of 3 s, in a process of
its own. Each run has to end within %d s and %d MiB, without a panic, with run.json and report.html; it may not accuse the
deployment of what the network did, has to name the cause, and its exit code is that of its verdict. `+
		"`make reliability`"+`
writes this page.

Runs of a gateway that answers after 20 ms are interrupted, or something happens to what they print and write. Whatever
was found by then has to be kept: every check and every exchange of the journal is in what `+
		"`report show`"+` makes of it,
and a run that was cut off is marked as a part of one. A run that was asked to end and had not come to its end ends with
130, even where its terminal is gone; one of which a file could not be written, or whose report nobody can read, with 4.
Verdict and exit code of several runs are all that came; time and memory are the largest.

Throttled requests wait as the deployment asks. The first time, and wherever nothing else gets past, everything else waits
as well. While others get past, only who was refused waits, for two seconds at most. The pace goes down to three fifths, at
most once for the requests that were under way together, and up by a tenth with each answer since. A run in which nothing gets past for 75 s, or that is asked three times in a row to
wait for longer than a minute, is inconclusive. Of a file that is asked for, a 429 or 503 only says
when to ask again, within five seconds.

%d of %d cases held; the longest run took %d s, the largest %d MiB.

| what | answers | verdict | exit code | s | MiB | fell short |
|---|---|---|---|---|---|---|
`, int(longest.Seconds()), most>>20, held, len(rows), slowest, largest)
	for _, title := range slices.Sorted(maps.Keys(rows)) {
		b.WriteString(rows[title] + "\n")
	}
	return []byte(b.String())
}
