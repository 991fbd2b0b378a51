package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/suites/record"
)

// Query is what an export asks for. An empty field is not sent.
type Query struct {
	Sort, Order, Start, End string // as sent
	Filter                  Filter
	Wallet                  Wallet
	User                    Owner
	Product                 bool
	Language, Extension     string
	Key                     bool   // authenticated by the API key
	Replay                  string // value of the replay header
}

// Filter is the client filter of a query.
type Filter struct {
	Kind FilterKind
	Text string
}

// FilterKind describes the text of a filter.
type FilterKind string

// Kinds of filter texts.
const (
	FilterNone             FilterKind = ""
	FilterWholeID          FilterKind = "a client's ID"
	FilterBeginningOfID    FilterKind = "the beginning of a client's ID"
	FilterEndOfID          FilterKind = "the end of a client's ID"
	FilterLongerThanID     FilterKind = "a client's ID and more"
	FilterIDInOtherCase    FilterKind = "a client's ID in another case"
	FilterIDInBlanks       FilterKind = "a client's ID between blanks"
	FilterIDWithUnderscore FilterKind = "a client's ID with a wildcard in it"
	FilterQuoteID          FilterKind = "a quote's ID"
	FilterSQLInjection     FilterKind = "' OR '1'='1" // an SQL condition that always holds
	FilterZero             FilterKind = "0"           // false in some languages
	FilterTypeOnly         FilterKind = "without a filter_text"
	FilterIDWithPercent    FilterKind = "the beginning of a client's ID and %"
	FilterIDWithDot        FilterKind = "a client's ID with a dot for one of its characters"
	FilterIDEncoded        FilterKind = "a client's ID with its first character percent-encoded"
	FilterIDBeforeNUL      FilterKind = "a client's ID, a NUL and more" // where C strings end
)

// CommonNonClientFilters returns those of NonClientFilters that deployments most often take for
// a client.
func CommonNonClientFilters() []FilterKind {
	return []FilterKind{
		FilterBeginningOfID, FilterEndOfID, FilterLongerThanID, FilterIDInOtherCase, FilterIDInBlanks,
		FilterIDWithUnderscore, FilterQuoteID, FilterSQLInjection, FilterZero,
	}
}

// NonClientFilters returns the kinds of texts that are not a client's ID.
func NonClientFilters() []FilterKind {
	return append(CommonNonClientFilters(), FilterIDWithPercent, FilterIDWithDot, FilterIDEncoded,
		FilterIDBeforeNUL)
}

// NamesNoClient reports whether the filter names no client. A deployment may refuse it.
func (f Filter) NamesNoClient() bool {
	return f.Kind == FilterTypeOnly || slices.Contains(NonClientFilters(), f.Kind)
}

// makeText returns a text of the kind, made from a client's ID and a quote's ID. It returns id
// itself where none can be made.
func (k FilterKind) makeText(id, quote string) string {
	letters := []rune(id)
	switch k {
	case FilterLongerThanID:
		return id + "1"
	case FilterIDBeforeNUL:
		return id + "\x001"
	case FilterIDInOtherCase:
		if _, err := uuid.Parse(id); err == nil { // case does not distinguish UUIDs
			return id
		}
		if upper := strings.ToUpper(id); upper != id {
			return upper
		}
		return strings.ToLower(id)
	case FilterIDInBlanks:
		return " " + id + " "
	case FilterIDWithUnderscore:
		letters[len(letters)/2] = '_'
		return string(letters)
	case FilterIDWithPercent:
		return string(letters[:(len(letters)+1)/2]) + "%"
	case FilterIDWithDot:
		letters[len(letters)/2] = '.'
		return string(letters)
	case FilterIDEncoded:
		return fmt.Sprintf("%%%02X", id[0]) + id[1:]
	case FilterQuoteID:
		return quote
	case FilterSQLInjection, FilterZero:
		return string(k)
	case FilterBeginningOfID, FilterEndOfID:
		for n := 1; n < len(letters); n++ {
			part, rest := string(letters[:len(letters)-n]), string(letters[len(letters)-n:])
			if k == FilterEndOfID {
				part, rest = string(letters[n:]), string(letters[:n])
			}
			// Leading zeros do not distinguish numbers, and blanks do not distinguish names.
			if strings.Trim(part, " -_0.") == part && strings.Trim(rest, " -_0.") != "" {
				return part
			}
		}
	}
	return id
}

// Wallet is the wallet that an export names.
type Wallet string

// The wallets that an export can name.
const (
	WalletNone    Wallet = ""
	WalletDefault Wallet = "the default one"
	WalletOther   Wallet = "the other one"
	WalletEmpty   Wallet = "empty"
	WalletForeign Wallet = "another user's" // not a wallet of the user asked for
)

// Factors, named as a caller would name them.
const (
	FactorSort       = "sort"
	FactorOrder      = "order"
	FactorFilter     = "filter_type"
	FactorExtension  = "type_extension"
	FactorWallet     = "x-wallet-uuid"
	FactorProduct    = "x-product-uuid"
	FactorUser       = "x-product-target-user-uuid"
	FactorLanguage   = "x-lang"
	FactorReplay     = "x-include-replay-protection-schema"
	FactorAuthMethod = "x-api-key"
	FactorCredential = "credential"
	FactorBounds     = "bounds" // which of the two are given
	FactorBody       = "body"
)

// settings returns the choices that conditions are made of. A factor without a value stands for
// any given value; ValueLeftOut stands for a factor that is not given.
func (q *Query) settings() (all []record.FactorValue) {
	flag := func(on bool, value string) string {
		if on {
			return value
		}
		return ""
	}
	add := func(factor, value string) {
		if value == "" {
			value = ValueLeftOut
		}
		all = append(all, record.FactorValue{Factor: factor, Value: value})
	}
	for _, some := range []struct{ factor, value string }{
		{FactorSort, q.Sort},
		{FactorOrder, q.Order},
		{FactorLanguage, q.Language},
		{FactorReplay, q.Replay},
		{FactorWallet, flag(q.Wallet != WalletEmpty, string(q.Wallet))},
	} {
		// Every designed export names what replay protection compares: it is no condition.
		if add(some.factor, some.value); some.value != "" && some.factor != FactorReplay {
			all = append(all, record.FactorValue{Factor: some.factor})
		}
	}
	if add(FactorFilter, string(q.Filter.Kind)); q.Filter.Text != "" {
		all[len(all)-1] = record.FactorValue{Factor: "filter_text"}
	}
	add(FactorExtension, q.Extension)
	add(FactorProduct, flag(q.Product, ValueNamedProduct))
	add(FactorUser, flag(q.User == OwnerTarget, ValueTargetUser))
	add(FactorAuthMethod, flag(q.Key, ValueAPIKey))
	if q.User == OwnerStranger {
		add(FactorCredential, "another user's")
	}
	lone := q.Start == "" != (q.End == "")
	for _, bounds := range []struct {
		value string
		are   bool
	}{
		{"both left out", q.Start+q.End == ""},
		{"of date_start alone", lone && q.Start != ""},
		{"of date_end alone", lone && q.Start == ""},
		{"of one date alone", lone},
		{"left open on one side", q.Start == "" || q.End == ""},
		{"without date_start", q.Start == ""},
	} {
		if bounds.are {
			add(FactorBounds, bounds.value)
		}
	}
	if q.IsEmptyObject() {
		add(FactorBody, "an empty object")
	}
	return all
}

// ValueLeftOut is the value of a factor that an export does not give.
const ValueLeftOut = "left out"

// IsEmptyObject reports whether the body of the export is an empty object.
func (q *Query) IsEmptyObject() bool {
	return q.Sort+q.Order+q.Start+q.End+q.Extension+string(q.Filter.Kind) == ""
}

// StartsAfterEnd reports whether the range starts after its end.
func (q Query) StartsAfterEnd() bool {
	start, end := parseBound(q.Start), parseBound(q.End)
	return start.IsGiven() && end.IsGiven() && start.At > end.At
}

// StartsAtEnd reports whether the range starts at its end.
func (q Query) StartsAtEnd() bool { return q.Start != "" && q.Start == q.End }

// Bound is a parsed date_start or date_end.
type Bound struct {
	At     int64 // nanoseconds since 1970; unknownTime: not given
	Offset time.Duration
	digits string // digits of the fraction
}

// IsGiven reports whether the export gives the bound.
func (e Bound) IsGiven() bool { return e.At != unknownTime }

// Ignore clears the bound.
func (e *Bound) Ignore() { e.At = unknownTime }

// Shift moves the bound by a duration. It does nothing where the bound is not given.
func (e *Bound) Shift(by time.Duration) {
	if e.IsGiven() {
		e.At += int64(by)
	}
}

// TruncateTo moves the bound to the beginning of its unit in a zone that is ahead of UTC by
// ahead.
func (e *Bound) TruncateTo(unit, ahead time.Duration) {
	if e.IsGiven() {
		e.At = floorTo(e.At+int64(ahead), int64(unit)) - int64(ahead)
	}
}

// ReadFractionAsCount reads the fraction as a count of milliseconds: .5 as five.
func (e *Bound) ReadFractionAsCount() {
	if count, err := strconv.Atoi(e.digits); err == nil {
		e.TruncateTo(time.Second, 0)
		e.Shift(time.Duration(count) * time.Millisecond)
	}
}

// TakeDayFromOffset takes the day from the bound's local time and the time of day from UTC.
func (e *Bound) TakeDayFromOffset() {
	if e.IsGiven() {
		e.At = floorTo(e.At+int64(e.Offset), day) + e.At - floorTo(e.At, day)
	}
}

// AddDayAtMidnight moves a bound at local midnight to the next midnight.
func (e *Bound) AddDayAtMidnight() {
	if local := e.At + int64(e.Offset); e.IsGiven() && local == floorTo(local, day) {
		e.At += day
	}
}

// day is 24 hours in nanoseconds.
const day = int64(24 * time.Hour)

func floorTo(at, unit int64) int64 { return at - ((at%unit)+unit)%unit }

func parseBound(text string) Bound {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return Bound{At: unknownTime}
	}
	_, seconds := at.Zone()
	e := Bound{At: at.UnixNano(), Offset: time.Duration(seconds) * time.Second}
	if _, fraction, found := strings.Cut(text, "."); found {
		e.digits, _, _ = strings.Cut(strings.TrimRight(fraction, "Z"), "+")
		e.digits, _, _ = strings.Cut(e.digits, "-")
	}
	return e
}
