package client

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/curl"
)

// Script is what repeats several exchanges in a shell. Those that are not kept any more are passed over. Before them come
// those among others that were the same request, identifiers included: without them, a repeat would be a first request.
func (c *Client) Script(seqs []int, among ...int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	repeated := func(seq int) bool {
		x := c.kept[seq]
		return x != nil && slices.ContainsFunc(seqs, func(other int) bool {
			y := c.kept[other]
			return y != nil && y.Recorded.command.Fresh() && y.Recorded.command.Same(x.Recorded.command)
		})
	}
	var all []int
	for _, seq := range among {
		if len(seqs) > 0 && seq < seqs[0] && !slices.Contains(seqs, seq) && repeated(seq) {
			all = append(all, seq)
		}
	}
	var steps []curl.Step
	for _, seq := range append(all, seqs...) {
		if x := c.kept[seq]; x != nil {
			steps = append(steps, curl.Step{
				Command: x.Recorded.command, Label: c.redactor.Text(x.Label), File: x.Operation == File,
				Started: x.StartedAt, Ended: x.StartedAt.Add(x.Service),
			})
		}
	}
	return curl.Script(steps)
}
