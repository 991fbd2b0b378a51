package client

import "sync/atomic"

// broadcast wakes everybody who waits for a change. It needs no lock.
type broadcast struct{ next atomic.Pointer[chan struct{}] }

func newBroadcast() *broadcast {
	b := &broadcast{}
	b.next.Store(new(make(chan struct{})))
	return b
}

// changed returns a channel that is closed at the next change.
func (b *broadcast) changed() <-chan struct{} { return *b.next.Load() }

// announce tells of a change.
func (b *broadcast) announce() { close(*b.next.Swap(new(make(chan struct{})))) }
