package compare

import (
	"math"
	"math/rand/v2"
)

const (
	resamples = 400
	fewest    = 12 // pieces of a run from which its noise can be estimated
	// fewestEach is that of each stage: one piece alone cannot be exchanged for another and would seem to know no
	// noise.
	fewestEach = 4
	// sure is the quantile of the normal distribution for 99.5 %: with ten figures judged at once, each may be wrong in
	// one of two hundred comparisons for the whole to be wrong in one of twenty.
	sure = 2.5758
)

// points are the percentiles that are judged.
var points = []float64{50, 90, 95, 99}

// figures are the statistics of a run or of a resample of it.
type figures struct {
	times [2][4]float64 // ms: service, response; by points
	sent  float64       // share of what was due
	bad   float64       // share of the answers
}

// vector is what is resampled: logarithms where a ratio is judged, the share of bad answers as it is.
func (f figures) vector() []float64 {
	v := make([]float64, 0, 10)
	for _, t := range f.times {
		for _, ms := range t {
			v = append(v, math.Log(max(ms, 1e-4)))
		}
	}
	return append(v, math.Log(max(f.sent, 1e-9)), f.bad)
}

// sampler computes figures of pieces, each counted as often as its weight says.
type sampler struct {
	pieces []piece
	cells  [2][][2][]int64 // by time and piece: the buckets that counted something, and their counts
	sums   [buckets]int64
}

func newSampler(pieces []piece) *sampler {
	s := &sampler{pieces: pieces}
	for t := range s.cells {
		s.cells[t] = make([][2][]int64, len(pieces))
		for i, p := range pieces {
			for b, n := range p.times[t] {
				s.cells[t][i][0] = append(s.cells[t][i][0], int64(b))
				s.cells[t][i][1] = append(s.cells[t][i][1], n)
			}
		}
	}
	return s
}

func (s *sampler) figures(weights []int64) figures {
	var f figures
	var sent, due, bad, answered int64
	for i, p := range s.pieces {
		w := weights[i]
		sent, due, bad, answered = sent+w*p.sent, due+w*p.due, bad+w*p.bad, answered+w*p.answered
	}
	f.sent = ratio(sent, due)
	f.bad = ratio(bad, answered)
	for t := range s.cells {
		clear(s.sums[:])
		var total int64
		for i, cells := range s.cells[t] {
			w := weights[i]
			if w == 0 {
				continue
			}
			for j, b := range cells[0] {
				n := w * cells[1][j]
				s.sums[b] += n
				total += n
			}
		}
		var seen int64
		next := 0
		for b, n := range s.sums {
			seen += n
			for next < len(points) && n > 0 && float64(seen) >= points[next]/100*float64(total) {
				f.times[t][next] = bucketMS(b)
				next++
			}
		}
	}
	return f
}

func ratio(n, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// noise is how much the figures of one run vary.
type noise struct {
	deviation []float64 // of each element of the vector
	block     int       // pieces that were kept together
	blocks    float64   // of that length in the run
}

// measure resamples a run in blocks: neighbours depend on each other, and blocks keep that. Pieces are only exchanged
// for others of the same stage, as a plan that climbs is not noise.
func measure(pieces []piece, seed uint64) (figures, noise) {
	s := newSampler(pieces)
	weights := make([]int64, len(pieces))
	for i := range weights {
		weights[i] = 1
	}
	whole := s.figures(weights)
	length, understated := dependence(pieces)
	n := noise{block: length}
	n.blocks = float64(len(pieces)) / float64(n.block)
	random := rand.New(rand.NewPCG(seed, uint64(len(pieces))))
	center := whole.vector()
	stages := stagesOf(pieces)
	sum, squares := make([]float64, len(center)), make([]float64, len(center))
	for range resamples {
		clear(weights)
		for _, stage := range stages {
			from, length := stage[0], stage[1]-stage[0]
			block := max(1, min(n.block, length/2))
			for taken := 0; taken < length; taken += block {
				start := random.IntN(length)
				for k := range min(block, length-taken) {
					weights[from+(start+k)%length]++
				}
			}
		}
		for i, x := range s.figures(weights).vector() {
			d := x - center[i]
			sum[i] += d
			squares[i] += d * d
		}
	}
	n.deviation = make([]float64, len(sum))
	// With few blocks a resample varies less than a new run would.
	few := understated * math.Sqrt(n.blocks/max(1, n.blocks-1))
	for i := range sum {
		mean := sum[i] / resamples
		n.deviation[i] = few * math.Sqrt(max(0, squares[i]/resamples-mean*mean))
	}
	return whole, n
}

// stagesOf are the first piece of each stage and the one after its last.
func stagesOf(pieces []piece) (list [][2]int) {
	for from := 0; from < len(pieces); {
		to := from + 1
		for to < len(pieces) && pieces[to].stage == pieces[from].stage {
			to++
		}
		list = append(list, [2]int{from, to})
		from = to
	}
	return list
}

// spreadOf is by how much a difference of two runs can be noise.
func spreadOf(a, b noise, i int) float64 {
	return student(min(a.blocks, b.blocks)-1) * math.Hypot(a.deviation[i], b.deviation[i])
}

// student is the quantile of Student's distribution that sure is of the normal one, for degrees of freedom.
func student(freedom float64) float64 {
	v, z := max(freedom, 3), sure
	z3, z5 := z*z*z, z*z*z*z*z
	return z + (z3+z)/(4*v) + (5*z5+16*z3+3*z)/(96*v*v) + (3*z5*z*z+19*z5+17*z3-15*z)/(384*v*v*v)
}
