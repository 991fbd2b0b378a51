package threshold

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Threshold is a condition that must hold at the end of a run, for all of it or for one stage.
type Threshold struct {
	Condition
	StageName   string // as written; empty: the whole run, or StageNumber
	StageNumber int    // from 1; 0: the whole run, or StageName until Bind
	Expr        string // as written, trimmed
}

// Parse reads a threshold such as "p99<300ms" or "errors<0.1% for stage 2". It fails with an *Error.
func Parse(expr string) (Threshold, error) {
	t := Threshold{Expr: strings.TrimSpace(expr)}
	var err error
	t.Condition, err = parse(expr, t.stage, "for", "in")
	return t, err
}

// OnFiles reports whether an expression is a threshold on files, which decides what becomes of a run that got none.
func OnFiles(expr string) bool {
	t, err := Parse(expr)
	return err == nil && (t.measure.time == File || t.measure.count == FileFailures)
}

// stage reads [stage] NUMBER | NAME | "NAME".
func (t *Threshold) stage(p *parser) error {
	at := p.at
	name, quoted, err := p.name()
	if err == nil && !quoted && strings.EqualFold(name, "stage") {
		if p.space(); p.at < len(p.text) {
			at = p.at
			name, quoted, err = p.name()
		}
	}
	if err != nil {
		return err
	}
	if n, numeric := strconv.Atoi(name); numeric == nil && !quoted {
		if n < 1 {
			return p.fail(at, "stages are counted from 1")
		}
		t.StageNumber = n
		return nil
	}
	if _, isTime := time.ParseDuration(name); isTime == nil && !quoted {
		return p.fail(at, "expected a stage, by number or name; a time belongs to --abort-on")
	}
	t.StageName = name
	return nil
}

func (p *parser) name() (name string, quoted bool, err error) {
	at := p.at
	if at < len(p.text) && (p.text[at] == '"' || p.text[at] == '\'') {
		mark := p.text[at]
		p.at++
		name = p.take(func(b byte) bool { return b != mark })
		if p.at == len(p.text) {
			return "", true, p.fail(at, "the quoted name has no end")
		}
		p.at++
		if strings.TrimSpace(name) == "" {
			return "", true, p.fail(at, "the name of the stage is empty")
		}
		return name, true, nil
	}
	name = p.take(func(b byte) bool { return b > ' ' && b != '"' && b != '\'' })
	if name == "" {
		return "", false, p.fail(at, "a stage is missing, by number or name")
	}
	return name, false, nil
}

// Bind resolves the stage against the stages of a plan, in their order; a stage without a name is "". It fails with an
// *Error that lists what there is.
func (t *Threshold) Bind(stages []string) error {
	problem := ""
	switch {
	case t.StageName != "":
		t.StageNumber = 0
		for i, name := range stages {
			if name == t.StageName || t.StageNumber == 0 && strings.EqualFold(name, t.StageName) {
				t.StageNumber = i + 1
			}
			if name == t.StageName {
				break
			}
		}
		if t.StageNumber == 0 {
			problem = fmt.Sprintf("the plan has no stage %q; it has %s", t.StageName, listed(stages))
		}
	case t.StageNumber > len(stages):
		problem = fmt.Sprintf("the plan has no stage %d; it has %s", t.StageNumber, listed(stages))
	}
	if problem == "" {
		return nil
	}
	column := 1
	if i := strings.LastIndexAny(t.Expr, " \t"); i >= 0 {
		column = len([]rune(t.Expr[:i])) + 2
	}
	return &Error{Expr: t.Expr, Column: column, Message: problem}
}

func listed(stages []string) string {
	if len(stages) == 0 {
		return "none"
	}
	parts := make([]string, 0, min(len(stages), 12)+1)
	for i, name := range stages {
		if i == 12 {
			parts = append(parts, fmt.Sprintf("… to %d", len(stages)))
			break
		}
		part := strconv.Itoa(i + 1)
		if name != "" {
			part += " (" + name + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// String writes the threshold in its one spelling; Parse reads it back.
func (t Threshold) String() string {
	text := t.Condition.String()
	switch {
	case t.StageName != "":
		mark := `"`
		if strings.Contains(t.StageName, mark) {
			mark = "'"
		}
		return text + " for stage " + mark + t.StageName + mark
	case t.StageNumber > 0:
		return fmt.Sprintf("%s for stage %d", text, t.StageNumber)
	}
	return text
}
