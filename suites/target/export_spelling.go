package target

import (
	"strings"
	"time"
)

// Headers of the export operation, as the document names them.
const (
	HeaderReplay      = "x-include-replay-protection-schema"
	HeaderTransaction = "x-transaction-uuid"
	HeaderNonce       = "nonce"
	HeaderWallet      = "x-wallet-uuid"
	HeaderLanguage    = "x-lang"
	HeaderProduct     = "x-product-uuid"
	HeaderTargetUser  = "x-product-target-user-uuid"
)

// UniqueBounds returns bounds that no other request of any run has: two instants in milliseconds,
// a few minutes apart, within fixtures.window or the year 2024. The seed and the label determine
// the minutes; the seconds are random.
func (t *Target) UniqueBounds(label string) ExportFields {
	rng := t.nextSeededRand("bounds of " + label)
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	span := 365 * 24 * time.Hour
	if w := t.Deployment.Fixtures.Window; w != nil && w.End.Sub(w.Start) > time.Hour {
		from, span = w.Start.UTC(), w.End.Sub(w.Start)-30*time.Minute
	}
	begin := from.Truncate(time.Minute).
		Add(time.Duration(1+rng.Int64N(int64(span/time.Minute)-2)) * time.Minute)
	end := begin.Add(time.Duration(2+rng.Int64N(23)) * time.Minute)
	return t.boundsOf(begin.Add(uniqueSeconds()), end.Add(uniqueSeconds()))
}

// UniqueBoundsOfWindow returns unique bounds that cover fixtures.window except for less than a
// minute at each end. Without a window it is UniqueBounds.
func (t *Target) UniqueBoundsOfWindow(label string) ExportFields {
	w := t.Deployment.Fixtures.Window
	if w == nil || w.End.Sub(w.Start) < time.Hour {
		return t.UniqueBounds(label)
	}
	return t.boundsOf(w.Start.UTC().Add(uniqueSeconds()), w.End.UTC().Add(-uniqueSeconds()))
}

// uniqueSeconds returns a random duration of 2 to 57 seconds.
func uniqueSeconds() time.Duration {
	return 2*time.Second + time.Duration(uniqueRand().Int64N(55_000))*time.Millisecond
}

func (t *Target) boundsOf(start, end time.Time) ExportFields {
	f := ExportFields{"date_start": t.UniqueBound(start), "date_end": t.UniqueBound(end)}
	if t.ExportSpelling.Load().Extension {
		f["type_extension"] = "CSV"
	}
	return f
}

// ExportSpelling is what exports need on a deployment that refuses plain ones.
type ExportSpelling struct {
	WholeSeconds bool // bounds without fractions of a second
	Extension    bool // with a type_extension
	Product      bool // with the product of the fixtures, also in creations
	Language     bool // with a preferred language, unless the request sets or omits it on purpose
}

// String returns what exports are sent with; empty for plain ones.
func (s ExportSpelling) String() string {
	var parts []string
	if s.Product {
		parts = append(parts, "a product named")
	}
	if s.WholeSeconds {
		parts = append(parts, "bounds in whole seconds")
	}
	if s.Extension {
		parts = append(parts, "type_extension")
	}
	if s.Language {
		parts = append(parts, HeaderLanguage)
	}
	return strings.Join(parts, ", ")
}

// UniqueBound formats a bound that no other request of any run has. Scripts draw it anew; bounds
// of one minute keep their distance.
func (t *Target) UniqueBound(at time.Time) string {
	text := t.FormatBound(at)
	t.bounds.Store(text, true)
	return text
}

// FormatBound formats a bound as RFC 3339 in UTC, with milliseconds unless the deployment wants
// whole seconds.
func (t *Target) FormatBound(at time.Time) string {
	if t.ExportSpelling.Load().WholeSeconds {
		return at.UTC().Format(time.RFC3339)
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
