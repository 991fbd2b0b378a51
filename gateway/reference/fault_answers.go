package reference

import (
	"maps"
	"net/http"
)

// answered makes an effect on answers of an operation and a kind; an empty kind is any.
func answered(operation operation, kind string, change func(q *call, a *reply)) effect {
	return effect{reply: func(q *call, a *reply) {
		if q.operation == operation && (kind == "" || kind == a.kind) {
			change(q, a)
		}
	}}
}

func status(status int) func(*call, *reply) { return func(_ *call, a *reply) { a.status = status } }

func body(change func(data []byte) []byte) func(*call, *reply) {
	return func(_ *call, a *reply) { a.body = change(a.body.([]byte)) }
}

// envelop puts an object into a member of it.
func envelop(o object) {
	inner := maps.Clone(o)
	clear(o)
	o["data"] = inner
}

func crash(q *call, a *reply) {
	a.status, a.body = http.StatusInternalServerError, object{"error": object{
		"code":    "internal",
		"message": titles["internal"][q.language()],
	}}
}

func redirect(_ *call, a *reply) {
	a.status, a.body = http.StatusFound, []byte(nil)
	a.header.Set("Location", "/")
}
