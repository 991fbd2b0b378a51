package survey

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/target"
)

// Names that creations may give to the headers which the document describes by meaning, the usual ones first.
var (
	transactions = []string{
		"x-transaction-uuid", "x-transaction-id", "transaction-id", "x-idempotency-key", "idempotency-key",
	}
	nonces    = []string{"nonce", "x-nonce", "x-nonce-uuid", "nonce-id", "x-request-id"}
	languages = []string{"x-lang", "accept-language", "x-language"}
	behalves  = []string{"x-product-target-user-uuid", "x-on-behalf-of", "x-target-user-uuid"}
)

var (
	varying = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9]+`)
	word    = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+|(?i)nonce`)
)

// headers finds the names of the create operation's headers by what a creation without a body is refused for: a name is
// taken for right when leaving it out, or an impossible value, changes the refusal.
func (s *survey) headers(ctx context.Context) {
	usual := slices.Concat(transactions, nonces)
	with := s.refusal(ctx, usual, nil)
	again := s.refusal(ctx, usual, nil)
	without := s.refusal(ctx, nil, nil)
	if with == nil || again == nil || without == nil || !same(with, again) {
		s.missing("names of the create operation's headers: its answers do not show them")
		return
	}
	mentioned := names(without)
	for _, name := range mentioned { // perhaps names of its own
		if !slices.Contains(usual, name) {
			usual = append(usual, name)
		}
	}
	if with = s.refusal(ctx, usual, nil); with == nil || same(with, without) {
		s.missing("names of the create operation's headers: a creation without them is refused for something else, " +
			"or not checked for them")
		return
	}
	candidates := slices.DeleteFunc(slices.Clone(usual), func(name string) bool {
		return !slices.Contains(mentioned, name)
	})
	candidates = append(candidates, usual...) // those that the refusal names come first
	needed := s.needed(ctx, candidates, usual, with)
	for _, role := range []struct {
		key   string
		marks []string
	}{
		{"transaction_id", []string{"trans", "idempot", "key", "object"}},
		{"nonce", []string{"nonce", "once", "request"}},
	} {
		at := slices.IndexFunc(needed, func(name string) bool {
			return slices.ContainsFunc(role.marks, func(mark string) bool { return strings.Contains(name, mark) })
		})
		if at < 0 {
			s.missing("legal_representative.headers.%s: no usual name changed an answer", role.key)
			continue
		}
		s.add("legal_representative.headers."+role.key, text(needed[at]), "observed: a creation without it is refused")
	}
	s.optional(ctx, "language", languages, usual, with)
	s.optional(ctx, "on_behalf_of", behalves, usual, with)
}

// needed finds the names, two at most, without which the refusal is another one.
func (s *survey) needed(ctx context.Context, candidates, all []string, with *client.Exchange) (needed []string) {
	var tried []string
	for _, name := range candidates {
		if slices.Contains(tried, name) || len(needed) == 2 {
			continue
		}
		tried = append(tried, name)
		rest := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == name })
		if x := s.refusal(ctx, rest, nil); x != nil && !same(with, x) {
			needed = append(needed, name)
		}
	}
	return needed
}

// optional finds the first name of which an impossible value is refused.
func (s *survey) optional(ctx context.Context, key string, candidates, all []string, with *client.Exchange) {
	for _, name := range candidates {
		if x := s.refusal(ctx, all, map[string]string{name: "not-a-value"}); x != nil && !same(with, x) {
			s.add("legal_representative.headers."+key, text(name),
				"observed: a creation with an impossible value in it is refused")
			return
		}
	}
	s.missing("legal_representative.headers.%s: no usual name changed an answer", key)
}

// refusal sends a creation whose body has no field, under fresh identifiers in some headers; nil: it was not refused.
func (s *survey) refusal(ctx context.Context, identifiers []string, more map[string]string) *client.Exchange {
	if !s.left(ctx) {
		return nil
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for _, name := range identifiers {
		header[http.CanonicalHeaderKey(name)] = []string{target.UUID()}
	}
	for name, value := range more {
		header[http.CanonicalHeaderKey(name)] = []string{value}
	}
	x := s.t.Client.Once(ctx, &client.Request{
		Label: "creation without fields", Operation: client.Create, Path: s.dep.LegalRepresentative.Path,
		Header: header, Body: []byte("{}"), Credential: s.dep.Credentials.Main(), Creates: true,
	})
	if x.Status != http.StatusBadRequest && x.Status != http.StatusUnprocessableEntity {
		return nil
	}
	return x
}

// same reports whether two refusals say the same, apart from identifiers and numbers.
func same(a, b *client.Exchange) bool {
	plain := func(x *client.Exchange) []byte { return varying.ReplaceAll(x.Body, nil) }
	return a.Status == b.Status && bytes.Equal(plain(a), plain(b))
}

// names lists what may be names of headers in an answer, a few at most; names of fields have no hyphen.
func names(x *client.Exchange) (list []string) {
	const most = 8
	for _, name := range word.FindAllString(string(x.Body[:min(len(x.Body), 1<<14)]), -1) {
		name = strings.ToLower(name)
		if len(list) < most && len(name) <= 64 && (strings.Contains(name, "-") || strings.Contains(name, "nonce")) &&
			!slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
