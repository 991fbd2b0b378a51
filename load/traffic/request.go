// Package traffic makes the requests of a load run. What request k carries is a pure function of the run key and k, so
// that any process can make any request again, and so that no two of a run, nor of two runs, look like replays of each
// other unless they are meant to.
package traffic

import "github.com/gateassay/gateassay/load/judge"

// Request is what varies from one export request to the next. Fill writes into it again and again; a Request is for one
// goroutine, and its fields are valid until the next Fill.
type Request struct {
	K           int64
	Mode        int      // index of rules.Modes()
	Replay      string   // x-include-replay-protection-schema; empty: leave the header out
	Nonce       [36]byte // nonce: a UUID v4 in lower case
	Transaction [36]byte // x-transaction-uuid: a UUID v4 in lower case; sent in every mode
	Language    string   // x-lang; empty: leave the header out
	Wallet      string   // x-wallet-uuid; empty: leave the header out
	Body        []byte   // JSON, in a buffer that Fill reuses

	Repeat bool         // all of the above is that of request Of, whose header and bytes go out once more
	Of     int64        // with Repeat: the earlier request; otherwise K
	Expect judge.Expect // Pass, or Block for a repeat; the sender sets Either when Of was not accepted before the repeat is sent
}
