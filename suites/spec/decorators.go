package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
)

// decorators are Ginkgo's, such as Label, Serial, Focus and FlakeAttempts. Only Pending means
// something to a run without Ginkgo.
type decorators []any

// requireGinkgoDecorator is an argument, which has to be one of Ginkgo's.
func requireGinkgoDecorator(a any) any {
	t := reflect.TypeOf(a)
	for t != nil && t.PkgPath() == "" && t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t == nil || !strings.HasPrefix(t.PkgPath(), "github.com/onsi/ginkgo/") {
		panic(fmt.Sprintf("spec: expected an option, a decorator of Ginkgo or a function that "+
			"declares, not %T", a))
	}
	return a
}

func (d decorators) contains(one any) bool { return slices.Contains(d, one) }

// splitForContainer tells what decorates a container from what Ginkgo allows its specs only.
func (d decorators) splitForContainer() (container, specs decorators) {
	for _, a := range d {
		switch a.(type) {
		case ginkgo.SpecTimeout, ginkgo.NodeTimeout, ginkgo.GracePeriod,
			ginkgo.PollProgressAfter, ginkgo.PollProgressInterval:
			specs = append(specs, a)
		default:
			container = append(container, a)
		}
	}
	return container, specs
}
