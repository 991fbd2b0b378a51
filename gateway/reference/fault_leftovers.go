package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// leftoverFaults declares faults that keep something of one request for the next.
func leftoverFaults() changes {
	// by transaction ID; record by transaction ID; transaction ID by nonce
	var burned, anyones, kept, nonces sync.Map
	var complement, name, language, client atomic.Value
	var mu sync.Mutex
	const day = 24 * time.Hour
	var ranges, filters, seconds, wallets sync.Map
	// byDays reuses the bounds of the first selection whose bounds are equal when truncated.
	byDays := func(start, end time.Duration) any {
		return func(c *quoteSelection) {
			key := fmt.Sprint(c.wallets, c.products, c.sort, c.ascending, c.Client, c.start.Truncate(start),
				c.end.Truncate(end))
			first, known := ranges.LoadOrStore(key, [2]time.Time{c.start, c.end})
			if of := first.([2]time.Time); known {
				c.start, c.end = of[0], of[1]
			}
		}
	}
	var pile csvTable
	// byKey reuses the filter of the first selection that is equal but for the filter, of which part
	// is compared.
	byKey := func(part func(*quoteSelection) any) any {
		return func(c *quoteSelection) {
			key := fmt.Sprint(part(c), c.wallets, c.products, c.sort, c.ascending, c.start, c.end)
			first, _ := filters.LoadOrStore(key, *c)
			of := first.(quoteSelection)
			c.Client, c.isClient = of.Client, of.isClient
		}
	}
	refuseUsed := func(ids *sync.Map, q *request) {
		if _, used := ids.Load(q.transaction); used {
			q.addDefect(http.StatusConflict, "conflict", "", nil, "the transaction ID was used before")
		}
	}
	address := func(o jsonObject) jsonObject { a, _ := o["address"].(jsonObject); return a }
	return changes{
		"create.repeat.id_burned": during(opCreate, func(q *request, found *defects) {
			if len(*found) > 0 {
				burned.Store(q.transaction, true)
			} else {
				refuseUsed(&burned, q)
			}
		}),
		"create.repeat.id_burned_by_anyone": during(opCreate,
			changeAnswer("unauthenticated", func(q *request, _ *response) {
				anyones.Store(q.r.Header.Get(q.names.TransactionID), true)
			}), func(q *request, _ *defects) { refuseUsed(&anyones, q) }),
		"create.repeat.rejected_kept": during(opCreate,
			func(q *request, found *defects) {
				if len(*found) > 0 && q.body != nil {
					kept.LoadOrStore(q.transaction, q.newRecord())
				}
			}, func(q *request, record jsonObject) {
				if earlier, there := kept.Load(q.transaction); there {
					maps.Copy(record, earlier.(jsonObject))
				}
			}),
		"create.repeat.nonce_is_key": combine(
			func(q *request, key *creationIdentity) {
				known, _ := nonces.LoadOrStore(q.nonce, key.transaction)
				key.transaction, _ = known.(string)
			}, answerWithRecord()),
		"create.echo.name_of_before": func(record jsonObject) {
			if given, _ := record["name"].(string); given != "" {
				name.Store(given)
			} else {
				record["name"] = name.Load()
			}
		},
		"create.echo.complement_of_before": func(record jsonObject) {
			if given := address(record)["complement"]; given != nil {
				complement.Store(given)
			} else if a := address(record); a != nil {
				a["complement"] = complement.Load()
			}
		},
		"create.header.language_sticky": during(opCreate, func(q *request, a *response) {
			if q.preferredLanguage() != "" {
				language.Store(q.preferredLanguage())
			} else if said := a.errorObject(); said != nil && language.Load() == "en-US" {
				code, _ := said["code"].(string)
				said["message"] = refusalTitles[code][1]
			}
		}),
		"export.range.rows_pile_up": func(rows *csvTable) {
			mu.Lock()
			defer mu.Unlock()
			pile = append(pile, (*rows)[1:]...)
			*rows = append((*rows)[:1:1], pile...)
		},
		"export.range.filter_of_latest": combine(
			during(opExport, func(q *request, _ *replayCandidate) { client.Store(q.selection.Client) }),
			func(c *quoteSelection) {
				latest, _ := client.Load().(string)
				c.Client, c.isClient = latest, func(id string) bool { return id == latest }
			}),
		"export.range.wallet_of_latest": combine(
			during(opExport, func(q *request, _ *replayCandidate) {
				wallets.Store(q.runsAs.id, q.selection.Wallet)
			}), func(q *request, c *quoteSelection) {
				if latest, known := wallets.Load(q.file.Owner); known {
					c.wallets = []string{latest.(string)}
				}
			}),
		"export.range.file_of_the_second": combine(
			during(opExport, func(q *request, _ *replayCandidate) {
				seconds.Store(fmt.Sprint(q.runsAs.id, q.gateway.now().Unix()), q.selection)
			}), func(q *request, c *quoteSelection) {
				latest, known := seconds.Load(fmt.Sprint(q.file.Owner, q.file.Created.Unix()))
				if known {
					*c = *latest.(exportSelection).newQuoteSelection(c.candidates)
				}
			}),
		"export.range.cached_by_day":         byDays(day, day),
		"export.range.cached_by_end_day":     byDays(1, day),
		"export.range.cached_without_filter": byKey(func(*quoteSelection) any { return nil }),
		"export.range.cached_without_text": byKey(
			func(c *quoteSelection) any { return c.Client != "" }),
	}
}

// hasNoMidnight reports whether a day has no midnight in São Paulo because daylight saving time
// began.
func hasNoMidnight(date any) bool { return date == "1990-10-21" }

// lenientFaults declares faults that accept nearly right values, or distinguish equal ones.
func lenientFaults() changes {
	shared := "3f0c2b1a-5d6e-4f70-8a9b-0c1d2e3f4a5b"
	capitals := func(q *request) bool {
		id := q.r.Header.Get(q.names.TransactionID)
		return strings.ToLower(id) != id
	}
	likeClient := func(same func(id, text string) bool) func(*quoteSelection) {
		return func(c *quoteSelection) {
			c.isClient = func(id string) bool { return id == c.Client || same(id, c.Client) }
		}
	}
	near := func(pattern string) func(*request, *defect) bool {
		shape := matchesPattern(pattern)
		return func(_ *request, i *defect) bool { return !shape(i.value) }
	}
	return changes{
		"create.echo.negative_made_positive": combine(ignoreDefects(opCreate, "income.negative"),
			changeAtPath("income", func(value any) any {
				return json.Number(strings.TrimPrefix(string(toJSONNumber(value)), "-"))
			})),
		"create.qualification.by_index": readFieldsAs("qualification", func(value any) any {
			if n, err := strconv.Atoi(string(toJSONNumber(value))); err == nil && n >= 0 &&
				n < len(qualifications) {
				return qualifications[n]
			}
			return value
		}),
		"create.response.address_id_shared": changeAtPath("address.id", shared),
		"create.echo.email_plus_rejected": rejectFieldsWhen(opCreate,
			matchesPattern(`\+`), "email"),
		"create.header.capitals_rejected":        rejectWhen(opCreate, capitals),
		"create.dates.midnight_skipped_rejected": rejectFieldsWhen(opCreate, hasNoMidnight, "birth_date"),
		"create.echo.birth_date_midnight_skipped": changeAtPath("birth_date", func(value any) any {
			if hasNoMidnight(value) {
				return "1990-10-20"
			}
			return value
		}),
		"create.repeat.capitals_second_record": distinguishCreationsBy(
			func(q *request) string { return q.r.Header.Get(q.names.TransactionID) }),
		"create.required.email_in_query": filterDefects(opCreate, []string{"required.email.absent"},
			func(q *request, _ *defect) bool { return !q.r.URL.Query().Has("email") }),
		"create.dates.birth_date_1900": filterDefects(opCreate, []string{"birth_date.leap"},
			near("^1900-")),
		"export.range.fractions_rejected":        rejectWhen(opExport, hasFraction),
		"export.body.charset_rejected":           rejectWhen(opExport, namesCharset),
		"export.header.product_unknown_accepted": ignoreDefects(opExport, "header.product.unknown"),
		"export.range.nanoseconds_rejected": rejectWhen(opExport,
			func(q *request) bool { return matchesPattern(`\.\d{7,}`)(q.values["date_start"]) }),
		"export.body.date_start_without_offset": filterDefects(opExport, []string{"date_start.format"},
			near(`T\d\d:\d\d:\d\d$`)),
		"export.filter.percent_sign": likeClient(func(id, text string) bool {
			head, any := strings.CutSuffix(text, "%")
			return any && strings.HasPrefix(id, head)
		}),
		"export.filter.ends_at_nul": likeClient(func(id, text string) bool {
			before, _, _ := strings.Cut(text, "\x00")
			return id == before
		}),
		"export.filter.regular": likeClient(func(id, text string) bool {
			pattern, err := regexp.Compile("^(?:" + text + ")$")
			return err == nil && pattern.MatchString(id)
		}),
		"export.filter.decoded": likeClient(func(id, text string) bool {
			plain, err := url.PathUnescape(text)
			return err == nil && plain == id
		}),
	}
}

// toJSONNumber returns a value that is a number, or "".
func toJSONNumber(value any) json.Number { n, _ := value.(json.Number); return n }
