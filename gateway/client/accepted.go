package client

// Accepted answers of the two operations are kept with their bodies, as a run judges all of them at its end.
const (
	mostAccepted  = 4000
	largestAnswer = 16 << 10
)

// Accepted lists the accepted answers of an operation in the order in which they came, with their bodies.
func (c *Client) Accepted(op Operation) []*Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*Exchange(nil), c.accepted[op]...)
}

// keepAccepted is called with c.mu held.
func (c *Client) keepAccepted(x *Exchange) {
	judged := x.Success() && (x.Operation == Create || x.Operation == Export)
	if judged && len(x.Body) <= largestAnswer && len(c.accepted[x.Operation]) < mostAccepted {
		c.accepted[x.Operation] = append(c.accepted[x.Operation], x)
	}
}
