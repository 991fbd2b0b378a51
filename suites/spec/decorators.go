package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
)

// decorators are Ginkgo's decorators, such as Label, Serial, Focus and FlakeAttempts. Outside
// Ginkgo only Pending has an effect.
type decorators []any

// requireGinkgoDecorator returns a, and panics unless it is a decorator of Ginkgo.
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

// splitForContainer separates the decorators of a container from those that Ginkgo allows on specs
// only.
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
