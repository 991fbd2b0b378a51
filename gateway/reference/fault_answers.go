package reference

import (
	"maps"
	"net/http"
)

// answered makes an effect on answers of an operation and a kind; an empty kind is any.
func answered(operation operation, kind string, change func(q *call, a *reply)) effect {
	return on(func(q *call, a *reply) {
		if kind == "" || kind == a.kind {
			change(q, a)
		}
	}).of(operation)
}

// exported makes an effect on the answers to exports that were accepted.
func exported(change func(q *call, a *reply)) effect { return answered(exporting, "exported", change) }

func status(status int) func(*call, *reply) { return func(_ *call, a *reply) { a.status = status } }

func body(change func(data []byte) []byte) func(*call, *reply) {
	return func(_ *call, a *reply) { a.body = change(a.body.([]byte)) }
}

// refusal is what an answer says about an error; nil: it is none.
func (a *reply) refusal() object {
	said, _ := a.body.(object)
	refusal, _ := said["error"].(object)
	return refusal
}

// envelop puts an object into a member of it.
func envelop(o object) {
	inner := maps.Clone(o)
	clear(o)
	o["data"] = inner
}

func crash(q *call, a *reply) {
	a.status, a.body = http.StatusInternalServerError, q.failure("internal")
}

func redirect(_ *call, a *reply) { moved(a, "/") }

func moved(a *reply, address string) {
	a.status, a.body = http.StatusFound, []byte(nil)
	a.header.Set("Location", address)
}
