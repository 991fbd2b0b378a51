package terminal_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/terminal"
)

func written(colour bool, columns int, lead, text string) string {
	var out strings.Builder
	w := terminal.NewWriter(&out, colour, columns)
	w.WriteWrapped(w.Paint(terminal.ColourBad, lead), terminal.ColourNone, text)
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	return out.String()
}

func TestFollowingLinesBeginBelowTheText(t *testing.T) {
	for name, c := range map[string]struct {
		columns    int
		lead, want string
	}{
		"wide":    {0, "FAIL  ", "FAIL  one two three four five\n"},
		"wrapped": {20, "FAIL  ", "FAIL  one two three\n      four five\n"},
		"a lead that is too long": {
			20, "  a.long.lead.of.it  ",
			"  a.long.lead.of.it\n    one two three\n    four five\n",
		},
	} {
		testmust.Equal(t, written(false, c.columns, c.lead, "one two three four five"), c.want, name)
	}
	plain, painted := written(false, 20, "FAIL  ", "one two three four"),
		written(true, 20, "FAIL  ", "one two three four")
	if !strings.Contains(painted, "\x1b[1;31mFAIL  \x1b[0m") ||
		strings.Count(plain, "\n") != strings.Count(painted, "\n") {
		t.Errorf("colours change where lines are wrapped: %q, %q", plain, painted)
	}
}

func TestTextsOfOthersStayInert(t *testing.T) {
	got := written(false,
		40, "", "::error::x \x1b[2J ##[error]y 日本語日本語日本語日本語日本語")
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "::") || strings.ContainsAny(line, "\x1b") ||
			strings.Contains(line, "##[") {
			t.Errorf("acts: %q", line)
		}
		if n := printable.Width(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}
