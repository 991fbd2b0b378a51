package target

import (
	"strings"
	"time"
)

// Replay protection headers of the export operation, as the document names them.
const (
	HeaderReplay      = "x-include-replay-protection-schema"
	HeaderTransaction = "x-transaction-uuid"
	HeaderNonce       = "nonce"
	HeaderWallet      = "x-wallet-uuid"
	HeaderLanguage    = "x-lang"
	HeaderProduct     = "x-product-uuid"
	HeaderTargetUser  = "x-product-target-user-uuid"
)

// UniqueBounds returns bounds that no other request shares, in this run or any other: two instants
// to the millisecond, a few minutes apart, in a span that deployments can be expected to accept.
// Their minutes are up to the run's seed and the label, their seconds to chance.
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

// UniqueBoundsOfWindow returns bounds that no other request shares, of all but the first and the
// last minute of fixtures.window. Without a window they are UniqueBounds.
func (t *Target) UniqueBoundsOfWindow(label string) ExportFields {
	w := t.Deployment.Fixtures.Window
	if w == nil || w.End.Sub(w.Start) < time.Hour {
		return t.UniqueBounds(label)
	}
	return t.boundsOf(w.Start.UTC().Add(uniqueSeconds()), w.End.UTC().Add(-uniqueSeconds()))
}

// uniqueSeconds are 2 to 57 seconds, by chance.
func uniqueSeconds() time.Duration {
	return 2*time.Second + time.Duration(uniqueRand().Int64N(55_000))*time.Millisecond
}

func (t *Target) boundsOf(start, end time.Time) ExportFields {
	f := ExportFields{"date_start": t.FormatBound(start), "date_end": t.FormatBound(end)}
	for _, bound := range f {
		t.bounds.Store(bound, true)
	}
	if t.ExportSpelling.Load().Extension {
		f["type_extension"] = "CSV"
	}
	return f
}

// ExportSpelling is what exports need on a deployment that refuses the plain ones.
type ExportSpelling struct {
	WholeSeconds bool // bounds without a fraction
	Extension    bool // a type_extension
	Product      bool // that of the fixtures, which every creation names as well
	Language     bool // a preferred language, unless one is given or left out on purpose
}

// String says what exports are sent with; nothing for plain ones.
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

// FormatBound writes a bound.
func (t *Target) FormatBound(at time.Time) string {
	if t.ExportSpelling.Load().WholeSeconds {
		return at.UTC().Format(time.RFC3339)
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
