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
	// what a run in which everything was spoiled has to name, as a pattern
	cause   string
	reaches []reach                    // nil: all, every tenth, files
	accuses bool                       // it is the deployment's doing: a violation may be found
	serve   func(http.Handler) secured // nil: over plain HTTP/1.1
	happens *interruption              // to the run itself; nil: nothing
}

// of puts troubles into a group; those that name no reaches of their own have these.
func of(group string, reaches []reach, list ...trouble) []trouble {
	for i := range list {
		list[i].group = group
		if list[i].reaches == nil {
			list[i].reaches = reaches
		}
	}
	return list
}

// cases lists every trouble in each of its reaches.
func cases(t *testing.T) (list []kase) {
	t.Helper()
	for _, t := range slices.Concat(resets(), silences(), lengths(), protocol(), heads(), bodies(),
		throttling(),
		redirects(), filesOf(), unreadyFiles(), tlsFaults(t)) {
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
