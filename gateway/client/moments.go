package client

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"net/textproto"
	"time"
)

// moments are when the parts of an exchange happened.
type moments struct {
	start, wrote, first time.Time
	reused, headers     bool
	reading             bool // a long file
}

func (k *call) note(f func(*moments)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f(&k.when)
}

func (k *call) hooks(ctx context.Context) *httptrace.ClientTrace {
	note := k.note
	informational := 0
	return &httptrace.ClientTrace{
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			if informational++; informational > mostInformational {
				return &sizeError{fmt.Sprintf("more than %d informational answers (1xx) came before the answer",
					mostInformational)}
			}
			return nil
		},
		GotConn: func(info httptrace.GotConnInfo) {
			note(func(m *moments) { m.reused = info.Reused })
			if k.race != nil && len(k.req.Body) == 0 {
				k.race.wait(ctx, k) // nothing to hold back but the request itself
			}
		},
		WroteHeaders:         func() { note(func(m *moments) { m.headers = true }) },
		WroteRequest:         func(httptrace.WroteRequestInfo) { note(func(m *moments) { m.wrote = time.Now() }) },
		GotFirstResponseByte: func() { note(func(m *moments) { m.first = time.Now() }) },
	}
}

// moments of a race count from the common start, unless the answer came before.
func (k *call) moments() moments {
	k.mu.Lock()
	defer k.mu.Unlock()
	m := k.when
	if k.race != nil {
		if at := k.race.started(); !at.IsZero() && (m.first.IsZero() || m.first.After(at)) {
			m.start = at
		}
	}
	return m
}
