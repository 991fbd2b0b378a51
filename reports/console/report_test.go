package console_test

import (
	"bytes"
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func report(t *testing.T, run record.Run, style console.Style) string {
	t.Helper()
	style.Folder = "reports/runs/20261120T093000Z-conform"
	var out bytes.Buffer
	if err := console.Report(&out, run, style); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	for name, c := range map[string]struct {
		run   record.Run
		style console.Style
	}{
		"violations.txt":  {recordtest.Run(), console.Style{}},
		"verbose.txt":     {recordtest.Run(), console.Style{Verbose: true, Deployment: "my staging.yaml"}},
		"narrow.txt":      {recordtest.Run(), console.Style{Width: 40}},
		"clean.txt":       {recordtest.Clean(), console.Style{}},
		"unreachable.txt": {recordtest.Unreachable(212), console.Style{}},
	} {
		t.Run(name, func(t *testing.T) { recordtest.Golden(t, *update, name, []byte(report(t, c.run, c.style))) })
	}
}

var samples = map[string]record.Run{
	"rich": recordtest.Run(), "clean": recordtest.Clean(), "unreachable": recordtest.Unreachable(212),
	"large": recordtest.Large(80, 3000), "empty": {},
}

func TestTheFolderIsTheLastLine(t *testing.T) {
	for name, run := range samples {
		if out := report(t, run, console.Style{}); !strings.HasSuffix(out,
			"\nreports/runs/20261120T093000Z-conform\n") {
			t.Errorf("%s ends with %q", name, out[max(0, len(out)-80):])
		}
	}
}

func TestOnlyOurColoursReachTheTerminal(t *testing.T) {
	colours := regexp.MustCompile(`\x1b\[(?:0|1|2|33|32|36|1;31)m`)
	for name, run := range samples {
		without := report(t, run, console.Style{})
		if i := strings.IndexFunc(without, control); i >= 0 {
			t.Errorf("%s: control character %q", name, without[i])
		}
		with := report(t, run, console.Style{Colour: true})
		bare := colours.ReplaceAllString(with, "")
		if bare != without {
			t.Errorf("%s: colours change the text", name)
		}
	}
}

func control(r rune) bool { return r != '\n' && (r < 0x20 || r == 0x7f || r == '\u202e') }

func TestLinesKeepToTheWidthExceptWhatIsMeantToBeCopied(t *testing.T) {
	for name, run := range samples {
		for _, width := range []int{30, 60, 100} {
			for line := range strings.Lines(report(t, run, console.Style{Width: width})) {
				line = strings.TrimSuffix(line, "\n")
				copied := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "  rerun: ") ||
					strings.HasPrefix(line, "reports/runs/") ||
					regexp.MustCompile(`^[a-z_0-9.]+ \((must|should)(, security)?\)$`).MatchString(line)
				if !copied && printable.Columns(line) > width {
					t.Errorf("%s at %d: %d columns: %q", name, width, printable.Columns(line), line)
				}
			}
		}
	}
}

func TestNoLineIsAWorkflowCommand(t *testing.T) {
	run := recordtest.Run()
	for _, text := range []string{"::error::x", "a ##[error]x"} {
		run.Notes = append(run.Notes, text)
		run.Observations = append(run.Observations, record.Observation{ID: text, Observed: text})
		run.Rules[1].Checks[1].Actual, run.Rules[1].Checks[1].Curl = text, "curl\n  "+text
		for line := range strings.Lines(report(t, run, console.Style{Verbose: true})) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("a CI system would obey %q", line)
			}
		}
	}
}

func TestOneReasonForManyRulesIsToldOnce(t *testing.T) {
	out := report(t, recordtest.Unreachable(212), console.Style{})
	if strings.Count(out, "connection refused") > 3 ||
		!strings.Contains(out, "212 rules inconclusive: no answer: connection refused") {
		t.Fatalf("got\n%s", out)
	}
}

func TestManyViolationsAreCountedNotPrintedInFull(t *testing.T) {
	run := recordtest.Large(80, 100)
	out := report(t, run, console.Style{})
	if !strings.Contains(out, "and 34 more: ") || !strings.Contains(out, "--verbose") {
		t.Error("what is left out is not told")
	}
	if n := strings.Count(out, "\n"); n > 320 {
		t.Errorf("80 violations take %d lines", n)
	}
	all := report(t, run, console.Style{Verbose: true})
	for _, r := range run.Rules {
		if !strings.Contains(all, "--rule "+r.ID) {
			t.Errorf("verbose lacks %s", r.ID)
		}
	}
}

func TestColour(t *testing.T) {
	for _, c := range []struct {
		env      map[string]string
		terminal bool
		want     bool
	}{
		{nil, true, true},
		{nil, false, false},
		{map[string]string{"NO_COLOR": "1"}, true, false},
		{map[string]string{"TERM": "dumb"}, true, false},
		{map[string]string{"CLICOLOR_FORCE": "1"}, false, true},
		{map[string]string{"CLICOLOR_FORCE": "0"}, false, false},
		{map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, true, false},
	} {
		if got := terminal.Colour(c.terminal, func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v on a terminal %v: %v", c.env, c.terminal, got)
		}
	}
}

// On a terminal every headline is in sight when the run is over; elsewhere the first violations are shown in full.
func TestHeadlinesFitTheScreen(t *testing.T) {
	run := recordtest.Run()
	whole := report(t, run, console.Style{Width: 80})
	for _, rows := range []int{24, 40, 400} {
		lines := strings.Split(report(t, run, console.Style{Width: 80, Rows: rows}), "\n")
		screen := strings.Join(lines[max(0, len(lines)-rows):], "\n")
		for _, d := range record.Defects(run.Rules) {
			begins := string([]rune(printable.Clean(d.Headline))[:30]) // a long one may be cut
			if !strings.Contains(strings.Join(strings.Fields(screen), " "), begins) {
				t.Errorf("%d rows: %q is out of sight:\n%s", rows, d.Headline, screen)
			}
		}
		if got := strings.Join(lines, "\n"); (rows == 400) != (got == whole) {
			t.Errorf("%d rows: in full is %t", rows, got == whole)
		}
	}
}
