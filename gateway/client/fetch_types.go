package client

import "time"

// Fetched is an export file as it was downloaded, with what the retrieval showed on the way.
type Fetched struct {
	Bytes     []byte        // decoded from any Content-Encoding, and from gzip where the file itself is compressed
	Cut       bool          // the file goes on
	MediaType string        // Content-Type of the answer that carried the file
	Name      string        // from Content-Disposition, or the last path segment of the download address
	Encoding  string        // how it was compressed: "", "gzip (transfer)", "gzip (file)"
	States    []StateSeen   // distinct states in the order seen
	Took      time.Duration // from the first poll to the file
}

// StateSeen is one state of the file and when, after the first poll, it was first seen.
type StateSeen struct {
	Value string
	After time.Duration
}

// FetchFault says why a file could not be fetched.
type FetchFault string

// Faults of a retrieval.
const (
	NotConfigured FetchFault = "not configured"    // export.file is absent from the deployment file
	NotReady      FetchFault = "not ready in time" // export.file.timeout passed
	FailedState   FetchFault = "failed state"      // the state is one of export.file.state.failed
	Denied        FetchFault = "denied"            // a 4xx that does not go away
	Broken        FetchFault = "broken"            // 5xx or transport trouble that does not go away
	Unusable      FetchFault = "unusable answer"   // no state, no address, or an address that is not a URL
)

// FetchError explains a failed retrieval.
type FetchError struct {
	Fault  FetchFault
	Status int // last status, 0 without an answer
	Detail string
}

func (e *FetchError) Error() string { return string(e.Fault) + ": " + e.Detail }
