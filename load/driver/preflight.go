package driver

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
)

// discovery is what the preflight found out.
type discovery struct {
	status int // with which the deployment blocks; 0: not known, or different ones
	notes  []string
}

// preflightTries bounds how many fresh requests are looked at for one of each mode.
const preflightTries = 4000

// preflight sends one fresh export in each mode of the plan, and each that was accepted once more. It fails when the
// deployment cannot be reached, or accepts none.
func (r *run) preflight(ctx context.Context) (*discovery, error) {
	g, err := r.plan.WithRun(r.preflightID()).Generator(r.o.Deployment, r.schedule)
	if err != nil {
		return nil, &UsageError{err}
	}
	found, modes := &discovery{}, rules.Modes()
	accepted := 0
	var refused error
	var answer *client.Exchange // that says so
	done, users := make([]bool, len(modes)), 0
	request := &traffic.Request{}
	for k := range int64(preflightTries) {
		if mode := g.Mode(k); done[mode] && users >= len(r.target.Identities) {
			continue
		} else {
			done[mode] = true
		}
		g.FillFresh(k, request)
		request.Identity = users % len(r.target.Identities)
		users++
		mode := modes[request.Mode]
		x := r.once(ctx, request)
		if x.Err != nil {
			return nil, r.explained(x, fmt.Errorf("no load can be sent to the deployment %s: %s",
				r.o.Deployment.Name, x.Err.Detail))
		}
		if !x.Success() || judge.Inspect(x.Body) != judge.Sound {
			if refused == nil {
				did := "refuses a valid export"
				if x.Success() {
					did = "answers a valid export with something else"
				}
				answer, refused = x, fmt.Errorf("the deployment %s %s (%s): %s%s; gateassay doctor says what is wrong",
					r.o.Deployment.Name, did, words(mode), reply(x.Status), excerpt(x.Recorded.ResponseBody))
			}
			found.notes = append(found.notes, fmt.Sprintf("before the run, a fresh export (%s) was not accepted: %s",
				words(mode), reply(x.Status)))
			continue
		}
		accepted++
		switch x := r.once(ctx, request); {
		case x.Err != nil:
			found.notes = append(found.notes, fmt.Sprintf("before the run, a repeated export (%s) got no answer: %v",
				words(mode), x.Err.Detail))
		case x.Status < 400 || x.Status > 499 || x.Status == http.StatusTooManyRequests:
			found.notes = append(found.notes, fmt.Sprintf("before the run, a repeated export (%s) was not blocked: %s",
				words(mode), reply(x.Status)))
		case found.status == 0 && accepted == 1:
			found.status = x.Status
		case found.status != x.Status:
			found.status = 0
		}
	}
	if accepted == 0 && refused == nil {
		return nil, errors.New("the plan sends no request")
	}
	if accepted == 0 {
		return nil, r.explained(answer, refused)
	}
	return found, nil
}

// explained is what the caller says about an answer, else the error itself.
func (r *run) explained(x *client.Exchange, err error) error {
	if r.o.Explain != nil {
		if better := r.o.Explain(x); better != nil {
			return better
		}
	}
	if x.Refusal() && r.o.RunID != "" {
		err = fmt.Errorf("%w. If a run %s was made here before, its requests now count as replays: use another --run-id",
			err, r.o.RunID)
	}
	return err
}

// once sends a request of the traffic, outside the run, as conform would send it.
func (r *run) once(ctx context.Context, q *traffic.Request) *client.Exchange {
	header := r.target.Header.Clone()
	header.Del("User-Agent") // the client has its own
	q.EachHeader(func(name, value string) { header[name] = []string{value} })
	return r.client.Once(ctx, &client.Request{
		Label: "before the run", Operation: client.Export, Path: r.o.Deployment.Export.Path, Header: header,
		Body:       q.Body,
		Credential: credentials(r.o.Deployment)[q.Identity], MayBlock: true,
	})
}

func words(m rules.Mode) string {
	if m.Header == "" {
		return "no replay protection value"
	}
	return "replay protection " + m.Header
}

func reply(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return fmt.Sprint(status)
}

// excerpt is the beginning of a body, for a message.
func excerpt(body []byte) string {
	const most = 200
	if len(body) == 0 {
		return ""
	}
	if len(body) > most {
		body = append(body[:most:most], "…"...)
	}
	return fmt.Sprintf(" %q", body)
}
