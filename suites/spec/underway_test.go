package spec

import (
	"sync"
	"testing"
	"testing/synctest"
)

func TestWhatBeginsWhileOthersAreLetGo(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		var u underWay
		u.wait() // nothing goes on
		var waiting sync.WaitGroup
		for range 100 {
			u.begin()
			for range 10 {
				waiting.Go(u.wait)
			}
			u.end()
			u.begin() // those who waited may not have gone yet
			u.end()
		}
		waiting.Wait()
	})
}

func TestItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var u underWay
		over := false
		u.begin()
		go func() { u.wait(); over = true }()
		synctest.Wait()
		if over {
			t.Error("it did not wait")
		}
		u.end()
		synctest.Wait()
		if !over {
			t.Error("it waits for ever")
		}
	})
}
