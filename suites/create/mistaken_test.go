package create

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/representative"
)

// What sets wrong answers apart is looked for among those whose value differs with the fault.
func TestARightAnswerThatTellsNothing(t *testing.T) {
	one := func(sent [2]any, body string) answered {
		r, err := representative.Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return answered{
			sent: representative.Draft{}.With("income", sent[0]).With("patrimony", sent[1]), record: r,
		}
	}
	swapped := []answered{
		one([2]any{1, 2}, `{"income": 2, "patrimony": 1}`), one([2]any{3, 4}, `{"income": 4, "patrimony": 3}`),
	}
	constant := []answered{one([2]any{1, 2}, `{"income": 7}`), one([2]any{3, 4}, `{"income": 7}`)}
	alike, right := one([2]any{5, 5}, `{"income": 5, "patrimony": 5}`), one([2]any{5, 6}, `{"income": 5}`)
	for name, c := range map[string]struct {
		of    answered
		wrong []answered
		want  bool
	}{
		"two fields that are alike, of a swap":       {alike, swapped, true},
		"two that differ":                            {right, swapped, false},
		"the value that all wrong ones have":         {one([2]any{7, 8}, `{"income": 7}`), constant, true},
		"another value":                              {right, constant, false},
		"an object in place of a number":             {one([2]any{7, 8}, `{"income": {}}`), constant, false},
		"two that are alike, and nothing is swapped": {alike, constant, false},
		"nothing is wrong":                           {right, nil, false},
	} {
		if got := c.of.rightEitherWay(c.wrong, []string{"income"}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
