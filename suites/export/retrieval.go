package export

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// retrievable: a file that was never fetched is a violation only where the deployment file cannot be the reason. How
// a file is fetched is not documented, so an address, a pointer or a state may be misspelt there.
func (s *Suite) retrievable() {
	s.Uses(s.plain.window)
	asked := spec.Observe(s.Plan, "why the file could not be fetched", act(func(l look) inquiry {
		return s.inquire(l, l.sheet(s.plain.window))
	}))
	var others []download
	if s.t.Deployment.Fixtures.Window != nil {
		others = []download{s.plain.rising, s.plain.settled, s.plain.settledRising}
	}
	for _, o := range others {
		s.Uses(o)
	}
	s.It("fetches the file of an export", func(ctx spec.Context) {
		sh, found := s.plain.window.Await(ctx), ""
		if !sh.started() {
			ctx.GiveUp(sh.usable())
		}
		if sh.fault != nil {
			if sh.fault.Fault == client.NotConfigured || sh.fileID == "" {
				ctx.GiveUp(sh.usable())
			}
			if key, why := asked.Await(ctx).doubt(s.t.Deployment.Export.File, sh); why != "" {
				if key != "" {
					why += "; check " + key + " in the deployment file"
				}
				ctx.Inconclusive("%s", s.shown(why))
			}
			found = s.shown(cmp.Or(lingering(sh), sh.fault.Error()))
			if seen := sh.states(); len(seen) > 0 {
				found += "; states seen: " + s.shown(strings.Join(seen, ", "))
			}
		}
		// Where the window has quotes of both dates, no sort and no order leaves a file without rows, which some
		// deployments report as a failure.
		if sh.fault == nil && slices.ContainsFunc(sh.rows, s.settledWithin) {
			for _, o := range others {
				if other := o.Await(ctx); found == "" && other.fault != nil && other.fault.Fault == client.FailedState {
					found = s.shown(other.query.label + ": " + other.fault.Error())
				}
			}
		}
		ctx.Expect(found).To(BeNothing("The file of an accepted export cannot be fetched", "the file, by its file_id"))
	})
}

// settledWithin reports whether the window has a quote by its settled_date, too.
func (s *Suite) settledWithin(q statement.Quote) bool {
	window, at := s.t.Deployment.Fixtures.Window, q.SettledDate
	return window != nil && at.Usable() && !at.Time.Before(window.Start) && at.Time.Before(window.End)
}

// inquiry is what the retrieval answers after the file was given up.
type inquiry struct {
	again     *client.Exchange    // the configured request once more; nil: there was no reason to ask
	anonymous *client.Exchange    // the same without a credential, after a 404
	elsewhere [2]*client.Exchange // an address that nobody has, without a credential and with one, after a 404
}

func (s *Suite) inquire(l look, sh *sheet) inquiry {
	var q inquiry
	if sh.fault == nil || sh.fileID == "" || s.t.Deployment.Export.File == nil {
		return q
	}
	main := s.t.Deployment.Credentials.Main()
	q.again = s.t.Client.FetchOnce(l, sh.fileID, main)
	if q.again.Status == http.StatusNotFound {
		q.anonymous = s.t.Client.FetchOnce(l, sh.fileID, nil)
		for i, who := range []*deployment.Credential{nil, main} {
			q.elsewhere[i] = s.t.Client.Once(l, nowhere(s.t.Deployment.Export.File, sh.fileID, who))
		}
	}
	for _, x := range []*client.Exchange{q.again, q.anonymous, q.elsewhere[0], q.elsewhere[1]} {
		if x != nil {
			l.end(s.t.Usable(l, x))
		}
	}
	return q
}

// nowhere is the configured request with another name for what lies before the file's ID: an address that no
// deployment has.
func nowhere(conf *deployment.Retrieval, fileID string, who *deployment.Credential) *client.Request {
	method, address, found := strings.Cut(strings.TrimSpace(conf.Request), " ")
	if !found {
		method, address = http.MethodGet, method
	}
	address, _, _ = strings.Cut(strings.TrimSpace(address), "?")
	parts := strings.Split(address, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "" && !strings.Contains(parts[i], "{file_id}") {
			parts[i] = "gateassay-no-such-" + parts[i]
			break
		}
	}
	r := &client.Request{
		Label: "an address that nobody has", Operation: client.File, Method: strings.ToUpper(method), Credential: who,
		Path: strings.ReplaceAll(strings.Join(parts, "/"), "{file_id}", fileID), Header: http.Header{},
	}
	for name, value := range conf.Headers {
		r.Header[name] = []string{strings.ReplaceAll(value, "{uuid}", target.UUID())}
	}
	return r
}

// doubt says why the deployment file may be to blame, and which of its keys; nothing where it is not.
func (q inquiry) doubt(conf *deployment.Retrieval, sh *sheet) (key, why string) {
	x, states := q.again, sh.states()
	switch {
	case x == nil, sh.fault.Fault == client.FailedState:
	case strings.HasPrefix(sh.fault.Detail, "the file is longer"):
		return "", sh.fault.Error() + ", which is more than is read"
	case sh.fault.Undecoded(): // a proxy may have done it
		return "", sh.fault.Error()
	case sh.fault.Status == http.StatusTooManyRequests: // of the download, where the configured request is answered
		return "", "throttled: " + sh.fault.Error()
	case len(states) > 0 && slices.Contains(conf.State.Ready, states[len(states)-1]) &&
		sh.fault.Fault != client.Unusable:
		// what the state promised did not come
	case x.Status == http.StatusTooManyRequests:
		return "", "throttled until the time ran out: " + target.Describe(x)
	case x.Status == http.StatusNotFound:
		// Only at an address that the deployment knows is the file lost: it is treated otherwise than one that nobody
		// has.
		known := len(states) > 0 || q.anonymous.Refusal() && q.anonymous.Status != q.elsewhere[0].Status ||
			q.again.Status != q.elsewhere[1].Status || handled(q.again) != handled(q.elsewhere[1])
		if !known {
			return "export.file.request", "every file is answered with 404, and so is an address that nobody has"
		}
	case x.Refusal() && x.Status != http.StatusGone && len(states) == 0:
		return "export.file.request and export.file.headers", "the retrieval is refused with " + target.Describe(x)
	case x.Success():
		return wrongPlace(conf, sh, x)
	}
	return "", ""
}

// handled is the media type of an answer and the members of its JSON: what one handler always answers alike.
func handled(x *client.Exchange) string {
	media, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if doc, isJSON := target.Document(x.Body); isJSON {
		return media + " " + shape(doc)
	}
	return media
}

// wrongPlace: the retrieval answers, and the answer does not fit what the deployment file says of it.
func wrongPlace(conf *deployment.Retrieval, sh *sheet, x *client.Exchange) (key, why string) {
	object, isJSON := target.Document(x.Body)
	address := ""
	if conf.URL != "" {
		found, _ := client.Lookup(object, conf.URL)
		address, _ = found.(string)
	}
	misplaced := address == "" && holdsAddress(object)
	switch {
	case !isJSON, conf.State == nil && !misplaced:
		return "", ""
	case conf.State == nil:
		return "export.file.url", fmt.Sprintf("the answer has no address at %s, but one elsewhere", conf.URL)
	}
	pointed, _ := client.Lookup(object, conf.State.Pointer)
	state, isScalar := scalar(pointed)
	seen := sh.states()
	switch {
	case !isScalar && lastScalar(sh) == "":
		return "export.file.state.pointer", fmt.Sprintf("the answer has no state at %s", conf.State.Pointer)
	case !isScalar: // the state was there before
		return "", ""
	case slices.Contains(conf.State.Ready, state) && (conf.URL == "" || misplaced):
		return "export.file.url", fmt.Sprintf("the file is ready (state %q), but the answer has no address at %q",
			state, conf.URL)
	case slices.Contains(conf.State.Ready, state), slices.Contains(conf.State.Failed, state),
		// It never left the state that the export was answered with.
		address == "" && len(seen) < 2 && slices.Contains(firstStates(sh), state):
		return "", ""
	case conf.URL != "" && address == "" && !misplaced: // whatever the state is called, there is no file to be had
		if lingering(sh) == "" {
			return "", ""
		}
		return "export.file.timeout", fmt.Sprintf("%s: it may only need longer, as the document sets no time; states seen: %s",
			lingering(sh), strings.Join(seen, ", "))
	}
	return "export.file.state.ready", fmt.Sprintf("%s that is neither ready (%s) nor failed (%s); states seen: %s",
		cmp.Or(lingering(sh), "the file ended in a state"),
		strings.Join(conf.State.Ready, ", "), strings.Join(conf.State.Failed, ", "), strings.Join(seen, ", "))
}

// lingering says which state a file was still in when the time was over; nothing for one that ended otherwise.
func lingering(sh *sheet) string {
	state := lastScalar(sh)
	if state == "" || sh.fault == nil || sh.fault.Fault != client.NotReady {
		return ""
	}
	return fmt.Sprintf("after %s the file is still in the state %s", sh.fetched.Took.Round(time.Second), state)
}

// lastScalar is the last state, where it was a text, a number or a boolean.
func lastScalar(sh *sheet) string {
	last := strings.Join(sh.states()[max(0, len(sh.states())-1):], "")
	if last == "null" || strings.HasPrefix(last, "{") || strings.HasPrefix(last, "[") {
		return ""
	}
	return last
}

// firstStates are the values inside file_state, as the export was answered.
func firstStates(sh *sheet) (all []string) {
	object, _ := members(sh.answer)
	target.Leaves(object["file_state"], func(_ string, v any) {
		if text, ok := scalar(v); ok {
			all = append(all, text)
		}
	})
	return all
}

// states lists the states that the file was seen in.
func (sh *sheet) states() []string {
	names := make([]string, len(sh.fetched.States))
	for i, st := range sh.fetched.States {
		names[i] = st.Value
	}
	return names
}
