package gate

import (
	"github.com/gateassay/gateassay/reports/annotations"
)

// GitHub writes a decision as workflow commands: an error for each demand that does not hold or could not be decided,
// and one line with the decision.
func GitHub(d Decision) string {
	level := annotations.Error
	if d.Verdict == Held {
		level = annotations.Notice
	}
	list := []annotations.Annotation{{Level: level, Title: headline(d), Text: conclusion(d)}}
	for _, f := range ordered(d) {
		if f.State != Held {
			list = append(list, annotations.Annotation{
				Level: annotations.Error, Title: words[f.State] + ": " + f.Check + " of " + f.Subject,
				Text: f.text(),
			})
		}
	}
	return annotations.Write(list)
}
