package engine

import (
	"testing"
	"time"
)

func TestTheSleeperWakesNeverEarly(t *testing.T) {
	s := newSleeper(time.Now())
	defer s.close()
	for i := range 20 {
		at := time.Duration(i) * 300 * time.Microsecond
		if got := s.until(at); got < at {
			t.Fatalf("woke %s early", at-got)
		}
	}
	time.AfterFunc(10*time.Millisecond, s.interrupt)
	for range 3 {
		if got := s.until(time.Hour); got > time.Minute {
			t.Fatalf("slept for %s after it was interrupted", got)
		}
	}
	s.interrupt()
}
