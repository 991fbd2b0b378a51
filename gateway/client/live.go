package client

// InFlight is how many requests are on the wire now.
func (c *Client) InFlight() int { return c.gate.busy() }

// Limit is how many requests may be on the wire at once.
func (c *Client) Limit() int { return c.opts.InFlight }

func (g *gate) busy() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.used
}
