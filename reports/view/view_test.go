package view_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gateassay/gateassay/internal/testmust"
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

// ours are the fields that hold words of this program.
var ours = []string{"ID", "Filter", "Group", "Class"}

// fill puts a text into every string of a report and sets every switch; depth limits lists in lists.
func fill(v reflect.Value, text string, on bool, depth int) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() { // others are words of this program too
			v.SetString(text)
		}
	case reflect.Bool:
		v.SetBool(on)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, on, depth)
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), text, on, depth-1)
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			named := value.Kind() == reflect.String && slices.Contains(ours, field.Name)
			if !named && field.Name != "Own" {
				fill(value, text, on, depth)
			}
		}
	}
}

// What reports of runs, comparisons and decisions say is written by these renderers alone, so that
// no text in any place of any of them acts.
func TestTextsOfAReportAreInert(t *testing.T) {
	for _, on := range []bool{false, true} {
		var r view.Report
		fill(reflect.ValueOf(&r).Elem(), recordtest.HostileText, on, 7)
		r.Parts[0].ID = "part"
		blocks := &r.Parts[0].Blocks
		bare := (*blocks)[0] // terminals and Markdown leave out blocks with plots or exchanges
		bare.Charts, bare.Exchanges = nil, nil
		*blocks = append(*blocks, bare)
		var text strings.Builder
		testmust.Succeed(t, view.WriteText(&text, r, view.Style{Columns: 80}))
		fences := regexp.MustCompile("(?s)````sh\n.*?\n````\n") // their contents are literal
		markdown := fences.ReplaceAllString(string(view.WriteMarkdown(r)), "")
		page := string(testmust.Get(view.WritePage(r))(t))
		const controls = "[\x00-\x09\x0b-\x1f\u202e]"
		for form, c := range map[string]struct{ out, acts string }{
			"text":     {text.String(), controls + "|(?m)^ *::error"},
			"Markdown": {markdown, controls + "|(?m)^(::error|# )|<script|<img|]\\(|\\*\\*bold|`tick"},
			"page":     {page, "[\x00\x1b\u202e]|<script>alert|<img|=\"javascript:"},
		} {
			if n := strings.Count(c.out, "rever"); n < 20 {
				t.Errorf("%s: only %d texts are shown", form, n)
			}
			if at := regexp.MustCompile(c.acts).FindStringIndex(c.out); at != nil {
				t.Errorf("%s: %q", form, c.out[max(0, at[0]-80):at[1]])
			}
		}
		if n := strings.Count(page, "</script>"); n != 2 { // the data of the plots, and the script
			t.Errorf("%d scripts", n)
		}
	}
}
