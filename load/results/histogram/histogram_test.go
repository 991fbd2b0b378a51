package histogram_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/load/results/histogram"
)

// samples are durations spread over the whole range, edges included.
func samples(n int) []time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	list := []time.Duration{
		0, 1, 511, 512, 999, 1000, 1023, 1024, 1<<20 - 1, 1 << 20, 1<<20 + 511,
		histogram.Highest - 1, histogram.Highest,
	}
	for len(list) < n {
		list = append(list, time.Duration(math.Exp(r.Float64()*math.Log(float64(histogram.Highest)))))
	}
	return list
}

func theirs() *hdr.Histogram {
	return hdr.New(int64(histogram.Lowest), int64(histogram.Highest), histogram.Digits)
}

func TestItCountsAsHdrHistogramDoes(t *testing.T) {
	var ours histogram.Histogram
	want := theirs()
	for _, d := range samples(20_000) {
		ours.Record(d)
		if err := want.RecordValue(int64(d)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []float64{1, 25, 50, 90, 95, 99, 99.9, 99.99, 100} {
		if got := ours.Quantile(p); int64(got) != want.ValueAtQuantile(p) {
			t.Errorf("p%v: %d, want %d", p, got, want.ValueAtQuantile(p))
		}
	}
	if int64(ours.Max()) != want.Max() || ours.Count() != want.TotalCount() {
		t.Errorf("max %d, want %d; count %d, want %d", ours.Max(), want.Max(), ours.Count(), want.TotalCount())
	}
	if off := math.Abs(float64(ours.Mean())/want.Mean() - 1); off > 1e-6 {
		t.Errorf("mean %s, want %s", ours.Mean(), time.Duration(want.Mean()))
	}
	var encoder histogram.Encoder
	encoder.Encode(&histogram.Histogram{}) // buffers are used again
	read, err := hdr.Decode([]byte(encoder.Encode(&ours)))
	if err != nil {
		t.Fatal(err)
	}
	if !read.Equals(want) {
		t.Error("what the library reads is not what it counts itself")
	}
	var back histogram.Histogram
	if err := back.Decode(encoder.Encode(&ours)); err != nil || back.Count() != ours.Count() ||
		back.Quantile(99) != ours.Quantile(99) {
		t.Errorf("read back: %v, %d", err, back.Count())
	}
	library, err := want.Encode(hdr.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Decode(string(library)); err != nil || back.Count() != 2*ours.Count() {
		t.Errorf("what the library wrote, added: %v, %d", err, back.Count())
	}
}

func TestThreeDigitsAreExact(t *testing.T) {
	for _, d := range samples(5000) {
		var h histogram.Histogram
		h.Record(d)
		if off := h.Max() - d; off < 0 || off > max(d/1000, 512) {
			t.Fatalf("%d is shown as %d", d, h.Max())
		}
	}
}

func TestWhatIsOutOfRangeIsCountedAtItsEnd(t *testing.T) {
	var h histogram.Histogram
	var l histogram.Live
	for _, d := range []time.Duration{-1, math.MinInt64, histogram.Highest + 1, math.MaxInt64, time.Second} {
		h.Record(d)
		l.Record(d)
	}
	var drained histogram.Histogram
	l.Drain(&drained)
	for _, got := range []*histogram.Histogram{&h, &drained} {
		if got.Count() != 5 || got.Clamped() != 4 || got.Quantile(1) > histogram.Lowest ||
			got.Max() < histogram.Highest || got.Max() > histogram.Highest*1001/1000 {
			t.Errorf("%d counted, %d clamped, %s to %s", got.Count(), got.Clamped(), got.Quantile(1), got.Max())
		}
	}
}

func TestNothingIsLostWhileItIsDrained(t *testing.T) {
	const writers, each = 4, 50_000
	var l histogram.Live
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 1))
			for range each {
				l.Record(time.Duration(r.Int64N(int64(time.Second))))
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	var total, part histogram.Histogram
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		part.Reset()
		l.Drain(&part)
		total.Add(&part)
	}
	if total.Count() != writers*each {
		t.Errorf("%d of %d counted", total.Count(), writers*each)
	}
}

func TestRecordingAllocatesNothing(t *testing.T) {
	var l histogram.Live
	l.Record(time.Millisecond)
	if n := testing.AllocsPerRun(100, func() { l.Record(time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	var h histogram.Histogram
	h.Record(time.Second)
	var encoder histogram.Encoder
	f.Add(encoder.Encode(&h))
	f.Add("")
	f.Add("HISTFAAAAAR42g==")
	f.Fuzz(func(t *testing.T, text string) {
		var h histogram.Histogram
		if err := h.Decode(text); err != nil && h.Count() != 0 {
			t.Fatalf("%v, but %d counted", err, h.Count())
		}
		h.Mean()
		h.Quantile(99)
	})
}
