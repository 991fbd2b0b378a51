package client

import (
	"fmt"
	"time"
)

// FetchFailure is the reason why a file could not be fetched.
type FetchFailure string

// The reasons.
const (
	// export.file is absent from the deployment file
	FetchNotConfigured FetchFailure = "not configured"
	FetchNotReady      FetchFailure = "not ready in time" // export.file.timeout passed
	// the state is one of export.file.state.failed
	FetchFailedState FetchFailure = "failed state"
	// the state says that there is nothing to put into a file, such as NO_DATA or EMPTY
	FetchNoData FetchFailure = "no data"
	FetchDenied FetchFailure = "denied" // a 4xx that stays
	// a 5xx or a failed connection that stays
	FetchBroken FetchFailure = "broken"
	// no state, no address, or an address that is not a URL
	FetchUnusableAnswer FetchFailure = "unusable answer"
)

// FetchError describes a failed retrieval.
type FetchError struct {
	Failure FetchFailure
	Status  int    // last status, 0 without an answer
	Detail  string // what the last answer said
	Waited  string // how long the file was awaited, and what set that; empty: not until then
	// the file arrived, but it is damaged, in an unknown compression or too long
	Unread bool

	again bool          // a retry may succeed
	wait  time.Duration // how long the answer asks to wait
}

func (e *FetchError) Error() string {
	if e.Waited != "" {
		return fmt.Sprintf("%s: no file within %s; last: %s", e.Failure, e.Waited, e.Detail)
	}
	return string(e.Failure) + ": " + e.Detail
}
