package histogram

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// These compare with hdrhistogram-go what the recorder does with histograms: docs/benchmarks.md says what follows.

func latencies() []time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]time.Duration, 4096)
	for i := range all {
		all[i] = time.Duration(float64(8*time.Millisecond) * (1 + r.ExpFloat64()))
	}
	return all
}

func library() *hdr.Histogram { return hdr.New(int64(Lowest), int64(Highest), Digits) }

// BenchmarkRecord counts from every core at once, while somebody drains each 10 ms.
func BenchmarkRecord(b *testing.B) {
	values := latencies()
	b.Run("own", func(b *testing.B) {
		live, whole := new(Live), new(Histogram)
		drained := draining(func() { live.Drain(whole) })
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				live.Record(values[i%len(values)])
			}
		})
		if drained(); whole.Count() != int64(b.N) {
			b.Errorf("%d of %d", whole.Count(), b.N)
		}
	})
	b.Run("library", func(b *testing.B) {
		var mu sync.Mutex
		live, spare, whole := library(), library(), library()
		drained := draining(func() {
			mu.Lock()
			live, spare = spare, live
			mu.Unlock()
			whole.Merge(spare)
			spare.Reset()
		})
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				mu.Lock()
				_ = live.RecordValue(int64(values[i%len(values)]))
				mu.Unlock()
			}
		})
		if drained(); whole.TotalCount() != int64(b.N) {
			b.Errorf("%d of %d", whole.TotalCount(), b.N)
		}
	})
}

// draining calls f every 10 ms, until the function that it returns is called.
func draining(f func()) func() {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f()
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
		f()
	}
}

// BenchmarkInterval is what one class costs once a second: take its counts, add them up, write and read them.
func BenchmarkInterval(b *testing.B) {
	values := latencies()
	b.Run("own", func(b *testing.B) {
		b.ReportAllocs()
		one, whole, encoder, decoder := new(Histogram), new(Histogram), new(Encoder), new(Decoder)
		for b.Loop() {
			for _, v := range values[:1000] {
				one.Record(v)
			}
			if err := decoder.Add(whole, encoder.Encode(one)); err != nil {
				b.Fatal(err)
			}
			one.Reset()
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		one, whole := library(), library()
		for b.Loop() {
			for _, v := range values[:1000] {
				_ = one.RecordValue(int64(v))
			}
			text, err := one.Encode(hdr.V2CompressedEncodingCookieBase)
			if err != nil {
				b.Fatal(err)
			}
			read, err := hdr.Decode(text)
			if err != nil {
				b.Fatal(err)
			}
			whole.Merge(read)
			one.Reset()
		}
	})
}

// BenchmarkMemory is what a histogram of usual latencies holds on to.
func BenchmarkMemory(b *testing.B) {
	values := latencies()
	const many = 100
	held := func(b *testing.B, fill func() any) {
		for b.Loop() {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			all := make([]any, many)
			for i := range all {
				all[i] = fill()
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(all)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/many/1024, "KiB")
		}
	}
	b.Run("own", func(b *testing.B) {
		held(b, func() any {
			h := new(Histogram)
			for _, v := range values {
				h.Record(v)
			}
			return h
		})
	})
	b.Run("library", func(b *testing.B) {
		held(b, func() any {
			h := library()
			for _, v := range values {
				_ = h.RecordValue(int64(v))
			}
			return h
		})
	})
}
