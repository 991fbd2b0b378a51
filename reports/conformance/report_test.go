package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/har"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

// exchanged returns a folder with n exchanges and a hostile text in every possible place.
func exchanged(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	h := testmust.Get(har.Create(filepath.Join(dir, HARName), "gateassay", "1"))(t)
	for i := range n {
		x := &client.Exchange{
			Seq: i + 1, Label: "label " +
				recordtest.HostileText, Operation: client.OperationExport, Attempt: 1 + i%2,
			Status: []int{201, 404, 503, 429}[i%4], StartedAt: recordtest.StartTime.Add(
				time.Duration(i/4) * 100 * time.Millisecond),
			Service: time.Duration(10+i) * time.Millisecond, FirstByte: 4 * time.Millisecond,
			Recorded: client.Record{
				Method: "POST", URL: "https://gateway.staging.example/x?y=" +
					recordtest.HostileText, Status: []int{201, 404, 503, 429}[i%4],
				RequestHeader: map[string][]string{"Nonce": {"n" + fmt.Sprint(i)}},
				RequestBody:   []byte(`{"n":9007199254740993}`), ResponseBody: []byte(recordtest.HostileText),
			},
		}
		if i == 2 {
			x.Status, x.Err = 0, &client.Trouble{Kind: client.TroubleReset}
		}
		testmust.Succeed(t, h.Append(x))
	}
	testmust.Succeed(t, h.Close())
	return dir
}

func page(t testing.TB, run record.Run, dir string) string {
	t.Helper()
	return string(testmust.Get(Page(dir, run))(t))
}

func text(t testing.TB, run record.Run, s Style) string {
	t.Helper()
	var out bytes.Buffer
	testmust.Succeed(t, Print(&out, run, s))
	return out.String()
}

// own matches the style sheet and the scripts, which have files of their own. The page's policy
// pins both by hash.
var own = regexp.MustCompile(
	`(?s)(<style>|<script>).*?(</style>|</script>)|sha256-([A-Za-z0-9+/=]|&#43;)*`)

func TestGolden(t *testing.T) {
	run := recordtest.SampleRun()
	recordtest.Golden(t,
		*update, "report.html", []byte(own.ReplaceAllString(page(t, run, exchanged(t, 30)), "$1$2")))
	recordtest.Golden(t, *update, "summary.md", Markdown(run))
	recordtest.Golden(t, *update, "annotations.txt", []byte(Annotations(run)))
	recordtest.Golden(t, *update, "violations.txt", []byte(text(t, run, Style{})))
	recordtest.Golden(t,
		*update, "narrow.txt", []byte(text(t, run, Style{Style: view.Style{Columns: 40}})))
	recordtest.Golden(t, *update,
		"verbose.txt", []byte(text(t, run, Style{Style: view.Style{Whole: true, Folder: "runs/1"}})))
	recordtest.Golden(t,
		*update, "unreachable.txt", []byte(text(t, recordtest.UnreachableRun(212), Style{})))
}

// walk calls visit for every element of a page.
func walk(t *testing.T, page string, visit func(n *html.Node, attr map[string]string)) {
	t.Helper()
	root := testmust.Get(html.Parse(strings.NewReader(page)))(t)
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		visit(n, attr)
	}
}

// outside reports whether an address is one of the only external links of a page: those to the API
// document.
func outside(address string) bool {
	return slices.ContainsFunc(docs.Requirements(),
		func(s docs.Requirement) bool { return s.URL() == address })
}

func TestThePageLoadsNothingAndRunsOnlyItsOwnScript(t *testing.T) {
	for name, run := range map[string]record.Run{
		"rich": recordtest.SampleRun(), "clean": recordtest.CleanRun(), "unreachable": recordtest.UnreachableRun(
			212), "empty": {},
	} {
		out, scripts, policy := page(t, run, exchanged(t, 30)), 0, ""
		walk(t, out, func(n *html.Node, attr map[string]string) {
			switch n.Data {
			case "script":
				if attr["type"] != "application/json" {
					scripts++
				}
			case "img", "iframe", "object", "embed", "base", "form":
				t.Errorf("%s: <%s>", name, n.Data)
			case "meta":
				if attr["http-equiv"] != "" {
					policy = attr["content"]
				}
			}
			for key, value := range attr {
				if key == "src" || strings.HasPrefix(key, "on") || key == "style" ||
					key == "href" && !strings.HasPrefix(value, "#") && value != "data:," && !outside(value) {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, key, value)
				}
			}
		})
		if scripts != 1 || !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") ||
			strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %d scripts, policy %q", name, scripts, policy)
		}
		if regexp.MustCompile(`url\(|@import|fetch\(|XMLHttpRequest`).MatchString(out) {
			t.Errorf("%s: something could be loaded", name)
		}
	}
}

func TestEveryRuleIsInTheTableAndEveryLinkLeadsSomewhere(t *testing.T) {
	run := recordtest.SampleRun()
	rows, ids := map[string]int{}, map[string]int{}
	var links []string
	walk(t, page(t, run, t.TempDir()), func(n *html.Node, attr map[string]string) {
		if attr["class"] == "rule" {
			rows[attr["data-verdict"]]++
		}
		if attr["id"] != "" {
			ids[attr["id"]]++
		}
		if n.Data == "a" && !outside(attr["href"]) {
			links = append(links, strings.TrimPrefix(attr["href"], "#"))
		}
	})
	c := run.Counts
	for verdict, want := range map[record.Verdict]int{
		record.VerdictPass: c.Pass, record.VerdictFail: c.Fail, record.VerdictWarning: c.Warn, record.VerdictWaived: c.Waived,
		record.VerdictNotVerified: c.NotVerified, record.VerdictInconclusive: c.Inconclusive, record.VerdictObserved: c.Observed,
	} {
		testmust.Equal(t, rows[string(verdict)], want, verdict)
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("id %s is given %d times", id, n)
		}
	}
	for _, l := range links {
		if ids[l] != 1 {
			t.Errorf("the link to #%s leads nowhere", l)
		}
	}
}

func TestALargeRunStaysReadable(t *testing.T) {
	dir := exchanged(t, 100)
	for _, c := range []struct{ rules, size int }{{1_000, 300}, {30, 20_000}} {
		run := recordtest.LargeRun(c.rules, c.size)
		for range 300 {
			run.Notes = append(run.Notes, run.Rules[0].Statement)
			run.Observations = append(run.Observations,
				record.Observation{ID: run.Notes[0], Observed: run.Notes[0]})
		}
		if n := len(page(t, run, dir)); n > 5<<20 {
			t.Errorf("%d rules with texts of %d bytes give a page of %d KiB", c.rules, c.size, n>>10)
		}
		out := Markdown(run)
		if len(out) > 1<<20-65_000 || !utf8.Valid(out) ||
			!strings.Contains(string(out), "Repeat the run") || !strings.Contains(string(out), " more") {
			t.Errorf("%d rules with texts of %d bytes: a summary of %d bytes", c.rules, c.size, len(out))
		}
	}
}

func TestADamagedFolderStillGivesAPage(t *testing.T) {
	dir := exchanged(t, 30)
	if out := page(t,
		recordtest.SampleRun(), dir); !strings.Contains(out, "30 exchanges in 739 ms.") ||
		!strings.Contains(out, "9007199254740993") {
		t.Error("the exchanges are not on the page")
	}
	path := filepath.Join(dir, HARName)
	whole := testmust.Get(os.ReadFile(path))(t)
	for name, data := range map[string][]byte{
		"cut": whole[:len(
			whole)/2], "garbage": []byte("\x00{["), "empty": nil, "other": []byte(`{"log":{"entries":7}}`),
	} {
		testmust.Succeed(t, os.WriteFile(path, data, 0o600))
		if out := page(t,
			recordtest.SampleRun(), dir); strings.Contains(out, "9007199254740993") != (name == "cut") {
			t.Errorf("%s: what can be read is not shown, or more", name)
		}
	}
}

func FuzzHAR(f *testing.F) {
	f.Add([]byte(
		`{"log":{"entries":[{"startedDateTime":"2026-01-01T00:00:00Z","_seq":1,"request":{"method":"POST","url":"http://x/a?b=c"},"response":{"status":201,"content":{"text":"e30=","encoding":"base64"}}}]}}`))
	f.Add([]byte(`{"log":{"entries":[{"_seq":-9,"timings":{"send":1e300,"wait":-1}},{"_seq":1,`))
	run := recordtest.SampleRun()
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := renderPage(run, readHAR(bytes.NewReader(data))); err != nil {
			t.Error(err)
		}
	})
}

// A failure is named once; without failures, the inconclusive rules come last.
func TestEachFailureIsNamedOnce(t *testing.T) {
	many := recordtest.LargeRun(30, 20)
	out := text(t, many, Style{})
	for _, r := range many.Rules {
		if n := strings.Count(strings.ReplaceAll(out, "--rule "+r.ID, ""), r.ID); n != 1 {
			t.Errorf("%s is named %d times", r.ID, n)
		}
	}
	if out := text(t, recordtest.UnreachableRun(9),
		Style{}); strings.Index(out, "Inconclusive") < strings.Index(out, "operation") {
		t.Error("where nothing failed, what is inconclusive does not stand last")
	}
}

func TestTheVerdictSaysWhatTheExitCodeMeans(t *testing.T) {
	pass := record.RuleResult{ID: "a", Level: "must", Verdict: record.VerdictPass}
	for want, c := range map[string]struct {
		other record.RuleResult
		code  int
	}{
		"CONFORMANT  2 of 2 rules verified: 1 warning, 1 passed; exit code 0, --strict makes it " +
			"1\n": {record.RuleResult{ID: "b", Level: "should", Verdict: record.VerdictFail}, 0},
		"PARTIAL  1 of 2 rules verified: 1 passed; 1 not verified, among them 1 must rule; exit code " +
			"0, --complete makes it 3\n": {
			record.RuleResult{ID: "b", Level: "must", Verdict: record.VerdictNotVerified}, 0,
		},
		"VIOLATIONS  2 of 2 rules verified: 1 violated, 1 passed; exit code " +
			"1\n": {record.RuleResult{ID: "b", Level: "must", Verdict: record.VerdictFail}, 1},
	} {
		if out := text(t, recordtest.RunOf(pass, c.other),
			Style{Style: view.Style{Columns: 120}, Code: &c.code}); !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
}
