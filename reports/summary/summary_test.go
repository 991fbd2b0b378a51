package summary_test

import (
	"flag"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
	"github.com/gateassay/gateassay/reports/summary"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "summary.md", summary.Markdown(recordtest.Run()))
	recordtest.Golden(t, *update, "clean.md", summary.Markdown(recordtest.Clean()))
}

func TestItFitsAStepSummaryAndSaysWhatIsLeftOut(t *testing.T) {
	const limit = 1 << 20
	for name, run := range map[string]record.Run{
		"many": recordtest.Large(5000, 100), "huge texts": recordtest.Large(300, 50_000), "both": recordtest.Large(3000, 5_000), "unreachable": recordtest.Unreachable(3000),
	} {
		out := summary.Markdown(run)
		if len(out) > limit || !utf8.Valid(out) {
			t.Errorf("%s: %d bytes, valid %v", name, len(out), utf8.Valid(out))
		}
		if !strings.Contains(string(out), "How to repeat") {
			t.Errorf("%s: the last section is missing", name)
		}
		if run.Verdict == record.Violations && !strings.Contains(string(out), "are left out here") {
			t.Errorf("%s: nothing says that violations are left out", name)
		}
	}
}

// Outside of code blocks every tag and every line's first character is ours.
func TestHostileTextsStayText(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	ours := map[string]bool{"<code>": true, "</code>": true, "<details>": true, "</details>": true, "<summary>": true, "</summary>": true}
	fence := ""
	for line := range strings.Lines(string(summary.Markdown(recordtest.Run()))) {
		line = strings.TrimSuffix(line, "\n")
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if line == fence {
				fence = ""
			}
			continue
		case len(marks) >= 3:
			fence = marks
			continue
		}
		for _, tag := range tags.FindAllString(line, -1) {
			if !ours[tag] {
				t.Errorf("tag %s in %q", tag, line)
			}
		}
		for _, syntax := range []string{"](", "`", "**bold", "://", "::error title=fake::injected\n", "\x1b", "\u202e"} {
			if strings.Contains(line, syntax) {
				t.Errorf("%q in %q", syntax, line)
			}
		}
		if strings.HasPrefix(line, "::") || strings.HasPrefix(line, "# heading") {
			t.Errorf("a text begins a line of its own: %q", line)
		}
	}
	if fence != "" {
		t.Error("a code block is left open")
	}
}

func TestTableRowsHaveTheirColumns(t *testing.T) {
	for line := range strings.Lines(string(summary.Markdown(recordtest.Run()))) {
		if strings.HasPrefix(line, "| ") && strings.Contains(line, "&#124;") && strings.Count(line, "|") != 4 {
			t.Errorf("a pipe in a text opens a column: %q", line)
		}
	}
}
