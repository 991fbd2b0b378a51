package client

import (
	"errors"
	"time"
)

// InFlight is how many requests are on the wire now.
func (c *Client) InFlight() int { return c.gate.now().used }

// Limit is how many requests may be on the wire at once.
func (c *Client) Limit() int { return c.opts.InFlight }

// Pause is for how long nothing will be sent, as the deployment asked to wait; 0: it did not.
func (c *Client) Pause() time.Duration { return max(0, time.Until(c.gate.now().pausedUntil)) }

// Exhausted says why nothing more will be sent: the deployment throttles whatever comes. nil: it does not.
func (c *Client) Exhausted() error {
	if err := c.gate.now().closed; errors.Is(err, errExhausted) {
		return err
	}
	return nil
}
