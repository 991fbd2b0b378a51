package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
)

// GitHub shows at most ten annotations of each level in a step; the last one gives the number of
// the others.
const maxAnnotations = 10

const (
	maxTitleChars      = 200  // characters
	maxAnnotationChars = 3000 // characters
)

// WriteAnnotations returns the verdict and the findings as workflow commands, which GitHub shows
// with the job: errors first, then warnings for what is undecided, then notices. All texts are
// escaped, so none can start a command.
func WriteAnnotations(r Report) string {
	r = r.only(FormText)
	commands := map[string][]string{} // by level
	add := func(tone Tone, title, text string) {
		level, some := annotationLevels[tone]
		if !some {
			return
		}
		short := printable.Truncate(title, maxTitleChars)
		if short != title || text == "" {
			text = strings.TrimSpace(title + "\n" + text)
		}
		commands[level] = append(commands[level],
			fmt.Sprintf("::%s title=%s::%s\n", level, escapeProperty(short),
				escapeData(printable.Truncate(text, maxAnnotationChars))))
	}
	about := r.Headline
	if r.Kind != "" {
		about = r.Kind + " " + r.About + ": " + r.Headline
	}
	add(r.Tone, about, strings.Join(r.Why, "\n"))
	for _, part := range r.Parts {
		for _, b := range part.Blocks {
			for _, item := range b.Items {
				if item.Tone == ToneGood {
					continue
				}
				title := item.Title
				item.Title, item.Further = "", nil
				add(cmp.Or(item.Tone, part.Tone), title, blockLines(Block{Items: []Item{item}}))
			}
			if b.Items == nil && (b.Table != nil || len(b.Lines) > 0) {
				add(part.Tone, part.Title, blockLines(b))
			}
		}
	}
	var all []string
	for _, level := range []string{"error", "warning", "notice"} {
		same := commands[level]
		if more := len(same) - maxAnnotations + 1; more > 1 {
			same = append(same[:maxAnnotations-1],
				fmt.Sprintf("::%s title=%d more::GitHub shows ten; the summary and the "+
					"report have them all\n", level, more))
		}
		all = append(all, same...)
	}
	return strings.Join(all, "")
}

var annotationLevels = map[Tone]string{
	ToneBad: "error", ToneUnsure: "warning", ToneOpen: "warning", ToneGood: "notice",
}

// blockLines returns a block as lines without margins.
func blockLines(b Block) string {
	var lines []string
	for line := range strings.Lines(BlockText(b)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// escapeData escapes the text after the second double colon.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(printable.CleanLines(s))
}

// escapeProperty escapes the value of a property, which a colon or comma would end.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(printable.Clean(s)))
}
