package annotations_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/gateassay/gateassay/reports/annotations"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "annotations.txt", []byte(annotations.GitHub(recordtest.Run())))
}

// command is a line as GitHub's runner understands it.
type command struct{ name, title, text string }

// understood reads a log the way the runner does: it skips white space before "::", takes "##[" anywhere, and ends
// lines at a carriage return too.
func understood(t *testing.T, log string) (list []command) {
	t.Helper()
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	for _, line := range strings.FieldsFunc(log, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		rest, begins := strings.CutPrefix(line, "::")
		head, text, complete := strings.Cut(rest, "::")
		if !begins || !complete {
			t.Errorf("not a command: %q", line)
			continue
		}
		name, properties, _ := strings.Cut(head, " ")
		c := command{name: name, text: unescape.Replace(text)}
		for i, p := range strings.Split(properties, ",") {
			key, value, _ := strings.Cut(p, "=")
			if i > 0 || key != "title" {
				t.Errorf("an unknown property %q in %q", p, line)
			}
			c.title = unescape.Replace(value)
		}
		list = append(list, c)
	}
	return list
}

func TestNoTextIsACommand(t *testing.T) {
	for i, text := range []string{
		recordtest.Hostile, "::stop-commands::x", "  ::add-mask::a", "a\n::error::b", "a\r::error::b",
		"a\r\n::set-output name=x::y", "a\u2028::error::b", "a\u0085::error::b", "##[add-mask]a", "x ##[error]y",
		"a::b::c", "a, line=1,file=x::z", "100%", "%0A::error::x", "%250A", "\x00\x1b]0;x\x07", "\xff\n::x::", "",
	} {
		run := record.Run{
			Run: record.Info{Deployment: text, File: text}, Verdict: record.Violations, Reason: text,
			Rules: []record.Rule{
				{
					ID: text, Level: text, Verdict: record.Fail, Statement: text,
					Checks: []record.Check{{Verdict: record.Fail, Message: text, Finding: record.Finding{Expected: text, Actual: text}}},
				},
				{ID: text, Verdict: record.Inconclusive, Reason: text},
				{
					ID: text, Level: "must", Verdict: record.NotVerified, Reason: text,
					Checks: []record.Check{{Verdict: record.NotVerified, Need: text}},
				},
			},
			Waivers: []record.WaiverNote{{Waiver: record.Waiver{Rule: text}, State: text}},
		}
		var names []string
		for _, c := range understood(t, annotations.GitHub(run)) {
			names = append(names, c.name)
		}
		if got := strings.Join(names, " "); got != "error warning warning warning notice" {
			t.Errorf("%d: %q gives the commands %s", i, text, got)
		}
	}
}

func TestATextComesBackAsItWas(t *testing.T) {
	run := record.Run{
		Verdict: record.Violations,
		Rules:   []record.Rule{{ID: "a.b", Level: "must", Verdict: record.Fail, Statement: "50%, 1:2\nand %0A"}},
	}
	c := understood(t, annotations.GitHub(run))[0]
	if c.title != "a.b (must) violated" ||
		c.text != "a.b (must) violated\n50%, 1:2\nand %0A\nrerun: gateassay conform --rule a.b" {
		t.Errorf("%+v", c)
	}
}

func TestNoMoreThanGitHubShows(t *testing.T) {
	many := recordtest.Large(50, 10_000)
	for i := range 30 {
		many.Waivers = append(many.Waivers, record.WaiverNote{
			Waiver: record.Waiver{Rule: fmt.Sprint(i)}, State: record.WaiverUnknown,
		})
	}
	for name, run := range map[string]record.Run{
		"many": many, "ten": recordtest.Large(10, 10),
		"rich": recordtest.Run(), "unreachable": recordtest.Unreachable(212),
	} {
		seen := map[string]int{}
		for _, c := range understood(t, annotations.GitHub(run)) {
			seen[c.name]++
		}
		if seen["error"] > 10 || seen["error"] == 0 || seen["warning"] > 10 || seen["notice"] > 1 {
			t.Errorf("%s: %v", name, seen)
		}
	}
	out := annotations.GitHub(many)
	if !strings.Contains(out, "::error title=41 more::") || !strings.Contains(out, "::warning title=21 more::") {
		t.Errorf("41 of 50 violations and 21 of 30 waivers are not mentioned:\n%.3000s", out)
	}
	if out := annotations.GitHub(recordtest.Large(10, 10)); strings.Contains(out, "more::") {
		t.Error("ten fit, and one is left out")
	}
}

func TestWhatAnAnnotationSays(t *testing.T) {
	said := func(run record.Run, pattern string) {
		t.Helper()
		for _, c := range understood(t, annotations.GitHub(run)) {
			if regexp.MustCompile(pattern).MatchString(c.name + " " + c.title + ": " + c.text) {
				return
			}
		}
		t.Errorf("%s is missing in\n%s", pattern, annotations.GitHub(run))
	}
	rich := recordtest.Run()
	said(rich, `(?s)^error Creation without mother_name accepted: 201, expected 400 or 422: create.required.mother_name \(must\) violated\nA creation without.*expected: a 4xx.*actual: 201.*rerun: gateassay conform --rule create.required.mother_name -d staging.yaml$`)
	said(rich, `(?s)^warning 3 must rules not verified: .*add fixtures.client_id to verify 1`)
	said(rich, `^warning 1 rule inconclusive: no answer`)
	said(rich, `^notice gateassay staging: VIOLATIONS: 3 of 19 rules violated, 1 of them security, 1 waived, 1 warning, 1 inconclusive, 5 not verified$`)
	said(rich, `(?s)^error .*: auth.confidential \(should, security\) violated`)
	said(rich, `(?s)^warning Creation with a space in the email accepted: .*create.email.spaces \(should\) failed\nAn email address with spaces is rejected.*actual: 201`)
	strict := recordtest.Run()
	strict.Run.Strict = true
	said(strict, `(?s)^error Creation with a space in the email accepted: .*create.email.spaces \(should\) failed`)
	said(recordtest.Clean(), `^notice gateassay staging: CONFORMANT`)
	said(recordtest.Unreachable(40), `^error gateassay staging: INCONCLUSIVE: 40 of 40 must rules could not be judged`)
	interrupted := recordtest.Clean()
	interrupted.Run.Partial, interrupted.Verdict = true, record.Partial
	said(interrupted, `^error gateassay staging: PARTIAL`)
}

// broken are rules that one proven cause explains.
func broken(n int) (list []record.Rule) {
	for i := range n {
		list = append(list, record.Rule{
			ID: fmt.Sprintf("create.required.field_%d", i), Level: "must", Verdict: record.Fail,
			Statement: "It is rejected.", Reason: "X accepted: 201",
			Checks: []record.Check{{
				Name: "sends it", Verdict: record.Fail, Message: "X accepted: 201",
				Finding: record.Finding{Cause: "checks nothing", Actual: "201 Created"}, Exchanges: []int{7},
			}},
		})
	}
	return list
}

func TestWhatOneDefectExplainsTakesOneAnnotation(t *testing.T) {
	list := understood(t, annotations.GitHub(record.Run{Verdict: record.Violations, Rules: broken(30)}))
	if len(list) != 2 || list[0].title != "The deployment checks nothing" ||
		!strings.Contains(list[0].text, "violated as well: create.required.field_1, ") {
		t.Errorf("%+v", list)
	}
}
