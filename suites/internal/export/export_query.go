package export

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/target"
)

// exportQuery is an export to send.
type exportQuery struct {
	label      string
	asked      model.Query
	targetUser string // takes the place of fixtures.target_user_id; empty: nobody does
}

// maxUnboundedBytes limits what is read of a file without a lower or an upper bound.
const maxUnboundedBytes = 2 << 20

// maxBytes limits what is read of the file; 0: all of it.
func (q exportQuery) maxBytes() int64 {
	if q.asked.HasBothBounds() {
		return 0
	}
	return maxUnboundedBytes
}

// usesFieldsOnly reports whether a query has no headers that may be refused.
func (q exportQuery) usesFieldsOnly() bool {
	return q.asked.Wallet == model.WalletNone && !q.asked.Product && q.asked.Language == "" &&
		q.asked.User == model.OwnerCaller && !q.asked.Key
}

// keepsNoneOf reports whether the query selects none of the caller's quotes.
func (q exportQuery) keepsNoneOf(quotes []statement.Quote) bool {
	return keepsNothing(q.asked) || q.usesFieldsOnly() && q.asked.HasBothBounds() &&
		!slices.ContainsFunc(quotes, func(quote statement.Quote) bool {
			at := quote.DateFor(q.asked.SortDate().Column())
			return !at.IsOneInstant() || q.asked.Includes(at.Time)
		})
}

// mayBeRefused reports whether the deployment may refuse the query instead of returning no rows.
func mayBeRefused(q model.Query) bool {
	return q.Wallet == model.WalletForeign || q.Filter.NamesNoClient() || q.StartsAfterEnd()
}

// keepsNothing reports whether no quote can match the query.
func keepsNothing(q model.Query) bool { return mayBeRefused(q) || q.StartsAtEnd() }

// buildExport returns the request of a query.
func (s *Suite) buildExport(q exportQuery) target.Request {
	f, asked := s.t.Deployment.Fixtures, q.asked
	r := s.t.NewExport(q.label, target.ExportFields{})
	r.Credential, r.Language = s.credentialOf(asked), asked.Language
	r.Mode = cmp.Or(asked.Replay, r.Mode)
	if strings.Contains(r.Mode, target.HeaderTransaction) {
		r.Transaction = target.NewUUID()
	}
	for field, value := range map[string]string{
		"sort": asked.Sort, "order": asked.Order, "date_start": asked.Start, "date_end": asked.End,
		"type_extension": asked.Extension, "filter_text": asked.Filter.Text,
	} {
		if value != "" {
			r.SetField(field, value)
		}
	}
	if asked.Filter.Kind != model.FilterNone {
		r.SetField("filter_type", "client_id")
	}
	if asked.Wallet != model.WalletNone {
		r.SetHeader(target.HeaderWallet, s.walletID(asked))
	}
	if asked.Product {
		r.Product = f.ProductID
	}
	if asked.User == model.OwnerTarget {
		r.OnBehalfOf = cmp.Or(q.targetUser, f.TargetUserID)
	}
	return r
}

// credentialOf returns the credential that a query is sent with.
func (s *Suite) credentialOf(q model.Query) *deployment.Credential {
	switch all := s.t.Deployment.Credentials; {
	case q.User == model.OwnerStranger:
		return all.OtherUser
	case q.Key:
		return all.APIKey
	default:
		return all.Main()
	}
}

// walletID returns the ID of the wallet that a query names.
func (s *Suite) walletID(q model.Query) string {
	switch f := s.t.Deployment.Fixtures; {
	case q.Wallet == model.WalletOther:
		return f.OtherWalletID
	case q.Wallet == model.WalletDefault,
		q.Wallet == model.WalletForeign && q.User == model.OwnerStranger:
		return f.DefaultWalletID
	case q.Wallet == model.WalletForeign:
		return s.plain.foreign
	default:
		return ""
	}
}
