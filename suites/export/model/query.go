package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/suites/record"
)

// Query is what an export asks for; what is empty is left out.
type Query struct {
	Sort, Order, Start, End string // as they are sent
	Filter                  Filter
	Wallet                  Wallet
	User                    Owner
	Product                 bool
	Language, Extension     string
	Key                     bool   // by the API key
	Replay                  string // value of the replay header
}

// Filter is the client filter.
type Filter struct {
	Kind FilterKind
	Text string
}

// FilterKind is what the filter text is.
type FilterKind string

// Kinds of filter texts.
const (
	NoFilter FilterKind = ""
	WholeID  FilterKind = "a client's ID"
	FirstOf  FilterKind = "the beginning of a client's ID"
	LastOf   FilterKind = "the end of a client's ID"
	Longer   FilterKind = "a client's ID and more"
	Cased    FilterKind = "a client's ID in another case"
	Padded   FilterKind = "a client's ID between blanks"
	Pattern  FilterKind = "a client's ID with a wildcard in it"
	Quote    FilterKind = "a quote's ID"
	Injected FilterKind = "' OR '1'='1" // a condition of SQL that always holds
	Zero     FilterKind = "0"           // which some languages take for nothing
	TypeOnly FilterKind = "no text"
	AnyRest  FilterKind = "the beginning of a client's ID and %"
	AnySign  FilterKind = "a client's ID with a dot for one of its characters"
	Encoded  FilterKind = "a client's ID with its first character percent-encoded"
)

// FewNoClients are those kinds of NoClients that deployments most often take for a client all the
// same.
func FewNoClients() []FilterKind {
	return []FilterKind{FirstOf, LastOf, Longer, Cased, Padded, Pattern, Quote, Injected, Zero}
}

// NoClients are the kinds of texts that are not the ID of a client.
func NoClients() []FilterKind {
	return append(FewNoClients(), AnyRest, AnySign, Encoded)
}

// Nobody reports a filter that names no client: it may be refused.
func (f Filter) Nobody() bool { return f.Kind == TypeOnly || slices.Contains(NoClients(), f.Kind) }

// text makes a text of a kind; the same ID: there is none.
func (k FilterKind) text(id, quote string) string {
	letters := []rune(id)
	switch k {
	case Longer:
		return id + "1"
	case Cased:
		if _, err := uuid.Parse(id); err == nil { // of which the case says nothing
			return id
		}
		if upper := strings.ToUpper(id); upper != id {
			return upper
		}
		return strings.ToLower(id)
	case Padded:
		return " " + id + " "
	case Pattern:
		letters[len(letters)/2] = '_'
		return string(letters)
	case AnyRest:
		return string(letters[:(len(letters)+1)/2]) + "%"
	case AnySign:
		letters[len(letters)/2] = '.'
		return string(letters)
	case Encoded:
		return fmt.Sprintf("%%%02X", id[0]) + id[1:]
	case Quote:
		return quote
	case Injected, Zero:
		return string(k)
	case FirstOf, LastOf:
		for n := 1; n < len(letters); n++ {
			part, rest := string(letters[:len(letters)-n]), string(letters[len(letters)-n:])
			if k == LastOf {
				part, rest = string(letters[n:]), string(letters[:n])
			}
			// A zero in front says nothing of a number, nor do blanks of a name.
			if strings.Trim(part, " -_0.") == part && strings.Trim(rest, " -_0.") != "" {
				return part
			}
		}
	}
	return id
}

// Wallet is which wallet an export names.
type Wallet string

// The wallets that an export can name.
const (
	NoWallet      Wallet = ""
	DefaultWallet Wallet = "the default one"
	OtherWallet   Wallet = "the other one"
	EmptyWallet   Wallet = "empty"
	ForeignWallet Wallet = "another user's" // of whom it is none
)

// Factors, by the names that a caller gives them.
const (
	Sort      = "sort"
	Order     = "order"
	Client    = "filter_type"
	Extension = "type_extension"
	WalletOf  = "x-wallet-uuid"
	Product   = "x-product-uuid"
	User      = "x-product-target-user-uuid"
	Language  = "x-lang"
	Replay    = "x-include-replay-protection-schema"
	Method    = "x-api-key"
	As        = "credential"
	Bounds    = "bounds" // which of both are given
	Body      = "body"
)

// settings are the choices that conditions are made of, as a caller would name them. A factor
// without a value is one that is given, whatever its value; one with the value "left out" is not.
func (q *Query) settings() (all []record.FactorValue) {
	flag := func(on bool, value string) string {
		if on {
			return value
		}
		return ""
	}
	add := func(factor, value string) {
		if value == "" {
			value = LeftOut
		}
		all = append(all, record.FactorValue{Factor: factor, Value: value})
	}
	for _, some := range []struct{ factor, value string }{
		{Sort, q.Sort},
		{Order, q.Order},
		{Language, q.Language},
		{Replay, q.Replay},
		{WalletOf, flag(q.Wallet != EmptyWallet, string(q.Wallet))},
	} {
		if add(some.factor, some.value); some.value != "" {
			all = append(all, record.FactorValue{Factor: some.factor})
		}
	}
	if add(Client, string(q.Filter.Kind)); q.Filter.Text != "" {
		all[len(all)-1] = record.FactorValue{Factor: "filter_text"}
	}
	add(Extension, q.Extension)
	add(Product, flag(q.Product, NamedProduct))
	add(User, flag(q.User == Target, TargetUser))
	add(Method, flag(q.Key, APIKey))
	if q.User == Stranger {
		add(As, "another user's")
	}
	lone := q.Start == "" != (q.End == "")
	for value, holds := range map[string]bool{
		"none": q.Start+q.End == "", "only date_start": lone && q.Start != "",
		"only date_end": lone && q.Start == "",
		"only one":      lone, "not both": q.Start == "" || q.End == "",
		"date_start left out": q.Start == "",
	} {
		if holds {
			add(Bounds, value)
		}
	}
	if q.bare() {
		add(Body, "an empty object")
	}
	return all
}

// LeftOut is the value of a factor that an export does not give.
const LeftOut = "left out"

// bare reports an export whose body is an empty object.
func (q *Query) bare() bool {
	return q.Sort+q.Order+q.Start+q.End+q.Extension+string(q.Filter.Kind) == ""
}

// Turned reports a range whose start is after its end.
func (q Query) Turned() bool {
	start, end := readEdge(q.Start), readEdge(q.End)
	return start.given() && end.given() && start.at > end.at
}

// edge is a bound as it is read.
type edge struct {
	at     int64 // never: it is not given
	offset time.Duration
	digits string // of its fraction
}

func (e edge) given() bool { return e.at != never }

// move is a bound that lies elsewhere, where it is given.
func (e *edge) move(by time.Duration) {
	if e.given() {
		e.at += int64(by)
	}
}

// cut moves a bound to the beginning of its unit, in a zone that is so much ahead of UTC.
func (e *edge) cut(unit, ahead time.Duration) {
	if e.given() {
		e.at = floor(e.at+int64(ahead), int64(unit)) - int64(ahead)
	}
}

func floor(at, unit int64) int64 { return at - ((at%unit)+unit)%unit }

func readEdge(text string) edge {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return edge{at: never}
	}
	_, seconds := at.Zone()
	e := edge{at: at.UnixNano(), offset: time.Duration(seconds) * time.Second}
	if _, fraction, found := strings.Cut(text, "."); found {
		e.digits, _, _ = strings.Cut(strings.TrimRight(fraction, "Z"), "+")
		e.digits, _, _ = strings.Cut(e.digits, "-")
	}
	return e
}
