package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// dated writes the date of creation in São Paulo's time.
func dated(layout string) effect {
	change := func(q *call, o object) { o["created_at"] = q.g.now().In(saoPaulo).Format(layout) }
	return does(change, answered("exported", func(q *call, a *reply) { change(q, a.body.(object)) }))
}

// laterDocuments refuses uploads for representatives that are younger.
func laterDocuments(age time.Duration) effect {
	var made sync.Map // time by ID
	return does(func(r object) { made.Store(r["id"], time.Now()) }, on(documenting, func(q *call, _ *defects) {
		if at, known := made.Load(strings.ToLower(q.r.PathValue("id"))); known && time.Since(at.(time.Time)) < age {
			q.wrong(http.StatusNotFound, "representative.new", "", nil, "not found yet")
		}
	}))
}

// newQuotes come in with each twentieth export, and an older one is settled. What a file holds stays what it was when it
// was asked for.
func newQuotes() effect {
	var exports atomic.Int64
	var mu sync.Mutex
	var fresh []quote
	return does(answered("exported", func(q *call, _ *reply) {
		if exports.Add(1)%20 != 0 {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		now, one := q.g.now().UTC(), q.owner().quotes[len(fresh)%len(q.owner().quotes)]
		one.id, one.created, one.settled = uuid.NewString(), now, time.Time{}
		if len(fresh) > 0 {
			fresh[len(fresh)-1].settled = now
		}
		fresh = append(fresh, one)
	}), func(q *call, c *choice) {
		mu.Lock()
		defer mu.Unlock()
		for _, one := range fresh {
			if !one.created.Before(q.file.Created) || !slices.Contains(q.owner().wallets, one.wallet) {
				continue
			}
			if !one.settled.Before(q.file.Created) {
				one.settled = time.Time{}
			}
			c.from = append(c.from[:len(c.from):len(c.from)], one)
		}
	})
}

// ofText makes a change of text only.
func ofText(change func(text string) (any, bool)) func(any) (any, bool) {
	return func(value any) (any, bool) {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return nil, false
	}
}

// percentage and cents read text as the number that it spells out.
func percentage(text string) (any, bool) {
	return json.Number(text), between("0", "100")(text) && json.Valid([]byte(text))
}

func cents(text string) (any, bool) {
	n, ok := exactly(json.Number(text))
	return json.Number(text), ok && n.Sign() >= 0 && n.IsInt() && json.Valid([]byte(text))
}

func truth(value any) (any, bool) {
	text := fmt.Sprint(value)
	return text == "true" || text == "1", slices.Contains([]string{"true", "1", "false", "0"}, text)
}

// cpfDigits are the digits of a CPF that is written with other characters.
func cpfDigits(text string) (any, bool) { return digitsOf(text), len(digitsOf(text)) == 11 }

// dayOf reads other notations of a date that leave no doubt.
func dayOf(text string) (any, bool) {
	for _, layout := range []string{"20060102", "2006-1-2", time.RFC3339} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly), true
		}
	}
	return nil, false
}

// anyCase takes the values of a field without regard to case, and reports whether the issue stays one.
func anyCase(q *call, i *issue) bool {
	field, what, _ := strings.Cut(i.Key, ".")
	value := q.text(field)
	switch lower := strings.ToLower(value); {
	case what == "case": // a qualification
		q.values[field] = strings.ToUpper(value)
	case what != "set":
		return true
	case field == "sort" && (lower == byCreated || lower == bySettled):
		q.selection.Sort = lower
	case field == "order" && (lower == "asc" || lower == "desc"):
		q.selection.Order = lower
	case field == "filter_type" && lower == "client_id":
		q.selection.Client = q.text("filter_text")
	default:
		return field != "type_extension" || lower != "csv"
	}
	return false
}

// leaves are the dotted paths of what a body holds.
func leaves(body object, prefix string) []string {
	var all []string
	for key, value := range body {
		if inner, ok := value.(object); ok {
			all = append(all, leaves(inner, prefix+key+".")...)
		} else {
			all = append(all, prefix+key)
		}
	}
	return all
}

// claimed reports whether something that may serve once did so for another creation, and notes it for a sound one.
func (q *call) claimed(what string) (taken bool) {
	q.g.store.step(func() {
		earlier, found := q.g.store.claims.get(what)
		if taken = found && earlier != q.transaction; !found && len(q.issues) == 0 {
			q.g.store.claims.put(what, q.transaction)
		}
	})
	return taken
}

// isRare holds for creations with what is sound and rare: long texts, distant dates, enormous amounts.
func (q *call) isRare() bool {
	for field, value := range q.values {
		switch text := fmt.Sprint(value); {
		case slices.Contains(dateFields, field) && (text < "1950" || text > "2070"),
			field != "address" && utf8.RuneCountInString(text) > 60,
			field == "email" && strings.Contains(text, "+"),
			slices.Contains(moneyFields, field) && len(text) > len("9000000000000000"):
			return true
		}
	}
	_, decimals, _ := strings.Cut(fmt.Sprint(q.values["participation_percentage"]), ".")
	updated := q.text("registration_update_date")
	return len(decimals) > 2 || updated != "" && updated < q.text("relationship_start_date")
}

// checkDigitsHold verifies the two check digits of a CPF of 11 digits.
func checkDigitsHold(number string) bool {
	if strings.Count(number, number[:1]) == len(number) {
		return false
	}
	for _, length := range []int{9, 10} {
		sum := 0
		for i := range length {
			sum += int(number[i]-'0') * (length + 1 - i)
		}
		if sum*10%11%10 != int(number[length]-'0') {
			return false
		}
	}
	return true
}

func leaveOutNulls(record object) {
	for key, value := range record {
		if value == nil {
			delete(record, key)
		} else if inner, ok := value.(object); ok {
			leaveOutNulls(inner)
		}
	}
}
