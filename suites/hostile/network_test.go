package hostile

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

func resets() []trouble {
	const cause = "broken|reset|EOF|closed"
	cut := func(keep func(text string) string) spoil {
		return func(l *wire, a answer) { l.say(keep(whole(a)), resetting(2*time.Millisecond)) }
	}
	nothing := func(string) string { return "" }
	return slices.Concat(of("reset", nil, []trouble{
		{name: "before the answer", spoil: cut(nothing), cause: cause},
		{
			name: "amid the status line", spoil: cut(func(s string) string { return s[:7] }),
			cause: cause + "|not HTTP",
		},
		{name: "amid the headers", spoil: cut(func(s string) string { return s[:40] }), cause: cause},
		{name: "amid the body", spoil: cut(func(s string) string { return s[:len(s)-10] }), cause: cause},
		{name: "after the answer", spoil: func(l *wire, a answer) {
			l.say(whole(a), resetting(20*time.Millisecond))
		}},
	}...), of("closed", nil, []trouble{
		{name: "before the answer", spoil: func(l *wire, _ answer) { l.text("") }, cause: cause},
		{
			name:  "amid the body",
			spoil: func(l *wire, a answer) { s := whole(a); l.text(s[:len(s)-10]) }, cause: cause,
		},
		{name: "after the answer", spoil: func(l *wire, a answer) { l.text(whole(a)) }},
		{name: "20 ms after the answer", spoil: func(l *wire, a answer) {
			l.say(whole(a), pausing(20*time.Millisecond))
		}},
	}...))
}

func silences() []trouble {
	const cause = "timed out|timeout"
	slowly := func(l *wire, a answer) {
		l.say("", func(conn net.Conn) {
			for _, one := range []byte(whole(a)) {
				time.Sleep(time.Second)
				if _, err := conn.Write([]byte{one}); err != nil {
					return
				}
			}
		})
	}
	return of("silence", nil, []trouble{
		{name: "never answers", spoil: func(l *wire, _ answer) { l.say("", await) }, cause: cause},
		{name: "headers, and no body", cause: cause, spoil: func(l *wire, a answer) {
			l.say(head(a, length(len(a.body)))+"\r\n", await)
		}},
		{name: "one byte a second", spoil: slowly, cause: cause},
		{
			name:    "two seconds late",
			spoil:   func(l *wire, a answer) { time.Sleep(2 * time.Second); l.plain(a) },
			reaches: []reach{tenth, files},
		},
	}...)
}

func lengths() []trouble {
	endless := func(begin string, part string) spoil {
		return func(l *wire, a answer) {
			a.header.Del("Content-Length")
			l.say(head(a, begin)+"\r\n", flood(part))
		}
	}
	const large = "larger than|longer than|too large|goes on beyond|not CSV|not well-formed"
	chunk := fmt.Sprintf("%x\r\n%s\r\n", 64<<10, strings.Repeat("x", 64<<10))
	return of("length", nil, []trouble{
		{name: "endless chunks", spoil: endless("Transfer-Encoding: chunked", chunk), cause: large},
		{
			name:  "an endless body without length",
			spoil: endless("Connection: close", strings.Repeat("x", 64<<10)), cause: large,
		},
		{
			name: "a length too long",
			spoil: func(l *wire, a answer) {
				l.text(head(a, length(len(a.body)+100)) + "\r\n" + string(a.body))
			},
			cause: "broke off|broken|EOF",
		},
		{
			name: "a length too short",
			spoil: func(l *wire, a answer) {
				l.text(head(a, length(max(len(a.body)-5, 0))) + "\r\n" + string(a.body))
			},
			accuses: true,
		},
		{
			name: "an invalid length",
			spoil: func(l *wire, a answer) {
				l.text(head(a, "Content-Length: many") + "\r\n" + string(a.body))
			},
			cause: "not HTTP|Content-Length",
		},
		{name: "two lengths", spoil: func(l *wire, a answer) {
			l.text(head(a, length(len(a.body)), length(len(a.body)+7)) + "\r\n" + string(a.body))
		}, cause: "not HTTP|Content-Length"},
		{
			name: "broken chunks",
			spoil: func(l *wire, a answer) {
				l.text(head(a, "Transfer-Encoding: "+"chunked") + "\r\nzz\r\nx\r\n")
			},
			cause: "not HTTP|chunk",
		},
		{name: "chunk lines without an end", spoil: func(l *wire, a answer) {
			l.text(head(a, "Transfer-Encoding: chunked") + "\r\n" + strings.Repeat("0", 1<<20))
		}, cause: "chunk"},
		{name: "chunks of one byte with long extensions", spoil: func(l *wire, a answer) {
			var chunks strings.Builder
			for i := range a.body {
				fmt.Fprintf(&chunks, "1;%s\r\n%s\r\n", strings.Repeat("x", 2000), a.body[i:i+1])
			}
			l.text(head(a, "Transfer-Encoding: chunked") + "\r\n" + chunks.String() + "0\r\n\r\n")
		}, cause: "chunk"},
	}...)
}

func protocol() []trouble {
	say := func(text string) spoil { return func(l *wire, _ answer) { l.text(text) } }
	const hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
	before := func(lines string) spoil { return func(l *wire, a answer) { l.text(lines + whole(a)) } }
	return slices.Concat(of("protocol", nil, []trouble{
		{name: "no HTTP", spoil: say("220 mail.example ready\r\n"), cause: "not HTTP|malformed"},
		{
			name: "an invalid status", spoil: say("HTTP/1.1 xyz OK\r\n\r\n"),
			cause: "not HTTP|malformed",
		},
		{
			name: "status 999", spoil: func(l *wire, a answer) { a.status = 999; l.text(whole(a)) },
			accuses: true,
		},
		{
			name: "a header without a colon", spoil: say("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n"),
			cause: "not HTTP|malformed",
		},
		{
			name:  "HTTP/1.0",
			spoil: func(l *wire, a answer) { l.text(strings.Replace(whole(a), "HTTP/1.1", "HTTP/1.0", 1)) },
		},
		{name: "one informational answer before", spoil: before(hint)},
		{
			name: "endless informational answers", cause: "1xx|informational",
			spoil: func(l *wire, _ answer) { l.say("", flood(hint)) },
		},
		{
			name:    "switching protocols",
			spoil:   say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
			accuses: true,
		},
		{name: "each answer twice", spoil: func(l *wire, a answer) {
			l.say(whole(a)+whole(a), pausing(50*time.Millisecond))
		}},
		{name: "trailers", spoil: func(l *wire, a answer) {
			l.text(head(a, "Transfer-Encoding: chunked", "Trailer: x-end") + "\r\n" +
				fmt.Sprintf("%x\r\n%s\r\n0\r\nx-end: yes\r\n\r\n", len(a.body), a.body))
		}},
		{
			name: "text/html as the media type", accuses: true,
			spoil: func(l *wire, a answer) { a.header.Set("Content-Type", "text/html"); l.plain(a) },
		},
		{
			name: "a login page", accuses: true, cause: "page|HTML|status|proxy",
			spoil: func(l *wire, a answer) {
				l.plain(answer{
					200,
					http.Header{"Content-Type": {"text/html"}},
					[]byte("<!DOCTYPE html><html><body>Please sign in</body></html>"),
				})
			},
		},
	}...), of("clock", nil, []trouble{
		{name: "Date a day behind", spoil: dated(-24 * time.Hour)},
		{name: "Date a day ahead", spoil: dated(24 * time.Hour)},
		{
			name:  "an invalid Date",
			spoil: func(l *wire, a answer) { a.header.Set("Date", "yesterday"); l.plain(a) },
		},
	}...))
}

func dated(off time.Duration) spoil {
	return func(l *wire, a answer) {
		a.header.Set("Date", time.Now().Add(off).UTC().Format(http.TimeFormat))
		l.plain(a)
	}
}

func throttling() []trouble {
	status := func(code int, after string) spoil {
		return func(l *wire, _ answer) {
			h := http.Header{"Content-Type": {"application/json"}}
			if after != "" {
				h.Set("Retry-After", after)
			}
			l.plain(answer{code, h, []byte(`{"error":{"code":"busy"}}`)})
		}
	}
	const throttled = "429|throttl|503"
	future := time.Now().Add(72 * time.Hour).UTC().Format(http.TimeFormat)
	return of("throttling", nil, []trouble{
		{name: "429", spoil: status(429, ""), cause: throttled},
		{name: "429, Retry-After 1", spoil: status(429, "1"), cause: throttled},
		{name: "429, Retry-After 60", spoil: status(429, "60"), cause: throttled},
		{name: "429, Retry-After of three days", spoil: status(429, "259200"), cause: throttled},
		{name: "429, Retry-After as a date in three days", spoil: status(429, future), cause: throttled},
		{name: "429, an invalid Retry-After", spoil: status(429, "soon"), cause: throttled},
		{name: "503", spoil: status(503, ""), cause: throttled},
		{name: "503, Retry-After 1", spoil: status(503, "1"), cause: throttled},
		{name: "502", spoil: status(502, ""), cause: "502"},
		{name: "500", spoil: status(500, ""), cause: "500", accuses: true},
	}...)
}

// exportLimits are those of deployments that work on few exports at once.
func exportLimits() []trouble {
	const most, each = 8, 150 * time.Millisecond
	limit := func(status int) spoil {
		var open atomic.Int64
		return func(l *wire, a answer) {
			switch {
			case l.r.Method != http.MethodPost || !strings.HasSuffix(l.r.URL.Path, "/exports"):
			case open.Load() >= most:
				a.status, a.body = status, []byte(`{"error":{"code":"too_many_exports"}}`)
			case a.status < 300:
				open.Add(1)
				time.AfterFunc(each, func() { open.Add(-1) })
			}
			l.plain(a)
		}
	}
	return of("8 exports at once", []reach{all}, []trouble{
		{name: "409 beyond", spoil: limit(http.StatusConflict)},
		{name: "403 beyond", spoil: limit(http.StatusForbidden)},
		{name: "422 beyond", spoil: limit(http.StatusUnprocessableEntity)},
	}...)
}

func redirects() []trouble {
	to := func(code int, where func(l *wire) string) spoil {
		return func(l *wire, _ answer) {
			l.plain(answer{code, http.Header{"Location": {where(l)}}, nil})
		}
	}
	itself := func(l *wire) string { return l.r.URL.Path }
	fixed := func(address string) func(*wire) string { return func(*wire) string { return address } }
	const cause = "30[0-9]|redirect|refused|not HTTP|file|resolved"
	return of("redirect", nil, []trouble{
		{name: "to itself", spoil: to(302, itself), cause: cause, accuses: true},
		{
			name: "to a host that is not there", spoil: to(302, fixed("http://gateassay.invalid/")),
			cause: cause, accuses: true,
		},
		{
			name: "to a file: address", spoil: to(302, fixed("file:///etc/hostname")),
			cause: cause, accuses: true,
		},
		{name: "to nowhere", spoil: to(302, fixed("")), cause: cause, accuses: true},
	}...)
}
