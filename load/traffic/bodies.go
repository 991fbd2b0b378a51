package traffic

import (
	"encoding/json"
	"math/bits"
	"time"
)

// A bodyShape says which fields a body has.
type bodyShape int

const (
	shapeBoundsOnly bodyShape = iota // only the two bounds
	shapeSorted                      // with one of four pairs of sort and order
	shapeFiltered                    // with a filter for fixtures.client_id
	// all fields of the operation; without a client ID, no filter
	shapeAllFields
)

const variantsPerShape = 4 // pairs of sort and order

// bodyTails holds the part of a body after the bounds, by shape and variant.
type bodyTails [shapeAllFields + 1][variantsPerShape]string

func newBodyTails(clientID string) bodyTails {
	var b bodyTails
	filter := ""
	if clientID != "" {
		text, _ := json.Marshal(clientID) // a string cannot fail
		filter = `,"filter_type":"client_id","filter_text":` + string(text)
	}
	for v := range variantsPerShape {
		order := `,"sort":"` + []string{"quote_created_at", "settled_date"}[v%2] +
			`","order":"` + []string{"asc", "desc"}[v/2] + `"`
		b[shapeBoundsOnly][v] = "}"
		b[shapeSorted][v] = order + "}"
		b[shapeFiltered][v] = filter + "}"
		b[shapeAllFields][v] = order + filter + `,"type_extension":"CSV"}`
	}
	return b
}

func (g *Generator) appendBody(to []byte, k int64, unique bool) []byte {
	form := pickOne(g.shapes, drawUint64(g.keys.mix, k, purposeShape))
	var start, end int64
	if unique {
		start, end = g.bounds.uniquePair(k)
	} else {
		start, end = g.bounds.sharedPair(drawUint64(g.keys.mix, k, purposeBounds))
	}
	to = append(to, `{"date_start":"`...)
	to = appendInstant(to, start)
	to = append(to, `","date_end":"`...)
	to = appendInstant(to, end)
	to = append(to, '"')
	return append(to, g.tails[form][drawUint64(g.keys.mix, k, purposeVariant)%variantsPerShape]...)
}

const sharedBoundPairs = 16 // pairs of bounds that requests with identifiers share

type dateBoundsGenerator struct {
	from int64 // Unix milliseconds
	half int64 // half of the window, in milliseconds

	// Unique pairs: each start in the first half with each length of at most a half.
	starts, lengths uint64
	pairs           uint64 // starts · lengths
	stride          uint64 // coprime to pairs: steps of it reach every pair once
	salt            uint64 // the first pair
}

// newBoundGenerator needs a window of at least a second.
func newBoundGenerator(start, end time.Time, salt uint64) dateBoundsGenerator {
	b := dateBoundsGenerator{from: start.UnixMilli()}
	if start.After(time.UnixMilli(b.from)) {
		b.from++ // keep the bounds inside the window
	}
	b.half = (end.UnixMilli() - b.from) / 2
	b.starts = uint64(b.half)
	b.lengths = min(b.starts, 1<<62/b.starts)
	b.pairs = b.starts * b.lengths
	// The golden ratio spreads neighbours far apart.
	b.stride = uint64(float64(b.pairs)*0.6180339887498949) | 1
	for greatestCommonDivisor(b.stride, b.pairs) != 1 {
		b.stride += 2
	}
	b.salt = salt % b.pairs
	return b
}

func greatestCommonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// uniquePair returns pair number k after the salt, in Unix milliseconds. All k below pairs give
// different pairs.
func (b *dateBoundsGenerator) uniquePair(k int64) (start, end int64) {
	n := (b.salt + uint64(k)%b.pairs) % b.pairs
	high, low := bits.Mul64(n, b.stride)
	n = bits.Rem64(high, low, b.pairs)
	start = b.from + int64(n%b.starts)
	return start, start + 1 + int64(n/b.starts)
}

// sharedPair returns one of sharedBoundPairs pairs. They are longer than half the window, and
// unique pairs are not.
func (b *dateBoundsGenerator) sharedPair(drawn uint64) (start, end int64) {
	i, quarter := int64(drawn%sharedBoundPairs), b.half/2
	start = b.from + quarter*i/sharedBoundPairs
	return start, start + b.half + 1 + quarter*(i*7%sharedBoundPairs)/(sharedBoundPairs+1)
}

// appendInstant writes Unix milliseconds as a date-time, such as 2025-01-31T23:59:59.999Z.
// Package time formats this layout fast, and one with milliseconds slowly.
func appendInstant(to []byte, ms int64) []byte {
	to = time.UnixMilli(ms).UTC().AppendFormat(to, time.RFC3339)
	ms = (ms%1000 + 1000) % 1000
	to[len(to)-1] = '.'
	return append(to, byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z')
}
