package engine

import (
	"testing"
	"time"
)

func TestTheSleeperWakesNeverEarlyAndSoon(t *testing.T) {
	s := newSleeper(time.Now())
	defer s.close()
	var late []time.Duration
	for i := range 100 {
		at := time.Duration(i) * 2 * time.Millisecond
		got := s.until(at)
		if got < at {
			t.Fatalf("woke %s early", at-got)
		}
		late = append(late, got-at)
	}
	soon := 0
	for _, l := range late {
		if l < 100*time.Millisecond {
			soon++
		}
	}
	if soon < 50 {
		t.Errorf("late by %v", late)
	}
}

func TestASleeperThatIsInterruptedSleepsNoMore(t *testing.T) {
	s := newSleeper(time.Now())
	defer s.close()
	time.AfterFunc(30*time.Millisecond, s.interrupt)
	for range 3 {
		if got := s.until(time.Hour); got > time.Minute {
			t.Fatalf("slept for %s", got)
		}
	}
	s.interrupt()
}

func TestTheCoarseSleeperDoesTheSame(t *testing.T) {
	s := newSleeper(time.Now())
	defer s.close()
	s.timer.raw = nil
	if got := s.until(5 * time.Millisecond); got < 5*time.Millisecond {
		t.Errorf("woke at %s", got)
	}
	time.AfterFunc(20*time.Millisecond, s.interrupt)
	if got := s.until(time.Hour); got > time.Minute {
		t.Errorf("slept for %s", got)
	}
}
