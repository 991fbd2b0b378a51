package results

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

const (
	// share of usable answers below which a run says nothing about the deployment
	minSentShare = 0.05
	// share of the target rate that must be achieved for thresholds to count as held
	sufficientSentShare = 0.95
	// share of the requests that must be sent in time for a verdict on the deployment
	minInTimeShare   = 0.5
	minMeasuredFiles = 5 // if fewer than half of them arrive, that is no accident
)

// decideVerdict returns the verdict and its reason. A violated rule always fails a run. A missed
// threshold does not if the generator may be the cause.
func (t *runTotals) decideVerdict(run Run) (Verdict, string) {
	verdict, reason := t.judgeRun(run)
	if late := run.Requests.Late; late > 0 {
		reason += fmt.Sprintf("; %d of %d requests were sent late by the generator and do not count",
			late, run.Requests.Sent)
	}
	if n := run.Requests.Canceled; n > 0 {
		reason += "; " + printable.Quantity(n, "request") + " not answered when the run was stopped"
	}
	if bound := run.Generator.Bound; bound != "" {
		reason += "; our limit " + bound
	}
	return verdict, reason
}

func (t *runTotals) judgeRun(run Run) (Verdict, string) {
	violation, open := t.violationReason(run), t.sortThresholds(run)
	if t.ending.Failing && run.Requests.Sent == 0 {
		return VerdictFail, t.ending.Unsent
	}
	if reason := t.missingDataReason(run, violation); reason != "" {
		return VerdictInconclusive, reason
	}
	if violation != "" {
		return VerdictFail, violation
	}
	if reason, failing := unusableAnswersReason(run); failing {
		return VerdictFail, reason
	} else if reason != "" {
		return VerdictInconclusive, reason
	}
	if reason := t.failureReason(run, open.missed); reason != "" {
		return VerdictFail, reason
	}
	if reason := t.undecidedReason(run, open); reason != "" {
		return VerdictInconclusive, reason
	}
	return VerdictPass, passReason(run)
}

func passReason(run Run) string {
	text := "no rule violated; "
	switch all := len(run.Thresholds); all {
	case 0:
		text += "no threshold was set"
	case 1:
		text += "the threshold held"
	case 2:
		text += "both thresholds held"
	default:
		text += fmt.Sprintf("all %d thresholds held", all)
	}
	if f := run.Files; f != nil && f.Failed > 0 {
		text += fmt.Sprintf("; but %d of %s failed, the first: %s", f.Failed,
			printable.Quantity(f.Measured(), "followed file"), f.Detail)
	}
	return text
}

// openThresholds are the thresholds that did not hold: those that were missed, those that the
// generator may be the cause of, and those without data.
type openThresholds struct{ missed, late, unmeasured []threshold.Result }

func (t *runTotals) sortThresholds(run Run) (open openThresholds) {
	f := run.Files
	filesLost := f != nil && f.Failed+f.Pending > 0 && !run.Run.Partial
	for _, result := range run.Thresholds {
		switch {
		case result.Observed == threshold.NoData && (!filesLost || !threshold.LimitsFiles(result.Expr)):
			open.unmeasured = append(open.unmeasured, result)
		case result.Late:
			open.late = append(open.late, result)
		case !result.OK:
			open.missed = append(open.missed, result)
		}
	}
	return open
}

// missingDataReason says which part of the run was not sent or is not known.
func (t *runTotals) missingDataReason(run Run, violation string) string {
	missing := t.head.Merge.missingText()
	switch {
	case missing != "" && violation != "":
		return missing + "; what is known already fails: " + violation
	case missing == "" && run.Requests.Sent == 0:
		return cmp.Or(t.ending.Unsent, "no request was sent")
	}
	return missing
}

// unusableAnswersReason says why replay protection cannot be judged by the answers, and whether
// that is because the deployment failed: it answered most requests with an error of its own.
func unusableAnswersReason(run Run) (reason string, failing bool) {
	q := run.Requests
	errors := int64(0)
	for status, n := range run.Codes {
		if judge.IsFailing(status) {
			errors += n
		}
	}
	usable := q.Accepted + q.Blocked + q.FalseBlocks + q.MissedBlocks
	switch {
	case q.KnownOutcomes()-q.TransportErrors-q.Timeouts <= 0:
		return "the deployment answered no request", false
	case float64(usable) < minSentShare*float64(q.KnownOutcomes()) && run.Run.Aborted == "":
		if 2*errors > q.KnownOutcomes() {
			return fmt.Sprintf("the deployment fails: %d of %d requests were accepted or blocked; "+
				"errors: %s", usable, q.KnownOutcomes(), run.DescribeErrors()), true
		}
		return fmt.Sprintf("too few usable answers: %d of %d requests were "+
			"accepted or blocked, a verdict needs %g%%; errors: %s",
			usable, q.KnownOutcomes(), 100*minSentShare, run.DescribeErrors()), false
	}
	return "", false
}

// failureReason says what the deployment did not hold.
func (t *runTotals) failureReason(run Run, missed []threshold.Result) string {
	switch all := len(run.Thresholds); {
	case run.Run.Aborted != "" && !t.isGeneratorUnreliable():
		return "ended early: " + run.Run.Aborted
	case len(missed) == 0:
		return ""
	case all > 1:
		return fmt.Sprintf("%s missed: %s (%d of %d thresholds missed)", missed[0].Expr,
			missed[0].Describe(), len(missed), all)
	}
	return fmt.Sprintf("%s missed: %s", missed[0].Expr, missed[0].Describe())
}

// undecidedReason says why it is open whether the deployment would have held everything.
func (t *runTotals) undecidedReason(run Run, open openThresholds) string {
	g, f := run.Generator, run.Files
	unreliable := g.Reason + "; " + g.Next
	switch late := run.Requests.Late; {
	case len(open.late) > 0:
		late := open.late[0]
		text := fmt.Sprintf("%s not judged: %s; %s", late.Expr, late.Describe(), late.Reason)
		if !g.Reliable {
			text += "; " + unreliable
		}
		return text
	case float64(late) > (1-minInTimeShare)*float64(run.Requests.Sent):
		return "the figures describe the generator: " + unreliable
	// Thresholds that held despite a late generator count if the target rate was achieved.
	case t.isGeneratorUnreliable() && (len(run.Thresholds) == 0 || run.Run.Aborted != "" ||
		run.Rate.Achieved < sufficientSentShare*run.Rate.Target):
		return "the figures describe the generator: " + unreliable
	case run.Run.Partial:
		return "interrupted before its end"
	case len(open.unmeasured) > 0:
		return fmt.Sprintf("%s not judged: %s", open.unmeasured[0].Expr, open.unmeasured[0].Reason)
	case f != nil && f.Ready < f.Failed+f.Pending && f.Measured() >= minMeasuredFiles &&
		!slices.ContainsFunc(t.head.Thresholds, threshold.LimitsFiles):
		arrived := "none"
		if f.Ready > 0 {
			arrived = fmt.Sprintf("only %d", f.Ready)
		}
		text := fmt.Sprintf("%s of %s arrived: %d failed, %d still pending at the end", arrived,
			printable.Quantity(f.Measured(), "file"), f.Failed, f.Pending)
		if f.Detail != "" {
			text += "; the first: " + f.Detail
		}
		return text + "; set a threshold on file_failures or a file. time to decide"
	}
	return ""
}

func (t *runTotals) violationReason(run Run) string {
	before := int64(0) // repeats accepted before the run
	for _, n := range t.ending.Violated {
		before += n
	}
	switch r := run.Requests; {
	case t.head.FailOnMisblock && r.FalseBlocks+r.MissedBlocks+before > 0:
		var list []string
		if n := r.MissedBlocks + before; n > 0 {
			text := "unblocked repeats: " + printable.Quantity(n, "repeat") + " accepted"
			if before > 0 {
				text += fmt.Sprintf(", %d of them before the run", before)
			}
			list = append(list, text)
		}
		if r.FalseBlocks > 0 {
			list = append(list, "false blocks: "+printable.Quantity(r.FalseBlocks, "fresh request")+
				" blocked")
		}
		return strings.Join(list, "; ")
	case r.Malformed > 0 && len(run.Violations) > 0:
		return printable.Quantity(r.Malformed, "answer") + " broke a documented rule"
	}
	return ""
}

// ErrorCount counts one kind of bad answers or of requests without an answer.
type ErrorCount struct {
	N     int64
	Words string // such as 503 Service Unavailable
}

// ErrorCounts lists the kinds of errors, most frequent first.
func (r Run) ErrorCounts() (all []ErrorCount) {
	accepted := "repeat accepted, or answer that breaks a rule"
	if r.Requests.Malformed == 0 {
		accepted = "repeat accepted"
	} else if r.Requests.MissedBlocks == 0 {
		accepted = "answer that breaks a rule"
	}
	for status, n := range r.Statuses {
		name := status
		if code, _ := strconv.Atoi(status); code/100 == 2 {
			name = accepted + " (" + status + ")"
		} else if text := http.StatusText(code); text != "" {
			name += " " + text
		}
		all = append(all, ErrorCount{n, name})
	}
	for failure, n := range r.Failures {
		all = append(all, ErrorCount{n, judge.DescribeFailure(failure)})
	}
	slices.SortFunc(all, func(a, b ErrorCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Words, b.Words))
	})
	return all
}

// DescribeErrors describes the errors: "12 × 503 Service Unavailable, 3 × timeout".
func (r Run) DescribeErrors() string {
	var words []string
	for _, t := range r.ErrorCounts() {
		words = append(words, fmt.Sprintf("%d × %s", t.N, t.Words))
	}
	return strings.Join(words, ", ")
}
