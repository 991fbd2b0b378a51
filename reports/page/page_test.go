package page_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

// archive answers for every number but 12, with hostile texts.
type archive struct{}

func (archive) Exchange(seq int) *page.Exchange {
	if seq == 12 {
		return nil
	}
	return &page.Exchange{
		Method: "POST", URL: fmt.Sprintf("https://gateway.staging.example/v1/exports?n=%d&x=<b>", seq),
		Status:      201 * (seq % 2),
		RequestHead: "Content-Type: application/json", RequestBody: `{"name": "</script>"}`,
		ResponseHead: "X: " + recordtest.Hostile, ResponseBody: recordtest.Hostile,
	}
}

// Moments are 40 exchanges of a run: some at once, some after a pause.
func (archive) Moments() []page.Moment {
	var list []page.Moment
	for i := range 40 {
		list = append(list, page.Moment{
			Seq: i + 1, Attempt: 1 + i%2, Label: recordtest.Hostile, Operation: "export",
			Status:    []int{201, 404, 503, 0}[i%4],
			StartedAt: recordtest.Start.Add(time.Duration(i/4) * 100 * time.Millisecond),
			Service:   time.Duration(10+i) * time.Millisecond,
		})
	}
	return list
}

func render(t *testing.T, run record.Run, x page.Exchanges) string {
	t.Helper()
	data, err := page.Write(run, x)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// own are the style sheet and the script, which have files of their own; the policy of the page pins both by hash.
var own = regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`)

func TestGolden(t *testing.T) {
	text := own.ReplaceAllString(render(t, recordtest.Run(), archive{}), "$1$2")
	recordtest.Golden(t, *update, "report.html", []byte(text))
}

// walk calls visit for every element of a page.
func walk(t *testing.T, page string, visit func(*html.Node)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func TestThePageLoadsNothingAndRunsOnlyItsOwnScript(t *testing.T) {
	for name, run := range map[string]record.Run{
		"rich": recordtest.Run(), "clean": recordtest.Clean(),
		"unreachable": recordtest.Unreachable(212), "empty": {},
	} {
		out := render(t, run, archive{})
		scripts, policy := 0, ""
		walk(t, out, func(n *html.Node) {
			switch n.Data {
			case "script":
				if attr(n, "type") != "application/json" {
					scripts++
				}
			case "img", "iframe", "link", "object", "embed", "base", "form":
				t.Errorf("%s: <%s>", name, n.Data)
			case "meta":
				if attr(n, "http-equiv") != "" {
					policy = attr(n, "content")
				}
			}
			for _, a := range n.Attr {
				if a.Key == "src" || strings.HasPrefix(a.Key, "on") || a.Key == "style" ||
					a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !statements()[a.Val] {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		})
		if scripts != 1 {
			t.Errorf("%s: %d scripts", name, scripts)
		}
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", name, policy)
		}
		if regexp.MustCompile(`url\(|@import|fetch\(|XMLHttpRequest`).MatchString(out) {
			t.Errorf("%s: something could be loaded", name)
		}
	}
}

// statements are the only addresses outside of the page: what the API document says, which a reader may follow.
func statements() map[string]bool {
	all := map[string]bool{}
	for _, s := range docs.Statements() {
		all[s.URL()] = true
	}
	return all
}

func TestEveryRuleIsInTheMatrixAndEveryLinkLeadsSomewhere(t *testing.T) {
	run := recordtest.Run()
	rows, ids := map[string]int{}, map[string]int{}
	var links []string
	walk(t, render(t, run, nil), func(n *html.Node) {
		if attr(n, "class") == "rule" {
			rows[attr(n, "data-verdict")]++
		}
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
		if n.Data == "a" && !statements()[attr(n, "href")] {
			links = append(links, strings.TrimPrefix(attr(n, "href"), "#"))
		}
	})
	c := run.Counts
	for verdict, want := range map[record.Verdict]int{
		record.Pass: c.Pass, record.Fail: c.Fail, record.Warned: c.Warn, record.Waived: c.Waived,
		record.NotVerified: c.NotVerified, record.Inconclusive: c.Inconclusive, record.Observed: c.Observed,
	} {
		if rows[string(verdict)] != want {
			t.Errorf("%s: %d rows, want %d", verdict, rows[string(verdict)], want)
		}
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

func TestALargeRunStaysAPageThatOpens(t *testing.T) {
	for _, c := range []struct{ rules, size int }{{2_000, 300}, {300, 20_000}, {40, 300_000}} {
		if n := len(render(t, recordtest.Large(c.rules, c.size), archive{})); n > 5<<20 {
			t.Errorf("%d rules with texts of %d bytes give a page of %d KiB", c.rules, c.size, n>>10)
		}
	}
}
