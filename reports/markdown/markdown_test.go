package markdown_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// shown returns the displayed text, with entities resolved.
func shown(s string) string { return html.UnescapeString(s) }

func TestATextIsShownAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching("[a-c@#!GH0-9<>&|_*`~$:./\\- -]*")).Draw(t,
			"text")
		want := strings.TrimSpace(printable.Clean(s))
		if got := strings.ReplaceAll(shown(markdown.Text(s, 1<<20)),
			"\u200b", ""); got != strings.ReplaceAll(want, "\u200b", "") {
			t.Fatalf("%q is shown as %q", want, got)
		}
		if got := shown(strings.TrimSuffix(strings.TrimPrefix(markdown.Code(s, 1<<20), "<code>"),
			"</code>")); got != want {
			t.Fatalf("%q is shown as %q in code, where it is copied from", want, got)
		}
	})
}

func TestNothingOfATextIsSyntax(t *testing.T) {
	syntax := regexp.MustCompile(
		"[\\\\`*\\[\\]<>|@~$!{}^\"'\n]|://|www\\.|^[-+=>]|^[0-9]+[.)]|(^|[^&])#|#($|[^0-9])|&($|[^#])")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching("[a-c@#!|_*`~$:./<>&\\[\\]()1w \n-]*"),
			rapid.Just(recordtest.HostileText)).Draw(t, "text")
		text := markdown.Text(s, 1000)
		testmust.Equal(t, syntax.FindString(text), "", text)
	})
}

// GitHub and GitLab look for mentions and issues in the displayed text, not in the Markdown.
func TestNobodyIsMentionedAndNoIssueIsLinked(t *testing.T) {
	for _, s := range []string{
		"@octocat", "a @octocat b", "(@org/team)",
		"@1", "#12", "see #12.", "owner/repo#12", "!12", "GH-12", "gh-7", "x@example.com", "@日本",
	} {
		if said := shown(markdown.Text(s, 100)); regexp.MustCompile(`@[\pL\pN]|[#!]\d|(?i)\bgh-\d`).
			MatchString(said) {
			t.Errorf("%q is shown as %q", s, said)
		}
	}
	for _, s := range []string{"C#", "wow!", "a @ b", "highlight", "# 1"} {
		if strings.ContainsRune(shown(markdown.Text(s, 100)), '\u200b') {
			t.Errorf("%q holds something invisible for nothing", s)
		}
	}
}

func TestABlockOfCodeEndsWhereItEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching("[a`\n ]*").Draw(t, "text")
		lines := strings.Split(strings.TrimSuffix(markdown.Fence("sh", s, 1000), "\n"), "\n")
		fence := strings.TrimSuffix(lines[0], "sh")
		closing := regexp.MustCompile("^ {0,3}" + fence + "`* *$")
		for i, line := range lines[1:] {
			if closing.MatchString(line) != (i == len(lines)-2) {
				t.Fatalf("line %d of %q", i+1, lines)
			}
		}
	})
}

func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("é#", 1<<20)
	for _, s := range []string{
		markdown.Text(long, 100), markdown.Code(long, 100),
		markdown.Fence("", long, 100),
	} {
		if len(s) > 2000 || !utf8.ValidString(s) || !strings.Contains(s, "more bytes") {
			t.Errorf("%d bytes: %.300q", len(s), s)
		}
	}
}

func TestABarInACellIsNoBorder(t *testing.T) {
	testmust.Equal(t, markdown.Row("this | that", "x"), "| this \\| that | x |\n")
}
