package hostile

import (
	"net/http"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/printable"
)

// trouble is one way to spoil answers.
type trouble struct {
	group, name string
	spoil       spoil
	// pattern that the output must contain if every answer is spoiled
	cause   string
	reaches []reach                    // nil: all, every tenth, files
	accuses bool                       // the deployment is to blame: a violation may be found
	serve   func(http.Handler) secured // nil: over plain HTTP/1.1
	happens *interruption              // interruption of the run; nil: none
}

// of sets the group of troubles, and the reaches of those without any.
func of(group string, reaches []reach, list ...trouble) []trouble {
	for i := range list {
		list[i].group = group
		if list[i].reaches == nil {
			list[i].reaches = reaches
		}
	}
	return list
}

// cases returns every trouble with each of its reaches.
func cases(t *testing.T) (list []kase) {
	t.Helper()
	for _, t := range slices.Concat(resets(), silences(), lengths(), protocol(), heads(), bodies(),
		throttling(), redirects(), filesOf(), unreadyFiles(), tlsFaults(t)) {
		reaches := t.reaches
		if reaches == nil {
			reaches = []reach{all, tenth, files}
		}
		for _, r := range reaches {
			list = append(list, kase{t, r})
		}
	}
	for _, i := range interruptions() {
		runs := reach(printable.Quantity(max(i.repeats, 1), "run"))
		list = append(list, kase{trouble{group: "interruption", name: i.name, happens: &i}, runs})
	}
	return list
}

type kase struct {
	trouble
	reach reach
}

func (c kase) title() string { return c.group + ": " + c.name + ", " + string(c.reach) }
