package traffic

import "encoding/json"

// shape is what a body holds.
type shape int

const (
	ranged   shape = iota // two bounds inside the window
	sorted                // with one of the four pairs of sort and order
	filtered              // with the filter for fixtures.client_id
	full                  // every field of the operation; without a known client all but the filter
)

// variants is how many bodies of one shape and pair of bounds there are: the pairs of sort and
// order.
const variants = 4

// bodies holds what follows the bounds in a body, by shape and variant.
type bodies [full + 1][variants]string

func newBodies(clientID string) bodies {
	var b bodies
	filter := ""
	if clientID != "" {
		text, _ := json.Marshal(clientID) // a string cannot fail
		filter = `,"filter_type":"client_id","filter_text":` + string(text)
	}
	for v := range variants {
		order := `,"sort":"` + []string{"quote_created_at", "settled_date"}[v%2] +
			`","order":"` + []string{"asc", "desc"}[v/2] + `"`
		b[ranged][v] = "}"
		b[sorted][v] = order + "}"
		b[filtered][v] = filter + "}"
		b[full][v] = order + filter + `,"type_extension":"CSV"}`
	}
	return b
}

func (g *Generator) body(to []byte, k int64, unique bool) []byte {
	form := one(g.shapes, draw(g.keys.mix, k, forShape))
	var start, end int64
	if unique {
		start, end = g.bounds.unique(k)
	} else {
		start, end = g.bounds.shared(draw(g.keys.mix, k, forBounds))
	}
	to = append(to, `{"date_start":"`...)
	to = appendInstant(to, start)
	to = append(to, `","date_end":"`...)
	to = appendInstant(to, end)
	to = append(to, '"')
	return append(to, g.tails[form][draw(g.keys.mix, k, forVariant)%variants]...)
}
