package view_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/recordtest"
)

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
