package digest_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain, José O’Néill 日本": "plain, José O’Néill 日本", "a\nb\tc\r\nd": "a b c d", "\x1b[31m": "<U+001B>[31m", "a\u202eb": "a<U+202E>b", "\xff": "\uFFFD", "\u0085": "<U+0085>",
	} {
		if got := digest.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := digest.CleanLines("a\r\nb\n\x07"); got != "a\nb\n<U+0007>" {
		t.Errorf("CleanLines: %q", got)
	}
}

func TestTextFitsItsColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := digest.Clean(rapid.String().Draw(t, "text"))
		columns := rapid.IntRange(8, 60).Draw(t, "columns")
		if fitted := digest.Fit(s, columns); digest.Columns(fitted) > columns || !utf8.ValidString(fitted) {
			t.Fatalf("Fit gives %d columns: %q", digest.Columns(fitted), fitted)
		}
		lines := digest.Wrap(s, columns)
		for _, line := range lines {
			if digest.Columns(line) > columns {
				t.Fatalf("Wrap gives %d columns: %q", digest.Columns(line), line)
			}
		}
		if strings.Join(strings.Fields(strings.Join(lines, "")), "") != strings.Join(strings.Fields(s), "") {
			t.Fatalf("Wrap loses text: %q", lines)
		}
	})
	for text, want := range map[string]int{"abc": 3, "日本": 4, "e\u0301": 1, "✓": 1, "🙂": 2} {
		if got := digest.Columns(text); got != want {
			t.Errorf("Columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"a.b-c": "a.b-c", "": "''", "a b": "'a b'", "create.*": "'create.*'", "it's $(x)": `'it'\''s $(x)'`} {
		if got := digest.Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestGroups(t *testing.T) {
	run := recordtest.Run()
	needs, others := digest.ByNeed(digest.With(run, record.NotVerified))
	var causes []string
	for _, g := range needs {
		causes = append(causes, g.Cause+":"+strings.Join(g.IDs(), ","))
	}
	want := []string{
		"fixtures.client_id:export.filter.client_id,export.filter.prefix", "fixtures.foreign_shareholder_id:create.shareholder.foreign",
		"credentials.other_user or fixtures.target_user_id:export.isolation",
	}
	if !slices.Equal(causes, want) {
		t.Errorf("needs %q", causes)
	}
	if len(others) != 1 || others[0].Cause != record.NoCheckRan {
		t.Errorf("others %+v", others)
	}
	var names []string
	total := 0
	for _, op := range digest.Operations(run) {
		names = append(names, op.Name)
		total += op.Counts.Total()
	}
	if strings.Join(names, " ") != "create export replay auth" || total != len(run.Rules) {
		t.Errorf("operations %q with %d of %d rules", names, total, len(run.Rules))
	}
	if groups := digest.ByReason(digest.With(recordtest.Unreachable(212), record.Inconclusive)); len(groups) != 1 || len(groups[0].Rules) != 212 {
		t.Errorf("one reason gives %d groups", len(groups))
	}
}

func TestClipCutsOnlyWhatIsLongerThanTheRemark(t *testing.T) {
	for text, want := range map[string]string{
		"0123456789":                           "0123456789",
		"0123456789 and 4 more":                "0123456789 and 4 more",
		"0123456789" + strings.Repeat("x", 40): "0123456789… (40 more bytes)",
		strings.Repeat("é", 40):                strings.Repeat("é", 10) + "… (60 more bytes)",
	} {
		if got := digest.Clip(text, 10); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
