// Package judge judges the outcome of each request of a load run: whether replay protection
// treated it as documented, and whether an accepted export was answered as documented. It is
// optimized for the hot path.
package judge

import (
	"hash/maphash"
	"net/http"
	"sync"

	"github.com/gateassay/gateassay/gateway/rules"
)

// An Expectation says what the document demands for a request.
type Expectation uint8

// Expectations.
const (
	ExpectPass  Expectation = iota // a fresh request: replay protection must let it pass
	ExpectBlock                    // a repeat of a request accepted before
	// a repeat of a request not, or not yet, accepted: either is right
	ExpectEither
)

// Judgement is the judgement of one request.
type Judgement struct {
	Class   Class
	Failure Failure // for ClassTransportError and ClassTimeout
	Rule    string  // ID of the violated rule in gateway/rules; empty: none
}

// Judge judges answers. It is safe for concurrent use.
type Judge struct {
	blockStatuses []int // by mode; 0: unknown
	modes         []rules.ReplayMode
	answers       sync.Pool // of *exportAnswer
	fileIDs       fileIDs

	// A pair is a request and its immediate repeat, which may both be in flight. At most one may be
	// accepted.
	mu    sync.Mutex
	pairs map[int64]Class // class of the request answered first, by K of the pair's first
}

// New makes a judge for a deployment that blocks with a status, a 4xx, which may depend on the
// mode: an index of rules.ReplayModes(). 0 is an unknown status; nil: all are unknown. If it is
// known, any other 4xx for a fresh request is a client error, not a false block.
func New(blockStatuses []int) *Judge {
	j := &Judge{
		answers: sync.Pool{New: func() any { return new(exportAnswer) }},
		pairs:   map[int64]Class{}, modes: rules.ReplayModes(),
		fileIDs: fileIDs{seed: maphash.MakeSeed(), recent: map[uint64]struct{}{}},
	}
	j.blockStatuses = make([]int, len(j.modes))
	copy(j.blockStatuses, blockStatuses)
	return j
}

// Answer is what an answer is judged by.
type Answer struct {
	Status     int
	Body       []byte // the whole
	RetryAfter bool   // it has a Retry-After header
}

// IsThrottling reports whether the answer asks the caller to come again later: 429, or any 4xx
// with Retry-After, because a blocked repeat stays blocked.
func (a Answer) IsThrottling() bool {
	return a.Status == http.StatusTooManyRequests ||
		a.RetryAfter && a.Status >= 400 && a.Status < 500 && !isUnrelatedRefusal(a.Status)
}

// IsFailing reports whether a status is an error of the deployment itself. 502, 503 and 504 are
// not: they say that it cannot be reached, or asks for patience.
func IsFailing(status int) bool {
	return status >= 500 && status < 600 && status != http.StatusBadGateway &&
		status != http.StatusServiceUnavailable && status != http.StatusGatewayTimeout
}

// JudgeAnswer judges an answer. mode is an index of rules.ReplayModes().
func (j *Judge) JudgeAnswer(a Answer, expect Expectation, mode int) Judgement {
	switch status := a.Status; {
	case status >= 200 && status < 300:
		return j.judgeSuccess(a.Body, expect, mode)
	case status >= 500 && status < 600:
		return Judgement{Class: ClassServerError}
	case status >= 400 && status < 500:
		return j.judgeRefusal(a, expect, mode)
	}
	// Neither accepted nor refused: a redirect, or a status that HTTP does not have.
	if expect == ExpectBlock {
		return Judgement{Class: ClassMalformed, Rule: "replay.blocked_is_4xx"}
	}
	return Judgement{Class: ClassMalformed, Rule: "export.success"}
}

func (j *Judge) judgeSuccess(body []byte, expect Expectation, mode int) Judgement {
	a := j.answers.Get().(*exportAnswer)
	defect := a.parse(body)
	givenAgain := defect == DefectNone && expect == ExpectPass && j.fileIDs.add(a.FileID)
	j.answers.Put(a)
	if expect == ExpectBlock {
		if defect == DefectNone || defect == DefectNoFileState || defect == DefectNoCreatedAt {
			// a file was started
			return Judgement{Class: ClassMissedBlock, Rule: "replay." + j.modes[mode].Name + ".same"}
		}
		return Judgement{Class: ClassMalformed, Rule: "replay.blocked_is_4xx"}
	}
	switch {
	case givenAgain: // nobody can tell whose file it names
		return Judgement{Class: ClassMalformed, Rule: "export.response.distinct_ids"}
	case defect == DefectNone:
		return Judgement{Class: ClassAccepted}
	}
	return Judgement{Class: ClassMalformed, Rule: defect.Rule()}
}

func (j *Judge) judgeRefusal(a Answer, expect Expectation, mode int) Judgement {
	status, block := a.Status, j.blockStatuses[mode]
	switch {
	case expect != ExpectPass && status == block && !a.RetryAfter:
		return Judgement{Class: ClassBlocked}
	case a.IsThrottling():
		return Judgement{Class: ClassThrottled}
	case isUnrelatedRefusal(status):
		return Judgement{Class: ClassClientError}
	case expect != ExpectPass:
		return Judgement{Class: ClassBlocked} // a block may have any 4xx
	case block != 0 && status != block:
		return Judgement{Class: ClassClientError}
	}
	return Judgement{Class: ClassFalseBlock, Rule: j.firstRequestRule(mode)}
}

// isUnrelatedRefusal reports whether a status refuses the caller, the address or the transport,
// and so says nothing about an earlier request.
func isUnrelatedRefusal(status int) bool {
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

func (j *Judge) firstRequestRule(mode int) string {
	return "replay." + j.modes[mode].Name + ".first"
}

// JudgeFailure judges a request that got no answer.
func (j *Judge) JudgeFailure(err error) Judgement {
	f := FailureOf(err)
	if f == FailureTimeout {
		return Judgement{Class: ClassTimeout, Failure: f}
	}
	return Judgement{Class: ClassTransportError, Failure: f}
}

// maxOpenPairs limits memory: a deployment that does not answer leaves pairs open.
const maxOpenPairs = 1 << 16

// JudgePair judges one request of a pair, whose first is request first of the run, again in the
// light of the other, once both were answered. v is its verdict by itself, status its answer's.
func (j *Judge) JudgePair(
	first int64, v Judgement, status int, expect Expectation, mode int,
) Judgement {
	j.mu.Lock()
	defer j.mu.Unlock()
	other, both := j.pairs[first]
	if both {
		delete(j.pairs, first)
	} else if len(j.pairs) < maxOpenPairs {
		j.pairs[first] = v.Class
	}
	block := j.blockStatuses[mode]
	switch {
	case !both || expect == ExpectBlock: // the one is judged by itself
	case other == ClassAccepted && v.Class == ClassAccepted:
		return Judgement{Class: ClassMissedBlock, Rule: "replay.race." + j.modes[mode].Name}
	case other == ClassBlocked && v.Class == ClassBlocked && block != 0 && status != block:
		return Judgement{Class: ClassClientError}
	case other == ClassBlocked && v.Class == ClassBlocked:
		return Judgement{Class: ClassFalseBlock, Rule: j.firstRequestRule(mode)}
	}
	return v
}
