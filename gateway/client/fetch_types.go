package client

import (
	"crypto/sha256"
	"io"
	"net/http"
	"net/url"
	"time"
)

// FetchOptions say how much of a file is wanted, and for how long.
type FetchOptions struct {
	Most   int64                 // bytes of the file that are enough; 0: the whole file is wanted
	Read   func(io.Reader) error // reads the file as it arrives, each time that it does; nil: nobody does
	Absent func() time.Duration  // how long a 404 or 204 is taken for a file that is early; nil or 0: always
}

// ExportFile is an export file as it was downloaded, with what the retrieval showed on the way.
type ExportFile struct {
	Size      int64 // bytes that were read, decoded from any Content-Encoding, and from gzip of the file itself
	Sum       [sha256.Size]byte
	Cut       bool          // the file goes on
	MediaType string        // Content-Type of the answer that carried the file
	From      *url.URL      // the download address that it came from; nil: the configured request gave it
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
	Unread bool // the file came, but in a compression that is damaged or unknown, or longer than this run reads
}

// NoFile reports whether a retrieval ended without a file although nothing broke: the deployment made none, or has
// none yet.
func (e *FetchError) NoFile() bool {
	return e.Fault == FailedState || e.Fault == NotReady && e.absent()
}

func (e *FetchError) absent() bool {
	return e.Status == http.StatusNotFound || e.Status == http.StatusNoContent
}

func (e *FetchError) Error() string { return string(e.Fault) + ": " + e.Detail }
