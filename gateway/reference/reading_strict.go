package reference

import (
	"slices"
	"strings"
	"time"
)

func strictReadings() faults {
	exports := func(when func(q *call) bool) effect { return dislikes(exporting, when) }
	creations := func(when func(q *call) bool) effect { return dislikes(creating, when) }
	bounds := func(when func(bound string) bool) effect {
		return exports(func(q *call) bool { return when(q.selection.Start) || when(q.selection.End) })
	}
	return slices.Concat(
		reads("extension-required", "type_extension is required",
			exports(func(q *call) bool { return q.text("type_extension") == "" })),
		reads("extension-refused", "type_extension is refused, since it has only one value",
			exports(func(q *call) bool { return q.text("type_extension") != "" })),
		reads("whole-bounds", "bounds with fractions of a second are refused",
			bounds(func(bound string) bool { return strings.Contains(bound, ".") })),
		reads("utc-bounds", "bounds are given in UTC",
			bounds(func(bound string) bool { return !inUTC(bound) })),
		reads("turned-refused", "a start after the end is refused",
			exports(func(q *call) bool { return q.selection.choose(nil).startAfterEnd() })),
		reads("filter-pair", "a filter text needs a filter type",
			exports(func(q *call) bool { return q.text("filter_text") != "" && q.text("filter_type") == "" })),
		reads("transaction-needed", "replay protection by transaction ID needs one",
			exports(func(q *call) bool { return q.mode >= 2 && q.transaction == "" })),
		reads("known-fields", "undocumented fields are refused", creations(func(q *call) bool {
			known := map[string]bool{}
			for _, steps := range q.g.paths {
				for i := range steps {
					known[strings.Join(steps[:i+1], ".")] = true
				}
			}
			return slices.ContainsFunc(leaves(q.body, ""), func(path string) bool { return !known[path] })
		}).and(exports(func(q *call) bool {
			return slices.ContainsFunc(leaves(q.body, ""), func(path string) bool {
				return !slices.Contains(exportFields, path)
			})
		}))),
		reads("product-required", "a creation names a product",
			creations(not((*call).namesProduct))),
		reads("whole-address", "every part of the address is required but the complement",
			creations(func(q *call) bool {
				return slices.ContainsFunc(addressParts,
					func(part string) bool { return part != "complement" && q.values["address."+part] == nil })
			})),
		reads("plausible-dates", "an end before the start and a birth in the future are refused",
			creations(func(q *call) bool {
				end, birth := q.text("relationship_end_date"), q.text("birth_date")
				return end != "" && end < q.text("relationship_start_date") ||
					birth > q.g.now().UTC().Format(time.DateOnly)
			})),
		reads("one-cpf", "a CPF can represent a shareholder only once", creations(func(q *call) bool {
			key, taken := q.text("shareholder_id")+" "+q.text("document_number"), false
			q.g.store.step(func() {
				earlier, found := q.g.store.cpfs.get(key)
				if taken = found && earlier != q.transaction; !found {
					q.g.store.cpfs.put(key, q.transaction)
				}
			})
			return taken
		})),
		reads("photographs", "documents that are not photographs are refused", adds(func(q *call) {
			if q.r.MultipartForm == nil {
				return
			}
			for part, uploads := range q.r.MultipartForm.File {
				if uploads[0].Size < 10_000 {
					q.wrong(0, "part.photograph", part, nil, "expected a photograph")
				}
			}
		})),
		reads("target-apart", "an on-behalf-of user may not use the caller's shareholder",
			adds(func(q *call) {
				if q.runsAs != q.caller && q.text("shareholder_id") == q.g.data.shareholder {
					q.spoilt("shareholder_id", ".foreign", "this user does not have the shareholder")
				}
			}).of(creating)),
		reads("rejected-counts", "replay protection remembers rejected exports, too",
			answered(exporting, "invalid_request", func(q *call, _ *reply) {
				if q.body == nil {
					return
				}
				q.see()
				q.g.store.step(func() { q.g.store.sightings.put(q.own(), true) })
			})),
	)
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
