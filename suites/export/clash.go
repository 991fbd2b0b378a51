package export

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	. "github.com/gateassay/gateassay/suites/matchers"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// neverClash declares the case that no export about rows was refused for what stands together in it, where each part of it is
// accepted without the others.
func (s *Suite) neverClash() {
	spec.Helper()
	s.Uses(s.c.Export)
	for _, o := range s.designed {
		s.Uses(o)
	}
	seen := spec.Observe(s.Plan, "what exports about rows are refused for", act(func(l look) *target.Answer {
		var unseen error // why some were not seen; what others show counts all the same
		for _, o := range s.designed {
			sh, err := o.Get(l)
			need := (*spec.NeedError)(nil)
			switch {
			case errors.As(err, &need): // fewer exports are enough, or there is no window
				return nil
			case err != nil:
				unseen = cmp.Or(unseen, err)
				continue
			}
			if a := s.clash(l, sh); a != nil {
				return a
			}
			unseen = nil
		}
		l.end(unseen)
		return nil
	}))
	s.It("accepts each export about rows, whatever it combines", func(ctx spec.Context) {
		if a := seen.Await(ctx); a != nil {
			ctx.Expect(*a).To(BeAccepted())
		}
	})
}

// parts are what a query can go without, in the words of a caller; a default that is left out can be given.
var parts = []struct {
	name    string
	without func(q *model.Query)
}{
	{sortLeftOut, func(q *model.Query) { q.Sort = cmp.Or(q.Sort, model.Created.String()) }},
	{orderLeftOut, func(q *model.Query) { q.Order = cmp.Or(q.Order, "desc") }},
	{"written", func(q *model.Query) { q.Start, q.End = inWholeSeconds(q.Start), inWholeSeconds(q.End) }},
	{"order", func(q *model.Query) { q.Order = "" }},
	{"sort", func(q *model.Query) { q.Sort = "" }},
	{"filter_type", func(q *model.Query) { q.Filter = model.Filter{} }},
	{"type_extension", func(q *model.Query) { q.Extension = "" }},
	{target.HeaderLanguage, func(q *model.Query) { q.Language = "" }},
	{target.HeaderReplay, func(q *model.Query) { q.Replay = "" }},
	{target.HeaderWallet, func(q *model.Query) { q.Wallet = model.NoWallet }},
	{"x-api-key", func(q *model.Query) { q.Key = false }},
	{target.HeaderProduct, func(q *model.Query) { q.Product = q.User == model.Target }},
}

// clash leaves out of a refused export what the refusal does not take; nil: it was not refused, there may be a reason to refuse
// what is left, or a single part is refused, which other cases judge.
func (s *Suite) clash(l look, sh *sheet) *target.Answer {
	q := sh.query.asked
	if !sh.denied() || q.User != model.Caller || mayBeRefused(q) || q.Start != "" && q.Start == q.End || !target.AboutField(sh.answer) || sh.answer.Status == http.StatusConflict {
		return nil
	}
	last := (*client.Exchange)(nil)
	refuses := func(q model.Query) bool {
		ask := s.ask(q)
		ask.label = sh.query.label + ", with less"
		x := s.start(l, s.spelling(ask))
		l.end(s.t.Usable(l, x))
		if x.Refusal() {
			last = x
		}
		return x.Refusal()
	}
	var kept []string
	for _, part := range parts {
		fewer := q
		if part.without(&fewer); fewer == q {
			continue
		}
		if refuses(fewer) {
			q = fewer
			continue
		}
		kept = append(kept, part.name)
	}
	switch reason := strings.Join(kept, " "); {
	case last == nil, len(kept) < 2, strings.Contains(reason, "written"), reason == target.HeaderWallet+" x-api-key",
		reason == target.HeaderWallet+" "+target.HeaderProduct, reason == "x-api-key "+target.HeaderProduct:
		return nil
	}
	return &target.Answer{Exchange: last, Attempts: []*client.Exchange{last}, Condition: s.settings(q, kept), Subject: "export"}
}

const sortLeftOut, orderLeftOut = model.Sort + " left out", model.Order + " left out"

// inWholeSeconds is a bound in UTC and whole seconds.
func inWholeSeconds(bound string) string {
	if at, ok := instantOf(bound); ok {
		return at.UTC().Format("2006-01-02T15:04:05Z")
	}
	return ""
}

// settings are what the query has of some parts.
func (s *Suite) settings(q model.Query, names []string) (all []record.Setting) {
	for _, name := range names {
		one := record.Setting{Factor: name}
		if factor, _, left := strings.Cut(name, " "); left {
			one = record.Setting{Factor: factor, Value: model.LeftOut}
		}
		if text, ok := s.ask(q).fields[name].(string); ok && name != "filter_type" {
			one.Value = text
		}
		all = append(all, one)
	}
	return all
}

func instantOf(bound string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339Nano, bound)
	return at, err == nil
}
