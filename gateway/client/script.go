package client

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/curl"
)

// WithFirst puts before some exchanges those among others that were the same request, identifiers included, sent
// earlier: without them, a repeat would be a first request.
func (c *Client) WithFirst(seqs, among []int) []int {
	equal := func(seq int) bool {
		x := c.Exchange(seq)
		return x != nil && slices.ContainsFunc(seqs, func(other int) bool {
			y := c.Exchange(other)
			return y != nil && y.Recorded.command.Fresh() && y.Recorded.command.Same(x.Recorded.command)
		})
	}
	var first []int
	for _, seq := range among {
		if len(seqs) > 0 && seq < seqs[0] && !slices.Contains(seqs, seq) && equal(seq) {
			first = append(first, seq)
		}
	}
	return append(first, seqs...)
}

// Script is what repeats several exchanges in a shell. Those that are not kept any more are passed over.
func (c *Client) Script(seqs []int) string {
	var steps []curl.Step
	for _, seq := range seqs {
		if x := c.Exchange(seq); x != nil {
			steps = append(steps, curl.Step{
				Command: x.Recorded.command, Label: c.redactor.Text(x.Label), File: x.Operation == File, Status: x.Status,
				Started: x.StartedAt, Ended: x.StartedAt.Add(x.Service),
			})
		}
	}
	return curl.Script(steps)
}
