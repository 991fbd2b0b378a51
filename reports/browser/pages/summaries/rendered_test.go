package summaries_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// rendered returns the summary as GitHub shows it: Markdown with tables and bare links, and
// literal HTML.
func rendered(t *testing.T, run record.Run) *nethtml.Node {
	t.Helper()
	var out bytes.Buffer
	testmust.Succeed(t, goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(html.WithUnsafe())).Convert(conformance.Markdown(run),
		&out))
	return testmust.Get(nethtml.Parse(&out))(t)
}

func words(n *nethtml.Node) string {
	var b strings.Builder
	for n := range n.Descendants() {
		if n.Type == nethtml.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

func TestHostileTextsAreOnlyShown(t *testing.T) {
	ours := " html head body h2 h3 h4 p strong code pre ul li table thead tbody tr th td details " +
		"summary br "
	run := recordtest.SampleRun()
	for i := range run.Rules {
		if run.Rules[i].ID == "auth.confidential" {
			run.Rules[i].Statement = "1. @octocat sees #12 and GH-3, mail x@example.com, " +
				"https://evil.example www.evil.example " + recordtest.HostileText
		}
	}
	shown := false
	for n := range rendered(t, run).Descendants() {
		switch n.Type {
		case nethtml.ElementNode:
			if !strings.Contains(ours, " "+n.Data+" ") {
				t.Errorf("a text became <%s>: %s", n.Data, words(n.Parent))
			}
			for _, a := range n.Attr {
				if a.Key != "align" && a.Key != "style" && a.Key != "class" {
					t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
				}
			}
		case nethtml.CommentNode:
			t.Errorf("a text became a comment: %s", n.Data)
		case nethtml.TextNode:
			if n.Parent.Data != "code" && (strings.Contains(n.Data, "@octocat") ||
				strings.Contains(n.Data, "#12") || strings.Contains(n.Data, "GH-3")) {
				t.Errorf("somebody is mentioned, or an issue: %s", n.Data)
			}
			shown = shown || strings.Contains(n.Data, "<script>alert(1)</script>")
		}
	}
	if !shown {
		t.Error("the hostile text is not shown")
	}
}

func TestTablesAreTables(t *testing.T) {
	run := recordtest.SampleRun()
	run.Waivers[1].Reason = "a | b \\| c\n| d `|` |"
	tables, whole := 0, false
	for n := range rendered(t, run).Descendants() {
		if n.Data == "table" {
			tables++
		}
		if n.Data != "tr" {
			continue
		}
		cells := 0
		for c := range n.ChildNodes() {
			if c.Type == nethtml.ElementNode {
				cells++
			}
		}
		if cells != 8 && cells != 3 {
			t.Errorf("%d cells: %s", cells, words(n))
		}
		// surplus cells are dropped silently
		whole = whole || strings.Contains(words(n), "a | b \\| c | d `|` |")
	}
	if tables != 4 || !whole {
		t.Errorf("%d tables, a reason with pipes is whole: %v", tables, whole)
	}
	for _, line := range strings.Split(words(rendered(t, run)), "\n") {
		if strings.HasPrefix(line, "|") {
			t.Errorf("a row is not part of a table: %s", line)
		}
	}
}
