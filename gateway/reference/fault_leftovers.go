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

// markThorough marks faults that only a thorough run finds reliably.
func markThorough(all faultDeclarations) faultDeclarations {
	for i := range all {
		all[i].Thorough = true
	}
	return all
}

// markSweeping marks faults that break many rules of their operation.
func markSweeping(all faultDeclarations) faultDeclarations {
	for i := range all {
		all[i].Sweeping = true
	}
	return all
}

// leftoverFaults declares faults that keep something of one request for the next.
func leftoverFaults() faultDeclarations {
	// by transaction ID; record by transaction ID; transaction ID by nonce
	var burned, kept, nonces sync.Map
	var complement, name, language, client atomic.Value
	language.Store("")
	client.Store("")
	var mu sync.Mutex
	const day = 24 * time.Hour
	var ranges, filters, seconds sync.Map
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
	address := func(o jsonObject) jsonObject { a, _ := o["address"].(jsonObject); return a }
	return slices.Concat(
		declareFault("create.repeat.id_burned",
			effectDuring(operationCreate, func(q *requestState, found *requestDefects) {
				if len(*found) > 0 {
					burned.Store(q.transaction, true)
				} else if _, used := burned.Load(q.transaction); used {
					q.addDefect(http.StatusConflict, "conflict", "", nil, "the transaction ID was used before")
				}
			})),
		declareFault("create.repeat.rejected_kept",
			effectDuring(operationCreate, func(q *requestState, found *requestDefects) {
				if len(*found) > 0 && q.body != nil {
					kept.LoadOrStore(q.transaction, q.newRecord())
				}
			}, func(q *requestState, record jsonObject) {
				if earlier, there := kept.Load(q.transaction); there {
					maps.Copy(record, earlier.(jsonObject))
				}
			})),
		declareFault("create.repeat.nonce_is_key", func(q *requestState, key *creationIdentity) {
			known, _ := nonces.LoadOrStore(q.nonce, key.transaction)
			key.transaction, _ = known.(string)
		}, rewriteRepeatRecord(keepRecordUnchanged)),
		declareFault("create.echo.name_of_before", func(record jsonObject) {
			if given, _ := record["name"].(string); given != "" {
				name.Store(given)
			} else {
				record["name"] = name.Load()
			}
		}),
		declareFault("create.echo.complement_of_before", func(record jsonObject) {
			if given := address(record)["complement"]; given != nil {
				complement.Store(given)
			} else if a := address(record); a != nil {
				a["complement"] = complement.Load()
			}
		}),
		markThorough(declareFault("create.header.language_sticky",
			effectDuring(operationCreate, func(q *requestState, a *pendingResponse) {
				if q.preferredLanguage() != "" {
					language.Store(q.preferredLanguage())
				} else if said := a.errorObject(); said != nil && language.Load() == "en-US" {
					code, _ := said["code"].(string)
					said["message"] = refusalTitles[code][1]
				}
			}))),
		markSweeping(declareFault("export.range.rows_pile_up", func(rows *csvTable) {
			mu.Lock()
			defer mu.Unlock()
			pile = append(pile, (*rows)[1:]...)
			*rows = append((*rows)[:1:1], pile...)
		})),
		markSweeping(declareFault("export.range.filter_of_latest",
			effectDuring(operationExport, func(q *requestState, _ *replayCandidate) {
				client.Store(q.selection.Client)
			}), func(c *quoteSelection) {
				latest, _ := client.Load().(string)
				c.Client, c.isClient = latest, func(id string) bool { return id == latest }
			})),
		markSweeping(declareFault("export.range.file_of_the_second",
			effectDuring(operationExport, func(q *requestState, _ *replayCandidate) {
				seconds.Store(fmt.Sprint(q.runsAs.id, q.gateway.now().Unix()), q.selection)
			}), func(q *requestState, c *quoteSelection) {
				latest, known := seconds.Load(fmt.Sprint(q.file.Owner, q.file.Created.Unix()))
				if known {
					*c = *latest.(exportSelection).newQuoteSelection(c.candidates)
				}
			})),
		declareFault("export.range.cached_by_day", byDays(day, day)),
		declareFault("export.range.cached_by_end_day", byDays(1, day)),
		declareFault("export.range.cached_without_filter", func(c *quoteSelection) {
			key := fmt.Sprint(c.wallets, c.products, c.sort, c.ascending, c.start, c.end)
			first, _ := filters.LoadOrStore(key, *c)
			of := first.(quoteSelection)
			c.Client, c.isClient = of.Client, of.isClient
		}),
	)
}

// hasNoMidnight reports whether a day has no midnight in São Paulo because daylight saving time
// began.
func hasNoMidnight(date any) bool { return date == "1990-10-21" }

// lenientFaults declares faults that accept nearly right values, or distinguish equal ones.
func lenientFaults() faultDeclarations {
	shared := "3f0c2b1a-5d6e-4f70-8a9b-0c1d2e3f4a5b"
	capitals := func(q *requestState) bool {
		id := q.r.Header.Get(q.names.TransactionID)
		return strings.ToLower(id) != id
	}
	likeClient := func(same func(id, text string) bool) func(*quoteSelection) {
		return func(c *quoteSelection) {
			c.isClient = func(id string) bool { return id == c.Client || same(id, c.Client) }
		}
	}
	near := func(pattern string) func(*requestState, *requestDefect) bool {
		shape := matchesPattern(pattern)
		return func(_ *requestState, i *requestDefect) bool { return !shape(i.value) }
	}
	return slices.Concat(
		declareFault("create.echo.negative_made_positive",
			ignoreDefects(operationCreate, "income.negative"), changeAtPath("income", func(value any) any {
				return json.Number(strings.TrimPrefix(string(toJSONNumber(value)), "-"))
			})),
		declareFault("create.qualification.by_index", readFieldsAs("qualification", func(value any) any {
			if n, err := strconv.Atoi(string(toJSONNumber(value))); err == nil && n >= 0 &&
				n < len(qualifications) {
				return qualifications[n]
			}
			return value
		})),
		declareFault("create.response.address_id_shared", changeAtPath("address.id", shared)),
		declareFault("create.echo.email_plus_rejected",
			rejectFieldsWhen(operationCreate, matchesPattern(`\+`), "email")),
		declareFault("create.header.capitals_rejected", rejectWhen(operationCreate, capitals)),
		declareFault("create.dates.midnight_skipped_rejected",
			rejectFieldsWhen(operationCreate, hasNoMidnight, "birth_date")),
		declareFault("create.echo.birth_date_midnight_skipped",
			changeAtPath("birth_date", func(value any) any {
				if hasNoMidnight(value) {
					return "1990-10-20"
				}
				return value
			})),
		markThorough(declareFault("create.repeat.capitals_second_record",
			distinguishCreationsBy(func(q *requestState) string {
				return q.r.Header.Get(q.names.TransactionID)
			}))),
		markThorough(declareFault("create.required.email_in_query",
			filterDefects(operationCreate, []string{"required.email.absent"},
				func(q *requestState, _ *requestDefect) bool { return !q.r.URL.Query().Has("email") }))),
		markThorough(declareFault("create.dates.birth_date_1900",
			filterDefects(operationCreate, []string{"birth_date.leap"}, near("^1900-")))),
		declareFault("export.range.fractions_rejected", rejectWhen(operationExport, hasFraction)),
		declareFault("export.body.charset_rejected", rejectWhen(operationExport, namesCharset)),
		declareFault("export.header.product_unknown_accepted",
			ignoreDefects(operationExport, "header.product.unknown")),
		markThorough(declareFault("export.range.nanoseconds_rejected",
			rejectWhen(operationExport, func(q *requestState) bool {
				return matchesPattern(`\.\d{7,}`)(q.values["date_start"])
			}))),
		markThorough(declareFault("export.body.date_start_without_offset",
			filterDefects(operationExport, []string{"date_start.format"}, near(`T\d\d:\d\d:\d\d$`)))),
		markThorough(declareFault("export.filter.percent_sign", likeClient(func(id, text string) bool {
			head, any := strings.CutSuffix(text, "%")
			return any && strings.HasPrefix(id, head)
		}))),
		markThorough(declareFault("export.filter.ends_at_nul", likeClient(func(id, text string) bool {
			before, _, _ := strings.Cut(text, "\x00")
			return id == before
		}))),
		markThorough(declareFault("export.filter.regular", likeClient(func(id, text string) bool {
			pattern, err := regexp.Compile("^(?:" + text + ")$")
			return err == nil && pattern.MatchString(id)
		}))),
		markThorough(declareFault("export.filter.decoded", likeClient(func(id, text string) bool {
			plain, err := url.PathUnescape(text)
			return err == nil && plain == id
		}))),
	)
}

// toJSONNumber returns a value that is a number, or "".
func toJSONNumber(value any) json.Number { n, _ := value.(json.Number); return n }
