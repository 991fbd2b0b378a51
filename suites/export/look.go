package export

import (
	"context"

	"github.com/gateassay/gateassay/suites/spec"
)

// look is how an act sees other exports. As with Await in a case, what cannot be had ends the act, with the reason.
type look struct{ context.Context }

// over is what ends an act: it is recovered where the act began, in act.
type over struct{ reason error }

// act makes an observation's function of one that ends by itself where it cannot go on.
func act[T any](see func(l look) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (value T, err error) {
		defer func() {
			if r := recover(); r != nil {
				ended, ok := r.(over)
				if !ok {
					panic(r)
				}
				err = ended.reason
			}
		}()
		return see(look{ctx}), nil
	}
}

// end ends the act where there is a reason to.
func (l look) end(reason error) {
	if reason != nil {
		panic(over{reason})
	}
}

func (l look) unmetIf(unmet bool, key, why string, args ...any) {
	if unmet {
		l.end(spec.Unmet(key, why, args...))
	}
}

func (l look) unclear(why string, args ...any) { l.end(spec.Unclear(why, args...)) }

// sheet waits for an export, whatever came of it.
func (l look) sheet(o download) *sheet {
	sh, err := o.Get(l)
	l.end(err)
	return sh
}

// usable waits for an export, and returns why it shows no rows.
func (l look) usable(o download) (*sheet, error) {
	sh, err := o.Get(l)
	if err == nil {
		err = sh.usable()
	}
	return sh, err
}

// rows waits for an export whose rows are needed.
func (l look) rows(o download) *sheet {
	sh, err := l.usable(o)
	l.end(err)
	return sh
}

// rowsIfAny is rows for an export that may be missing.
func (l look) rowsIfAny(o download) (*sheet, bool) {
	sh, err := l.usable(o)
	return sh, err == nil
}
