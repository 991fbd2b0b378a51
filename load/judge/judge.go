// Package judge says what became of a request of a load run: whether replay protection treated it
// as documented, and whether an accepted export was answered as documented. It is made for the hot
// path.
package judge

import (
	"net/http"
	"sync"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Expect is what the document says about a request.
type Expect uint8

// What can be expected.
const (
	Pass   Expect = iota // it repeats nothing: replay protection lets it through
	Block                // it repeats a request that was accepted before it was sent
	Either               // it repeats a request that was not, or not yet, accepted: either is right
)

// Verdict is the judgement of one request.
type Verdict struct {
	Class   Class
	Failure Failure // for TransportError and Timeout
	Rule    string  // ID of the violated rule in gateway/rules; empty: none
}

// Judge judges answers. It is safe for concurrent use.
type Judge struct {
	blockStatus int
	modes       []rules.ReplayMode
	answers     sync.Pool // of *answer
	pairs       pairs
}

// New makes a judge for a deployment that blocks with a status, a 4xx; 0: not known. When it is
// known, any other 4xx for a fresh request is a client error instead of a false block.
func New(blockStatus int) *Judge {
	j := &Judge{
		blockStatus: blockStatus, answers: sync.Pool{New: func() any { return new(answer) }},
		pairs: pairs{open: map[int64]Class{}}, modes: rules.ReplayModes(),
	}
	return j
}

// Answer judges an answer: its status, its whole body, what was expected, and the replay mode as an
// index of rules.ReplayModes().
func (j *Judge) Answer(status int, body []byte, expect Expect, mode int) Verdict {
	switch {
	case status >= 200 && status < 300:
		return j.success(body, expect, mode)
	case status >= 500 && status < 600:
		return Verdict{Class: ServerError}
	case status >= 400 && status < 500:
		return j.refusal(status, expect, mode)
	}
	// Neither accepted nor refused: a redirect, or a status that HTTP does not have.
	if expect == Block {
		return Verdict{Class: Malformed, Rule: "replay.blocked_is_4xx"}
	}
	return Verdict{Class: Malformed, Rule: "export.success"}
}

func (j *Judge) success(body []byte, expect Expect, mode int) Verdict {
	a := j.answers.Get().(*answer)
	defect := a.read(body)
	j.answers.Put(a)
	if expect == Block {
		if defect == Sound || defect == NoFileState || defect == NoCreatedAt {
			return Verdict{Class: MissedBlock, Rule: j.same(mode)} // a file was started
		}
		return Verdict{Class: Malformed, Rule: "replay.blocked_is_4xx"}
	}
	if defect == Sound {
		return Verdict{Class: Accepted}
	}
	return Verdict{Class: Malformed, Rule: defect.Rule()}
}

func (j *Judge) refusal(status int, expect Expect, mode int) Verdict {
	known := j.blockStatus != 0
	switch {
	case expect != Pass && known && status == j.blockStatus:
		return Verdict{Class: Blocked}
	case status == http.StatusTooManyRequests:
		return Verdict{Class: Throttled}
	case aboutOther(status):
		return Verdict{Class: ClientError}
	case expect != Pass:
		return Verdict{Class: Blocked} // a block may have any 4xx
	case known && status != j.blockStatus:
		return Verdict{Class: ClientError}
	}
	return Verdict{Class: FalseBlock, Rule: j.first(mode)}
}

// aboutOther lists refusals that speak of the caller, the address or the transport, never of an
// earlier request.
func aboutOther(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusProxyAuthRequired,
		http.StatusRequestTimeout, http.StatusLengthRequired, http.StatusRequestEntityTooLarge,
		http.StatusRequestURITooLong, http.StatusUnsupportedMediaType,
		http.StatusExpectationFailed, http.StatusMisdirectedRequest, http.StatusUpgradeRequired,
		http.StatusRequestHeaderFieldsTooLarge:
		return true
	}
	return false
}

func (j *Judge) first(mode int) string { return "replay." + j.modes[mode].Name + ".first" }
func (j *Judge) same(mode int) string  { return "replay." + j.modes[mode].Name + ".same" }
func (j *Judge) race(mode int) string  { return "replay.race." + j.modes[mode].Name }

// Failed judges a request that got no answer.
func (j *Judge) Failed(err error) Verdict {
	f := FailureOf(err)
	if f == TimedOut {
		return Verdict{Class: Timeout, Failure: f}
	}
	return Verdict{Class: TransportError, Failure: f}
}

// pairs judges requests that are sent twice in a row, so that both may be under way at once:
// whichever is accepted, the other must not be.
type pairs struct {
	mu   sync.Mutex
	open map[int64]Class // of the request answered first, by the pair's first request
}

// mostOpen bounds the memory; a deployment that answers nothing leaves pairs open.
const mostOpen = 1 << 16

// Pair judges one request of a pair, whose first is request first of the run, again in the light of
// the other, once both were answered. v is its verdict by itself, status its answer's.
func (j *Judge) Pair(first int64, v Verdict, status int, expect Expect, mode int) Verdict {
	p := &j.pairs
	p.mu.Lock()
	defer p.mu.Unlock()
	other, both := p.open[first]
	if both {
		delete(p.open, first)
	} else if len(p.open) < mostOpen {
		p.open[first] = v.Class
	}
	switch {
	case !both || expect == Block: // the one is judged by itself
	case other == Accepted && v.Class == Accepted:
		return Verdict{Class: MissedBlock, Rule: j.race(mode)}
	case other == Blocked && v.Class == Blocked && j.blockStatus != 0 && status != j.blockStatus:
		return Verdict{Class: ClientError}
	case other == Blocked && v.Class == Blocked:
		return Verdict{Class: FalseBlock, Rule: j.first(mode)}
	}
	return v
}
