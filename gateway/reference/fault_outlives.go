package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// thoroughly marks faults that only a thorough run is sure to find.
func thoroughly(all faults) faults {
	for i := range all {
		all[i].Thorough = true
	}
	return all
}

// sweeping marks faults that break many rules of their operation.
func sweeping(all faults) faults {
	for i := range all {
		all[i].Sweeping = true
	}
	return all
}

// outlivingFaults keep something of one request for the next.
func outlivingFaults() faults {
	var burned, kept, nonces sync.Map // by transaction ID, by transaction ID, and transaction ID by nonce
	var complement, language, client atomic.Value
	language.Store("")
	client.Store("")
	var mu sync.Mutex
	var ranges, seconds sync.Map
	var pile table
	address := func(o object) object { a, _ := o["address"].(object); return a }
	return slices.Concat(
		fault("create.repeat.id_burned", during(creating, func(q *call, found *defects) {
			if len(*found) > 0 {
				burned.Store(q.transaction, true)
			} else if _, used := burned.Load(q.transaction); used {
				q.wrong(http.StatusConflict, "conflict", "", nil, "the transaction ID was used before")
			}
		})),
		fault("create.repeat.rejected_kept", during(creating, func(q *call, found *defects) {
			if len(*found) > 0 && q.body != nil {
				kept.LoadOrStore(q.transaction, q.record())
			}
		}, func(q *call, record object) {
			if earlier, there := kept.Load(q.transaction); there {
				maps.Copy(record, earlier.(object))
			}
		})),
		fault("create.repeat.nonce_is_key", func(q *call, key *creation) {
			known, _ := nonces.LoadOrStore(q.nonce, key.transaction)
			key.transaction, _ = known.(string)
		}, rewritten(unchanged)),
		fault("create.echo.complement_of_before", func(record object) {
			if given := address(record)["complement"]; given != nil {
				complement.Store(given)
			} else if a := address(record); a != nil {
				a["complement"] = complement.Load()
			}
		}),
		thoroughly(fault("create.header.language_sticky", during(creating, func(q *call, a *reply) {
			if q.preferred() != "" {
				language.Store(q.preferred())
			} else if said := a.refusal(); said != nil && language.Load() == "en-US" {
				code, _ := said["code"].(string)
				said["message"] = titles[code][1]
			}
		}))),
		sweeping(fault("export.range.rows_pile_up", func(rows *table) {
			mu.Lock()
			defer mu.Unlock()
			pile = append(pile, (*rows)[1:]...)
			*rows = append((*rows)[:1:1], pile...)
		})),
		sweeping(fault("export.range.filter_of_latest", during(exporting, func(q *call, _ *sighting) {
			client.Store(q.selection.Client)
		}), func(c *choice) {
			latest, _ := client.Load().(string)
			c.Client, c.isClient = latest, func(id string) bool { return id == latest }
		})),
		fault("export.range.cached_by_day", func(c *choice) {
			const day = 24 * time.Hour
			key := fmt.Sprint(c.wallets, c.products, c.sort, c.ascending, c.Client, c.start.Truncate(day), c.end.Truncate(day))
			first, known := ranges.LoadOrStore(key, [2]time.Time{c.start, c.end})
			if of := first.([2]time.Time); known {
				c.start, c.end = of[0], of[1]
			}
		}),
		sweeping(fault("export.range.file_of_the_second", during(exporting, func(q *call, _ *sighting) {
			seconds.Store(fmt.Sprint(q.runsAs.id, q.g.now().Unix()), q.selection)
		}), func(q *call, c *choice) {
			if latest, known := seconds.Load(fmt.Sprint(q.file.Owner, q.file.Created.Unix())); known {
				*c = *latest.(selection).choose(c.from)
			}
		})),
	)
}

// skipsMidnight reports a day that has no midnight in São Paulo: its summer time began then.
func skipsMidnight(date any) bool { return date == "1990-10-21" }

// looseFaults take for right what is only near to it, or for another what is the same.
func looseFaults() faults {
	shared := "3f0c2b1a-5d6e-4f70-8a9b-0c1d2e3f4a5b"
	capitals := func(q *call) bool {
		id := q.r.Header.Get(q.names.TransactionID)
		return strings.ToLower(id) != id
	}
	likeClient := func(same func(id, text string) bool) func(*choice) {
		return func(c *choice) { c.isClient = func(id string) bool { return id == c.Client || same(id, c.Client) } }
	}
	near := func(pattern string) func(*call, *issue) bool {
		shape := matching(pattern)
		return func(_ *call, i *issue) bool { return !shape(i.value) }
	}
	return slices.Concat(
		fault("create.echo.negative_made_positive", ignoring(creating, "income.negative"), at("income", func(value any) any {
			return json.Number(strings.TrimPrefix(string(asNumeral(value)), "-"))
		})),
		fault("create.qualification.by_index", reads("qualification", func(value any) any {
			if n, err := strconv.Atoi(string(asNumeral(value))); err == nil && n >= 0 && n < len(qualifications) {
				return qualifications[n]
			}
			return value
		})),
		fault("create.response.address_id_shared", at("address.id", shared)),
		fault("create.header.capitals_rejected", dislikes(creating, capitals)),
		fault("create.dates.midnight_skipped_rejected", refusing(creating, skipsMidnight, "birth_date")),
		fault("create.echo.birth_date_midnight_skipped", at("birth_date", func(value any) any {
			if skipsMidnight(value) {
				return "1990-10-20"
			}
			return value
		})),
		thoroughly(fault("create.repeat.capitals_second_record", telling(func(q *call) string {
			return q.r.Header.Get(q.names.TransactionID)
		}))),
		thoroughly(fault("create.required.email_in_query", onDefects(creating, []string{"required.email.absent"},
			func(q *call, _ *issue) bool { return !q.r.URL.Query().Has("email") }))),
		thoroughly(fault("create.dates.birth_date_1900", onDefects(creating, []string{"birth_date.leap"}, near("^1900-")))),
		fault("export.header.product_unknown_accepted", ignoring(exporting, "header.product.unknown")),
		thoroughly(fault("export.range.nanoseconds_rejected", dislikes(exporting, func(q *call) bool {
			return matching(`\.\d{7,}`)(q.values["date_start"])
		}))),
		thoroughly(fault("export.body.date_start_without_offset", onDefects(exporting, []string{"date_start.format"}, near(`T\d\d:\d\d:\d\d$`)))),
		thoroughly(fault("export.filter.percent_sign", likeClient(func(id, text string) bool {
			head, any := strings.CutSuffix(text, "%")
			return any && strings.HasPrefix(id, head)
		}))),
		thoroughly(fault("export.filter.regular", likeClient(func(id, text string) bool {
			pattern, err := regexp.Compile("^(?:" + text + ")$")
			return err == nil && pattern.MatchString(id)
		}))),
		thoroughly(fault("export.filter.decoded", likeClient(func(id, text string) bool {
			plain, err := url.PathUnescape(text)
			return err == nil && plain == id
		}))),
	)
}

// asNumeral is a value as the number that it is; empty: it is none.
func asNumeral(value any) json.Number { n, _ := value.(json.Number); return n }
