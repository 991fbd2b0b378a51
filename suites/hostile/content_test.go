package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"sync"
)

func heads() []trouble {
	header := func(lines ...string) spoil {
		return func(l *wire, a answer) {
			l.text(head(a, append(lines, length(len(a.body)))...) + "\r\n" + string(a.body))
		}
	}
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprintf("x-header-%d: value", i)
	}
	const cause = "headers of the answer are larger"
	return of("headers", nil, []trouble{
		{name: "one of 60 kB", spoil: header("x-long: " + strings.Repeat("a", 60_000))},
		{name: "one of 900 kB", spoil: header("x-long: " + strings.Repeat("a", 900_000)), cause: cause},
		{name: "20,000", spoil: header(many...), cause: cause},
		{name: "endless", cause: cause, spoil: func(l *wire, a answer) {
			l.say(head(a), flood(many[0]+"\r\n"))
		}},
		{name: "control characters", spoil: header("x-odd: a\x1b[31mb")},
	}...)
}

// member adds a member to an answer that is a JSON object.
func member(text func() string) spoil {
	once := sync.OnceValue(text)
	return func(l *wire, a answer) {
		if len(a.body) > 2 && a.body[0] == '{' {
			a.body = []byte(`{"gateassay_more":` + once() + "," + string(a.body[1:]))
		}
		l.plain(a)
	}
}

func bodies() []trouble {
	nest := func(open, shut string, depth int) func() string {
		return func() string { return strings.Repeat(open, depth) + "1" + strings.Repeat(shut, depth) }
	}
	twice := []reach{all, tenth}
	padded := func(by int) spoil {
		return func(l *wire, a answer) {
			a.body = append(bytes.Repeat([]byte(" "), by), a.body...)
			l.plain(a)
		}
	}
	const levels, large = "levels", "larger than"
	return slices.Concat(of("JSON", twice, []trouble{
		{name: "padded by 900 kB", spoil: padded(900_000), cause: large},
		{name: "padded by 60 kB", spoil: padded(60_000)},
		{
			name:  "a string of 1 MB",
			spoil: member(func() string { return `"` + strings.Repeat("a", 1_000_000) + `"` }), cause: large,
		},
		{name: "60,000 more keys", cause: large, spoil: member(func() string {
			var b strings.Builder
			for i := range 60_000 {
				fmt.Fprintf(&b, `"k%d":1,`, i)
			}
			return "{" + b.String() + `"k":1}`
		})},
		{name: "99 levels of lists", spoil: member(nest("[", "]", 98))},
		{name: "9,900 levels of lists", spoil: member(nest("[", "]", 9_900)), cause: levels},
		{name: "9,900 levels of objects", spoil: member(nest(`{"a":`, "}", 9_900)), cause: levels},
		{
			name: "a million levels that never end",
			spoil: func(l *wire, a answer) {
				a.body = bytes.Repeat([]byte("["), 1_000_000)
				l.plain(a)
			}, cause: levels,
		},
		{name: "in JSON, 14 levels", spoil: member(func() string {
			text := `{"a":1}`
			for range 14 {
				text = `{"a":` + fmt.Sprintf("%q", text) + "}"
			}
			return text
		})},
		{name: "numbers beyond float64", spoil: member(func() string { return "1e999999" })},
		{name: "not UTF-8", accuses: true, spoil: member(func() string { return "\"\xff\xfe\"" })},
		{
			name: "cut in the middle", accuses: true,
			spoil: func(l *wire, a answer) { a.body = a.body[:len(a.body)/2]; l.plain(a) },
		},
		{
			name: "a byte order mark", accuses: true,
			spoil: func(l *wire, a answer) { a.body = append([]byte("\ufeff"), a.body...); l.plain(a) },
		},
	}...), of("gzip", nil, []trouble{
		{
			name:  "a bomb of 200 MB as Content-Encoding",
			spoil: zipped(func() []byte { return bomb(200<<20, " ") }, "gzip"),
			cause: "larger than|empty|blank",
		},
		{name: "unrequested", spoil: func(l *wire, a answer) {
			a.header.Set("Content-Encoding", "gzip")
			a.body = squeeze(a.body)
			l.plain(a)
		}, cause: "a run that is not conformant"},
		{name: "damaged", spoil: func(l *wire, a answer) {
			a.header.Set("Content-Encoding", "gzip")
			a.body = squeeze(a.body)
			a.body[len(a.body)/2] ^= 0xff
			l.plain(a)
		}, cause: "damaged gzip data"},
		{
			name: "an unknown encoding",
			spoil: func(l *wire, a answer) {
				a.header.Set("Content-Encoding", "x-gateassay")
				l.plain(a)
			}, cause: "Content-Encoding",
		},
	}...))
}

func squeeze(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(data)
	_ = z.Close()
	return out.Bytes()
}

func bomb(size int, of string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	part := []byte(strings.Repeat(of, (1<<20)/len(of)))
	for range size >> 20 {
		_, _ = z.Write(part)
	}
	_ = z.Close()
	return out.Bytes()
}

func zipped(data func() []byte, coding string) spoil {
	once := sync.OnceValue(data)
	return func(l *wire, a answer) {
		if coding != "" {
			a.header.Set("Content-Encoding", coding)
		}
		a.body = once()
		l.plain(a)
	}
}
