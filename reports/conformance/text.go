package conformance

import (
	"cmp"
	"fmt"
	"io"

	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// Style says how a run is written for a terminal.
type Style struct {
	view.Style
	Deployment string // path of the deployment file for the commands that repeat; empty: as the run recorded it
	Code       *int   // exit code of the command that made the run; nil: not said
}

// mostWhole violations are shown whole on a terminal.
const mostWhole = 6

// Print writes a run so that what matters most stands last: the violations one by one, the warnings, the verdict with what
// the exit code means, the page, and the folder of the run as the last line.
func Print(w io.Writer, run record.Run, s Style) error {
	run.Run.File = cmp.Or(s.Deployment, run.Run.File)
	s.Columns, s.Exit = cmp.Or(s.Columns, 100), meaning(run, s.Code)
	b := builder{run: run, form: view.Text, verbose: s.Whole, full: mostWhole}
	if s.Whole {
		b.full = len(run.Rules)
	}
	r := b.report()
	if !s.Whole && run.Counts.Fail+run.Counts.Warn+run.Counts.Inconclusive > 0 {
		r.Parts = append(r.Parts, view.Part{Blocks: []view.Block{{
			Tone: view.Faint, Note: "This is shortened: --verbose or report.html shows all of it.",
		}}})
	}
	return view.WriteText(w, r, s.Style)
}

// meaning says what an exit code means, and what would make it another.
func meaning(run record.Run, code *int) string {
	if code == nil {
		return ""
	}
	text := fmt.Sprintf("exit code %d", *code)
	if *code == 0 && run.Counts.Warn > 0 {
		text += ", --strict makes it 1"
	}
	if *code == 0 && record.ExitCode(run, true) == 3 {
		text += ", --complete makes it 3"
	}
	return text
}
