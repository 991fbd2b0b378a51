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
	asked := spec.Observe(s.Plan, "why the file could not be fetched", act(func(l look) doubt {
		return s.doubt(l, l.sheet(s.plain.window))
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
		if sh.refused || sh.fault != nil && (sh.fault.Fault == client.NotConfigured || sh.fileID == "") {
			ctx.GiveUp(sh.usable())
		}
		if sh.fault != nil {
			if d := asked.Await(ctx); d.why != "" {
				if d.key != "" {
					d.why += "; check " + d.key + " in the deployment file"
				}
				ctx.Inconclusive("%s", s.shown(d.why))
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

// doubt is why the deployment file may be to blame for a file that was not fetched, and which of its keys; the zero value:
// it is not.
type doubt struct{ key, why string }

func (s *Suite) doubt(l look, sh *sheet) doubt {
	conf, f, states, main := s.t.Deployment.Export.File, sh.fault, sh.states(), s.t.Deployment.Credentials.Main()
	if f == nil || sh.fileID == "" || conf == nil {
		return doubt{}
	}
	switch {
	case f.Fault == client.FailedState:
		return doubt{}
	case strings.HasPrefix(f.Detail, "the file is longer"):
		return doubt{"", f.Error() + ", which is more than is read"}
	case f.Undecoded(): // a proxy may have done it
		return doubt{"", f.Error()}
	case f.Status == http.StatusTooManyRequests:
		return doubt{"", "throttled: " + f.Error()}
	case len(states) > 0 && slices.Contains(conf.State.Ready, states[len(states)-1]) && f.Fault != client.Unusable:
		return doubt{} // what the state promised did not come
	}
	x := s.t.Client.FetchOnce(l, sh.fileID, main)
	l.end(s.t.Usable(l, x))
	switch {
	case x.Status == http.StatusNotFound && len(states) == 0:
		// Only at an address that the deployment knows is the file lost: it is treated otherwise than one that nobody has.
		for _, who := range []*deployment.Credential{main, nil} {
			here, nobodys := s.t.Client.FetchOnce(l, sh.fileID, who), s.t.Client.Once(l, nowhere(conf, sh.fileID, who))
			l.end(cmp.Or(s.t.Usable(l, here), s.t.Usable(l, nobodys)))
			if here.Status != nobodys.Status || handled(here) != handled(nobodys) {
				return doubt{}
			}
		}
		return doubt{"export.file.request", "every file is answered with 404, and so is an address that nobody has"}
	case x.Status != http.StatusNotFound && x.Refusal() && x.Status != http.StatusGone && len(states) == 0:
		return doubt{"export.file.request and export.file.headers", "the retrieval is refused with " + target.Describe(x)}
	case x.Success():
		return wrongPlace(conf, sh, x)
	}
	return doubt{}
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

// handled is the media type of an answer and the members of its JSON: what one handler always answers alike.
func handled(x *client.Exchange) string {
	media, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if doc, isJSON := target.Document(x.Body); isJSON {
		return media + " " + shape(doc)
	}
	return media
}

// wrongPlace: the retrieval answers, and the answer does not fit what the deployment file says of it.
func wrongPlace(conf *deployment.Retrieval, sh *sheet, x *client.Exchange) doubt {
	object, isJSON := target.Document(x.Body)
	found, _ := client.Lookup(object, conf.URL)
	address, _ := found.(string)
	misplaced := (conf.URL == "" || address == "") && holdsAddress(object)
	if !isJSON || conf.State == nil && !misplaced {
		return doubt{}
	}
	if conf.State == nil {
		return doubt{"export.file.url", fmt.Sprintf("the answer has no address at %s, but one elsewhere", conf.URL)}
	}
	pointed, _ := client.Lookup(object, conf.State.Pointer)
	state, isScalar := scalar(pointed)
	seen := sh.states()
	ready := slices.Contains(conf.State.Ready, state)
	stuck := cmp.Or(lingering(sh), "the file ended in a state")
	switch {
	case !isScalar && lastScalar(sh) == "":
		return doubt{"export.file.state.pointer", fmt.Sprintf("the answer has no state at %s", conf.State.Pointer)}
	case isScalar && ready && (conf.URL == "" || misplaced):
		return doubt{"export.file.url", fmt.Sprintf("the file is ready (state %q), but the answer has no address at %q",
			state, conf.URL)}
	case !isScalar, ready, slices.Contains(conf.State.Failed, state),
		address == "" && len(seen) < 2 && slices.Contains(firstStates(sh), state): // it never left the first state
		return doubt{}
	case conf.URL != "" && address == "" && !misplaced: // whatever the state is called, there is no file to be had
		if lingering(sh) == "" {
			return doubt{}
		}
		return doubt{"export.file.timeout", fmt.Sprintf("%s: it may only need longer, as the document sets no time; states seen: %s",
			stuck, strings.Join(seen, ", "))}
	}
	return doubt{"export.file.state.ready", fmt.Sprintf("%s that is neither ready (%s) nor failed (%s); states seen: %s", stuck,
		strings.Join(conf.State.Ready, ", "), strings.Join(conf.State.Failed, ", "), strings.Join(seen, ", "))}
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
