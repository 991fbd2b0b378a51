package export

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareRetrievalRule declares the rule that files can be fetched. A file that was not fetched
// is a violation only where the deployment file cannot be the reason: how to fetch a file is not
// documented, so an address, a pointer or a state may be wrong there.
func (s *Suite) declareRetrievalRule() {
	blamed := spec.ObserveAsCase(s.Plan, "why the file could not be fetched",
		func(ctx spec.Context) string {
			return s.blamedKeys(ctx, s.plain.window.Await(ctx))
		})
	const label = "a few minutes of the window"
	few := spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) *completedExport {
		return s.takeExport(ctx, s.windowQuery(label, model.Query{}, nil))
	})
	s.UseObservations(s.plain.window, s.plain.settled, few)
	s.It("fetches the file of an export", func(ctx spec.Context) {
		first, found := s.plain.window.Await(ctx), ""
		failing := first
		switch fault := first.fault; {
		case first.refused,
			fault != nil && (fault.Failure == client.FetchNotConfigured || first.fileID == ""):
			ctx.StopOnError(first.unusableReason())
		case fault == nil:
			failing, found = s.findMissingFile(ctx, first, few)
		default:
			seen := cmp.Or(http.StatusText(fault.Status), "no answer")
			if last := first.lastState(); last != "" && fault.Status < http.StatusMultipleChoices {
				seen = last
			}
			facts := []string{fmt.Sprintf("%s (%s)", fault.Failure, seen), fault.Detail}
			if fault.Waited != "" {
				facts = append(facts, "no file within "+fault.Waited)
			}
			if states := first.stateNames(); len(states) > 0 {
				facts = append(facts, "states seen: "+strings.Join(states, ", "))
			}
			for i, fact := range facts {
				facts[i] = s.redactAndQuote(fact)
			}
			if keys := blamed.Await(ctx); keys != "" {
				ctx.Inconclusivef("%s; check %s in the deployment file", strings.Join(facts, "; "), keys)
			}
			found = strings.Join(facts, "\n") // the first is the headline
		}
		flaw := Flaw{
			Found:    found,
			Evidence: spec.Evidence{Repeat: failing.repeatRequests(), Sign: reproscript.ExpectFileFetched{}},
		}
		ctx.Expect(flaw).To(BeFlawless("The file of an accepted export cannot be fetched",
			"the file, by its file_id"))
	})
}

// findMissingFile returns an export other than the first whose file failed, or stays in a state
// that others left, and what is wrong. If there is none, it returns the first.
func (s *Suite) findMissingFile(
	ctx spec.Context, first *completedExport, few exportObservation,
) (failing *completedExport, found string) {
	seen := []*completedExport{first}
	for _, o := range append([]exportObservation{few, s.plain.settled}, s.designed...) {
		if !o.Launched() {
			continue
		}
		other, ok := o.TryGet(ctx)
		if ok && other.endedInFailedState() {
			return other, s.redactAndQuote(other.query.label + ": " + other.fault.Error())
		} else if ok {
			seen = append(seen, other)
		}
	}
	if stuck, which := s.stuckFiles(seen); len(stuck) > 0 {
		return stuck[0], s.redactAndQuote(fmt.Sprintf(
			"%d of %d files, %s, stay %s, as the others did not", len(stuck), len(seen), which,
			stuck[0].lastState()))
	}
	return first, ""
}

// endedInFailedState reports whether a file ended in a failed state although its export gives no
// reason to refuse it and it cannot be too large. A range without quotes is no reason.
func (e *completedExport) endedInFailedState() bool {
	q := e.query
	return e.fault != nil && e.fault.Failure == client.FetchFailedState && q.asked.HasBothBounds() &&
		q.usesFieldsOnly() && !q.asked.Filter.NamesNoClient() && !q.asked.StartsAfterEnd()
}

// stuckFiles returns the files that stay in a state which those of later exports soon left, and what
// they have in common: at least two without rows, while none with rows is late; otherwise several
// of any kind. The first of all must be the file of the window.
func (s *Suite) stuckFiles(all []*completedExport) (stuck []*completedExport, which string) {
	conf := s.t.Deployment.Export.File
	if conf == nil || conf.State == nil {
		return nil, ""
	}
	withRows, slowest := 0, time.Duration(0)
	passed := map[string]bool{} // states that files left
	newest := 0                 // of the exports with a file
	for _, done := range all {
		switch {
		case done.refused:
		case done.fault == nil:
			slowest, newest = max(slowest, done.fetched.Took), max(newest, done.answer.Seq)
			for _, state := range append(done.stateNames(), done.firstStates()...) {
				passed[state] = passed[state] || !slices.Contains(conf.State.Ready, state)
			}
		case done.fault.Failure == client.FetchNotReady:
			stuck = append(stuck, done)
			if !done.query.keepsNoneOf(all[0].rows) {
				withRows++
			}
		}
	}
	stuck = slices.DeleteFunc(stuck, func(done *completedExport) bool {
		return !passed[done.lastState()] || done.answer.Seq > newest // it may wait in a queue
	})
	const several, soon = 5, 4 // the others took at most a quarter of the timeout
	switch {
	case withRows == 0 && len(stuck) > 1:
		return stuck, "all without rows"
	case len(stuck) >= several && slowest < conf.Timeout/soon:
		return stuck, "with rows and without"
	}
	return nil, ""
}

// firstStates returns the texts in file_state of the answer to the export.
func (e *completedExport) firstStates() []string {
	object, _, _ := answers.UnwrapExportAnswer(e.answer)
	return textsIn(object["file_state"])
}

// textsIn returns the texts in a document, at any depth.
func textsIn(doc any) (texts []string) {
	answers.WalkLeaves(doc, func(_ string, v any) {
		if text, is := v.(string); is {
			texts = append(texts, text)
		}
	})
	return texts
}

// isInProgress reports whether the file had a state but was not ready when its time was over.
func (e *completedExport) isInProgress() bool {
	return e.fault != nil && e.fault.Failure == client.FetchNotReady && len(e.fetched.States) > 0
}

var addressPattern = regexp.MustCompile(`^(/|https?://)`)

// blamedKeys returns the keys of the deployment file that may be the reason why the file was not
// fetched. It returns "" where the deployment is to blame: the file failed, is lost, did not
// come although its state promised it, or stays as the export left it.
func (s *Suite) blamedKeys(ctx spec.Context, done *completedExport) string {
	const request = "export.file.request and export.file.headers"
	const answer = "export.file.state and export.file.url, or wait longer by export.file.timeout,"
	conf, f, states := s.t.Deployment.Export.File, done.fault, done.stateNames()
	if f == nil || conf == nil {
		return ""
	}
	last := done.lastState()
	ready := conf.State != nil && slices.Contains(conf.State.Ready, last)
	switch {
	case f.Unread, f.Status == http.StatusTooManyRequests:
		ctx.Inconclusivef("%s", f.Error()) // a proxy, or our own limits
	case f.Failure == client.FetchFailedState, ready && f.Failure != client.FetchUnusableAnswer:
		return ""
	}
	x := s.t.Client.FetchOnce(ctx, done.fileID, s.t.Deployment.Credentials.Main(), false)
	ctx.StopOnError(s.lab.TransientError(ctx, x))
	switch {
	case x.IsClientError() && len(states) == 0:
		if x.Status == http.StatusGone || x.Status == http.StatusNotFound && s.isKnownAddress(ctx, done) {
			return ""
		}
		return request
	case !x.IsSuccess():
		return ""
	}
	doc, isJSON := answers.ParseJSON(x.Body)
	begun := conf.State == nil || slices.Contains(done.firstStates(), last)
	hasAddress := slices.ContainsFunc(textsIn(doc), addressPattern.MatchString)
	if !isJSON || !hasAddress && (ready || begun && len(states) < 2) {
		return ""
	}
	return answer
}

// isKnownAddress reports whether the deployment distinguishes the address of the file, which it
// does not find, from one that no file has.
func (s *Suite) isKnownAddress(ctx spec.Context, done *completedExport) bool {
	main := s.t.Deployment.Credentials.Main()
	for _, who := range []*deployment.Credential{main, nil} {
		a := s.t.Client.FetchOnce(ctx, done.fileID, who, false)
		b := s.t.Client.FetchOnce(ctx, done.fileID, who, true)
		ctx.StopOnError(s.lab.TransientError(ctx, a))
		ctx.StopOnError(s.lab.TransientError(ctx, b))
		if a.Status != b.Status || a.Header.Get("Content-Type") != b.Header.Get("Content-Type") ||
			answers.JSONShape(a) != answers.JSONShape(b) {
			return true
		}
	}
	return false
}

// lastState returns the state that the file was last seen in; "": none.
func (e *completedExport) lastState() string {
	if states := e.fetched.States; len(states) > 0 {
		return states[len(states)-1].Value
	}
	return ""
}

// stateNames returns the states that the file was seen in.
func (e *completedExport) stateNames() []string {
	names := make([]string, len(e.fetched.States))
	for i, st := range e.fetched.States {
		names[i] = st.Value
	}
	return names
}
