package model

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
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

// Factors beyond the headers of package target, named as a caller would name them.
const (
	FactorSort       = "sort"
	FactorOrder      = "order"
	FactorFilter     = "filter_type"
	FactorExtension  = "type_extension"
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
		all = append(all, record.FactorValue{Factor: factor, Value: cmp.Or(value, ValueLeftOut)})
	}
	for _, some := range []record.FactorValue{
		{Factor: FactorSort, Value: q.Sort},
		{Factor: FactorOrder, Value: q.Order},
		{Factor: target.HeaderLanguage, Value: q.Language},
		{Factor: target.HeaderWallet, Value: flag(q.Wallet != WalletEmpty, string(q.Wallet))},
	} {
		add(some.Factor, some.Value)
		if some.Value != "" {
			all = append(all, record.FactorValue{Factor: some.Factor})
		}
	}
	// Every designed export names what replay protection compares: to name any is no condition.
	add(target.HeaderReplay, q.Replay)
	if q.Filter.Text != "" {
		all = append(all, record.FactorValue{Factor: "filter_text"})
	} else {
		add(FactorFilter, string(q.Filter.Kind))
	}
	if q.Filter.Kind != FilterNone {
		all = append(all, record.FactorValue{Factor: FactorFilter})
	}
	add(FactorExtension, q.Extension)
	add(target.HeaderProduct, flag(q.Product, ValueNamedProduct))
	add(target.HeaderTargetUser, flag(q.User == OwnerTarget, ValueTargetUser))
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

// SortDate returns the date that orders the rows.
func (q *Query) SortDate() DateKey {
	if q.Sort == DateSettled.String() {
		return DateSettled
	}
	return DateCreated
}

// IsEmptyObject reports whether the body of the export is an empty object.
func (q *Query) IsEmptyObject() bool {
	return q.Sort+q.Order+q.Start+q.End+q.Extension+string(q.Filter.Kind) == ""
}

// walletOrigins returns the origins of rows in the wallet that the export asks for.
func (q *Query) walletOrigins() Origins {
	if q.Wallet == WalletOther {
		return originsInWallet[choiceOther]
	}
	return originsInWallet[choiceDefault]
}

// StartsAfterEnd reports whether the range starts after its end.
func (q Query) StartsAfterEnd() bool {
	start, end := parseBound(q.Start), parseBound(q.End)
	return start.IsGiven() && end.IsGiven() && start.At > end.At
}

// Includes reports whether an instant lies within the bounds that are given.
func (q Query) Includes(instant time.Time) bool {
	at, start, end := instant.UnixNano(), parseBound(q.Start), parseBound(q.End)
	return at >= start.At && (!end.IsGiven() || at < end.At)
}

// HasBothBounds reports whether the range has a start and an end.
func (q Query) HasBothBounds() bool { return q.Start != "" && q.End != "" }

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

// PassWholeSecond moves a bound at a whole second to the next one.
func (e *Bound) PassWholeSecond() {
	if e.At == floorTo(e.At, int64(time.Second)) {
		e.Shift(time.Second)
	}
}

// HasFraction reports whether the bound is given and written with a fraction of a second.
func (e Bound) HasFraction() bool { return e.digits != "" }

// PassSecondAsWritten moves a bound that is written in UTC without a fraction to the next second.
func (e *Bound) PassSecondAsWritten() {
	if e.digits == "" && e.Offset == 0 {
		e.PassWholeSecond()
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
		e.digits = fraction[:strings.IndexAny(fraction, "Z+-")]
	}
	return e
}
