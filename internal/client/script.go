package client

import "github.com/gateassay/gateassay/internal/curl"

// Script is what repeats exchanges in a shell. Those that are not kept any more are passed over.
func (c *Client) Script(seqs ...int) string {
	var steps []curl.Step
	for _, seq := range seqs {
		if x := c.Exchange(seq); x != nil {
			request := x.Recorded.step.Request
			request.Body = c.redactor.Body(x.Recorded.sent)
			steps = append(steps, curl.Step{
				Command: curl.Of(request), Label: x.Recorded.step.Label, File: x.Operation == File,
				Started: x.StartedAt, Ended: x.StartedAt.Add(x.Service),
			})
		}
	}
	return curl.Script(steps)
}
