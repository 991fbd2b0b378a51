package judge

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/rules"
)

func TestClasses(t *testing.T) {
	nowhere := `{"error":{"code":"replayed"}}`
	noState := `{"file_id":"a","file_state":null,"created_at":"2025-03-01T12:00:00Z"}`
	for i, m := range rules.ReplayModes() {
		for _, c := range []struct {
			known, status int
			body          string
			expect        Expect
			want          Class
			rule          string
		}{
			{0, 200, sound, Pass, Accepted, ""},
			{0, 202, sound, Either, Accepted, ""},
			{0, 201, sound, Block, MissedBlock, "replay." + m.Name + ".same"},
			{0, 201, noState, Block, MissedBlock, "replay." + m.Name + ".same"},
			{0, 200, nowhere, Block, Malformed, "replay.blocked_is_4xx"},
			{0, 302, "", Block, Malformed, "replay.blocked_is_4xx"},
			{0, 200, nowhere, Pass, Malformed, "export.response.file_id"},
			{0, 200, noState, Pass, Malformed, "export.response.file_state"},
			{0, 204, "", Pass, Malformed, "export.response.json"},
			{0, 409, nowhere, Block, Blocked, ""},
			{0, 409, nowhere, Either, Blocked, ""},
			{0, 409, nowhere, Pass, FalseBlock, "replay." + m.Name + ".first"},
			{409, 409, nowhere, Pass, FalseBlock, "replay." + m.Name + ".first"},
			{409, 422, nowhere, Pass, ClientError, ""},
			{429, 429, nowhere, Block, Blocked, ""},
			{429, 429, nowhere, Pass, Throttled, ""},
			{403, 403, nowhere, Pass, ClientError, ""},
			{0, 429, "", Pass, Throttled, ""},
			{0, 403, "", Pass, ClientError, ""},
			{0, 503, "", Block, ServerError, ""},
		} {
			got := New(c.known).Answer(c.status, []byte(c.body), c.expect, i)
			if got != (Verdict{Class: c.want, Rule: c.rule}) {
				t.Errorf("%s, %d expected to %v, blocks are %d: %+v, expected %v %s", m.Name,
					c.status,
					c.expect, c.known, got, c.want, c.rule)
			}
			if c.rule != "" && Statement(c.rule) == "" {
				t.Errorf("the catalogue has no rule %s", c.rule)
			}
		}
	}
	names := map[string]bool{}
	for c := range Class(NumClasses) {
		names[c.String()] = true
	}
	if len(names) != NumClasses || Class(200).String() != "unknown" {
		t.Errorf("classes share names: %v", names)
	}
}

func TestAcceptedAnswersAllocateNextToNothing(t *testing.T) {
	j, body, block := New(0), []byte(sound), []byte(`{"error":{"code":"replayed"}}`)
	if n := testing.AllocsPerRun(1000, func() {
		if j.Answer(201, body, Pass, 1).Class != Accepted || j.Answer(409, block, Block,
			1).Class != Blocked {
			panic("judged wrongly")
		}
	}); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

// Whichever of two requests that were sent at once was accepted, the other must not be, in
// whichever order they are answered.
func TestOneOfAPairPasses(t *testing.T) {
	j, n := New(409), int64(0)
	for _, c := range []struct {
		first, second Class
		status        int
		want          Class
		rule          string
	}{
		{Accepted, Blocked, 409, Blocked, ""},
		{Blocked, Accepted, 201, Accepted, ""},
		{Accepted, Accepted, 201, MissedBlock, "replay.race.none"},
		{Blocked, Blocked, 409, FalseBlock, "replay.none.first"},
		{Blocked, Blocked, 400, ClientError, ""},
		{ServerError, Accepted, 201, Accepted, ""},
		{Timeout, Blocked, 409, Blocked, ""},
	} {
		if got := j.Pair(n, Verdict{Class: c.first}, 0, Either, 0); got.Class != c.first {
			t.Errorf("the first by itself: %+v", got)
		}
		if got := j.Pair(n, Verdict{Class: c.second}, c.status, Either,
			0); got != (Verdict{Class: c.want, Rule: c.rule}) {
			t.Errorf("%v and %v: %+v", c.first, c.second, got)
		}
		j.Pair(n, Verdict{Class: MissedBlock}, 201, Either, 0)
		if got := j.Pair(n, Verdict{Class: Blocked}, 409, Block, 0); got.Class != Blocked {
			t.Errorf("a repeat that had to be blocked: %+v", got)
		}
		n += 2
	}
	if len(j.pairs.open) != 0 {
		t.Errorf("%d pairs are open", len(j.pairs.open))
	}
}
