package results

import "github.com/gateassay/gateassay/load/results/histogram"

// Cells of stages that are over are let go, so that a plan of a thousand stages takes the memory of a few. A cell that
// nobody touched for a while is taken out of its shard; whoever held it at that moment has finished long before it is
// drained for the last time.
const (
	idleTicks   = 60
	retireTicks = 30
)

// drain moves counts from the shards to whoever wants them.
type drain struct {
	shards *shards
	idle   []int // of each stage and column: ticks since it was last touched
	gone   []oldCell
}

type oldCell struct {
	cell  *cell
	index int
	left  int
}

func newDrain(s *shards) *drain {
	return &drain{shards: s, idle: make([]int, len(s.last)*columns)}
}

// collect calls take for each stage and column that counted something since the last call, with service and response
// times, or send lag alone, which are valid during the call. all looks into untouched cells too.
func (d *drain) collect(all bool, take func(stage, column int, first, second *histogram.Histogram)) {
	var first, second histogram.Histogram
	kept := d.gone[:0]
	leftover := map[int][]*cell{}
	for _, r := range d.gone {
		if r.cell.touched.Swap(false) || all {
			leftover[r.index] = append(leftover[r.index], r.cell)
		}
		if r.left--; r.left > 0 {
			kept = append(kept, r)
		}
	}
	clear(d.gone[len(kept):])
	d.gone = kept
	for i := range d.idle {
		touched, present := false, false
		first.Reset()
		second.Reset()
		for s := range d.shards.list {
			c := d.shards.list[s].cells[i].Load()
			if c == nil {
				continue
			}
			present = true
			if c.touched.Swap(false) || all {
				touched = true
				c.drain(&first, &second)
			}
		}
		for _, c := range leftover[i] {
			touched = true
			c.drain(&first, &second)
		}
		if touched {
			d.idle[i] = 0
			if first.Count() > 0 || second.Count() > 0 {
				take(i/columns, i%columns, &first, &second)
			}
		} else if present {
			if d.idle[i]++; d.idle[i] > idleTicks {
				d.retire(i)
			}
		}
	}
}

func (c *cell) drain(first, second *histogram.Histogram) {
	c.first.Drain(first)
	c.second.Drain(second)
}

func (d *drain) retire(i int) {
	d.idle[i] = 0
	for s := range d.shards.list {
		if c := d.shards.list[s].cells[i].Swap(nil); c != nil {
			d.gone = append(d.gone, oldCell{c, i, retireTicks})
		}
	}
}
