package matchers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
)

// several makes a matcher of exchanges that one rule speaks about. wrong are those of them that break it.
func several(headline func(all, wrong []*client.Exchange) string, expected string,
	wrong func([]*client.Exchange) []*client.Exchange,
) types.GomegaMatcher {
	return matcher[[]*client.Exchange]{
		right: func(all []*client.Exchange) bool { return len(wrong(all)) == 0 },
		finding: func(all []*client.Exchange) (string, string, string) {
			bad := wrong(all)
			if len(bad) > 0 {
				spec.Decides(bad[len(bad)-1].Seq, 0)
			}
			return headline(all, bad), expected, Outcomes(all)
		},
	}
}

// each judges every exchange by itself. what names them: "blocked repeats".
func each(what, did, short, expected string, ok func(*client.Exchange) bool) types.GomegaMatcher {
	headline := func(all, wrong []*client.Exchange) string {
		got := "nothing was sent"
		if order, _ := outcomes(wrong); len(order) > 0 {
			got = brief(wrong[0])
			if len(order) > 1 {
				got += " and others"
			}
		}
		right := slices.DeleteFunc(slices.Clone(all), func(x *client.Exchange) bool { return !ok(x) })
		if with := distinction(wrong, right); with != "" {
			got += ", only " + with
		}
		return spec.Sentence(what, fmt.Sprintf(" %s, %d of %d: %s, expected %s", did, len(wrong), len(all), got, short))
	}
	return several(headline, expected, func(all []*client.Exchange) []*client.Exchange {
		return slices.DeleteFunc(slices.Clone(all), ok)
	})
}

// brief is the status of an answer, or why there is none.
func brief(x *client.Exchange) string {
	switch {
	case x.Err != nil:
		return string(x.Err.Kind)
	case x.Status == 0:
		return "the connection ended"
	}
	return fmt.Sprint(x.Status)
}

// AllBeAccepted holds when every exchange ended with a 2xx.
func AllBeAccepted(what string) types.GomegaMatcher {
	return each(what, "not accepted", "2xx", "2xx each", (*client.Exchange).Success)
}

// AllBeRefused holds when every exchange ended with a 4xx.
func AllBeRefused(what string) types.GomegaMatcher {
	return each(what, "answered without a 4xx", "a 4xx", "a 4xx each", (*client.Exchange).Refusal)
}

// AllHaveStatus holds when every exchange got that status.
func AllHaveStatus(what string, status int) types.GomegaMatcher {
	is := func(x *client.Exchange) bool { return x.Status == status }
	return each(what, "refused", fmt.Sprint(status), fmt.Sprintf("%d each", status), is)
}

// AcceptAtMostOne holds when no more than one of several equal requests got a 2xx. mode says how they are protected.
func AcceptAtMostOne(mode string) types.GomegaMatcher {
	return several(func(all, _ []*client.Exchange) string {
		return spec.Sentence("", fmt.Sprintf(
			"%d of %d identical requests at once accepted, with %s, expected at most 1", Started(all),
			len(all), mode))
	}, "at most one accepted, all others blocked", func(all []*client.Exchange) (wrong []*client.Exchange) {
		if Started(all) <= 1 {
			return nil
		}
		return successes(all)
	})
}

// Started counts the requests that started an export. Where one names its file, a 2xx without a file is a block in
// disguise, which has a rule of its own.
func Started(all []*client.Exchange) int {
	started := successes(all)
	if some := slices.DeleteFunc(slices.Clone(started),
		func(x *client.Exchange) bool { return !LetThrough(x) }); len(some) > 0 {
		return len(some)
	}
	return len(started)
}

func successes(all []*client.Exchange) []*client.Exchange {
	return slices.DeleteFunc(slices.Clone(all), func(x *client.Exchange) bool { return !x.Success() })
}

// Outcomes counts how exchanges ended: "15 × 409 Conflict, 1 × 200 OK", in the order in which each came first.
func Outcomes(all []*client.Exchange) string {
	order, count := outcomes(all)
	if len(order) == 0 {
		return "nothing was sent"
	}
	for i, d := range order {
		order[i] = fmt.Sprintf("%d × %s", count[d], d)
	}
	return strings.Join(order, ", ")
}
