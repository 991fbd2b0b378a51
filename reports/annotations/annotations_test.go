package annotations_test

import (
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/annotations"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "annotations.txt", []byte(annotations.GitHub(recordtest.Run())))
}

// A title may hold no colon and no comma, and a percent sign only as an escape; a text no bare percent sign.
var command = regexp.MustCompile(`^::(error|warning|notice) title=((?:[^:,%\r\n]|%[0-9A-F]{2})*)::((?:[^%\r\n]|%25|%0A|%0D)*)$`)

func TestEveryLineIsOneCommandAndNoMoreThanGitHubShows(t *testing.T) {
	odd := record.Run{Rules: []record.Rule{{ID: "a,b::c%\n", Verdict: record.Fail, Statement: recordtest.Hostile}}}
	for name, run := range map[string]record.Run{
		"rich": recordtest.Run(), "clean": recordtest.Clean(), "large": recordtest.Large(50, 10_000), "unreachable": recordtest.Unreachable(212), "odd": odd,
	} {
		seen := map[string]int{}
		for line := range strings.Lines(annotations.GitHub(run)) {
			parts := command.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if parts == nil {
				t.Errorf("%s: not a command: %q", name, line)
				continue
			}
			seen[parts[1]]++
		}
		if seen["error"] > 10 || seen["warning"] > 10 || seen["notice"] != 1 {
			t.Errorf("%s: %v", name, seen)
		}
		if failed := run.Verdict == record.Violations; failed && seen["error"] == 0 {
			t.Errorf("%s: violations without an error", name)
		}
	}
}

func TestWhatIsLeftOutIsCounted(t *testing.T) {
	if out := annotations.GitHub(recordtest.Large(50, 10)); !strings.Contains(out, "title=41 more::") {
		t.Fatalf("41 of 50 violations are not mentioned:\n%s", out)
	}
}
