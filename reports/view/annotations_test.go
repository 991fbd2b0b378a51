package view_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// command matches a line that GitHub's runner takes for a command.
type command struct{ name, title, text string }

// understood parses a log as the runner does: it skips white space before "::", accepts "##["
// anywhere, and also ends lines at a carriage return.
func understood(t *testing.T, log string) (list []command) {
	t.Helper()
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	for _, line := range strings.FieldsFunc(log, func(r rune) bool { return r == '\n' || r == '\r' }) {
		rest, begins := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::")
		head, text, complete := strings.Cut(rest, "::")
		name, title, titled := strings.Cut(head, " title=")
		if !begins || !complete || !titled || strings.Contains(title, ",") {
			t.Errorf("not a command: %q", line)
			continue
		}
		list = append(list, command{name, unescape.Replace(title), unescape.Replace(text)})
	}
	return list
}

func TestNoTextIsACommand(t *testing.T) {
	for _, text := range []string{
		recordtest.HostileText, "::stop-commands::x", "  ::add-mask::a", "a\n::error::b", "a\r::error::b",
		"a\r\n::set-output name=x::y", "a\u2028::error::b", "a\u0085::error::b", "##[add-mask]a",
		"x ##[error]y",
		"a::b::c", "a, line=1,file=x::z", "100%", "%0A::error::x", "%250A", "\x00\x1b]0;x\x07",
		"\xff\n::x::", "",
	} {
		item := view.Item{
			Tone: view.ToneBad, Title: text,
			Lines: [][]view.Cell{{{Text: text, Refs: []view.Ref{{Text: text}}}}},
			Facts: []view.Fact{{Name: text, Value: text}}, Copy: []view.Command{{Label: text, Text: text}},
		}
		r := view.Report{
			Kind: text, About: text, Headline: text, Tone: view.ToneGood,
			Why: []string{text, text}, Parts: []view.Part{
				{Title: text, Blocks: []view.Block{{Items: []view.Item{item}}}},
				{
					Title: text, Tone: view.ToneUnsure,
					Blocks: []view.Block{{Lines: [][]view.Cell{{{Text: text}}}}},
				},
			},
		}
		var names []string
		for _, c := range understood(t, view.WriteAnnotations(r)) {
			names = append(names, c.name)
		}
		if got := strings.Join(names, " "); got != "error warning notice" && text != "" {
			t.Errorf("%q gives the commands %s", text, got)
		}
	}
}

func TestNoMoreAnnotationsThanGitHubShows(t *testing.T) {
	for n, want := range map[int]int{9: 9, 10: 10, 50: 10} {
		part := view.Part{Tone: view.ToneBad}
		for i := range n {
			part.Blocks = append(part.Blocks,
				view.Block{Items: []view.Item{{Title: fmt.Sprint(i)}, {Title: "fine", Tone: view.ToneGood}}})
		}
		out := view.WriteAnnotations(view.Report{Parts: []view.Part{part}})
		if list := understood(t, out); len(list) != want ||
			strings.Contains(out, "title=41 more::") != (n == 50) {
			t.Errorf("of %d: %q", n, list)
		}
	}
}
