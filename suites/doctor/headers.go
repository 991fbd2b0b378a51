package doctor

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

const anyUUID = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`

var (
	wholeUUID = regexp.MustCompile(`^` + anyUUID + `$`)
	clientID  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)
	varying   = regexp.MustCompile(anyUUID + `|[0-9]+`)
	hyphened  = regexp.MustCompile(`[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*-[a-z0-9]+|nonce`)
)

// role is a header of the create operation which the document describes by meaning only: its key, what names of it
// hold, and its usual names.
type role struct {
	key     string
	marks   *regexp.Regexp
	usual   []string
	needed  bool // a creation without it is refused
	comment string
}

func roles() []role {
	const needed = "observed: a creation without it is refused"
	const checked = "observed: a creation with an impossible value in it is refused"
	return []role{
		{"transaction_id", regexp.MustCompile("trans|idempot|key|object"), []string{
			"x-transaction-uuid", "x-transaction-id", "transaction-id", "x-idempotency-key", "idempotency-key",
		}, true, needed},
		{"nonce", regexp.MustCompile("nonce|once|request"), []string{
			"nonce", "x-nonce", "x-nonce-uuid", "nonce-id", "x-request-id",
		}, true, needed},
		{"language", nil, []string{"x-lang", "accept-language", "x-language"}, false, checked},
		{"on_behalf_of", nil, []string{"x-product-target-user-uuid", "x-on-behalf-of", "x-target-user-uuid"}, false, checked},
	}
}

// headers finds the names of the create operation's headers by what a creation without a body is refused for: a name is
// taken for right when leaving it out, or an impossible value, changes the refusal.
func (p *proposer) headers(ctx context.Context) {
	all := slices.Concat(roles()[0].usual, roles()[1].usual)
	with, again := p.refusal(ctx, all, ""), p.refusal(ctx, all, "")
	without := p.refusal(ctx, nil, "")
	if with == nil || again == nil || without == nil || !same(with, again) {
		p.missing("names of the create operation's headers: its answers do not show them")
		return
	}
	const most = 8
	mentioned := hyphened.FindAllString(strings.ToLower(string(without.Body[:min(len(without.Body), 1<<14)])), most)
	all = append(all, mentioned...) // perhaps names of its own
	if with = p.refusal(ctx, all, ""); with == nil || same(with, without) {
		p.missing("names of the create operation's headers: a creation without them is refused for something else, " +
			"or not checked for them")
		return
	}
	for _, r := range roles() {
		p.named(ctx, r, all, mentioned, with)
	}
}

// named finds the first name of a role that changes the refusal; those that it mentions come first.
func (p *proposer) named(ctx context.Context, r role, all, mentioned []string, with *client.Exchange) {
	names := r.usual
	if r.needed {
		names = append(slices.DeleteFunc(slices.Clone(mentioned), func(name string) bool {
			return !r.marks.MatchString(name)
		}), names...)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		rest, odd := all, name
		if r.needed {
			rest = slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == name })
			odd = ""
		}
		if x := p.refusal(ctx, rest, odd); x != nil && !same(with, x) {
			p.add("legal_representative.headers."+r.key, text(name), r.comment)
			return
		}
	}
	p.missing("legal_representative.headers.%s: no usual name changed an answer", r.key)
}

// refusal sends a creation whose body has no field, under fresh identifiers in some headers, and an impossible value in
// another; nil: it was not refused.
func (p *proposer) refusal(ctx context.Context, identifiers []string, odd string) *client.Exchange {
	if !p.left(ctx) {
		return nil
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for _, name := range identifiers {
		header[http.CanonicalHeaderKey(name)] = []string{target.UUID()}
	}
	if odd != "" {
		header[http.CanonicalHeaderKey(odd)] = []string{"not-a-value"}
	}
	x := p.t.Client.Once(ctx, &client.Request{
		Label: "creation without fields", Operation: client.Create, Path: p.dep.LegalRepresentative.Path,
		Header: header, Body: []byte("{}"), Credential: p.dep.Credentials.Main(), Creates: true,
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
