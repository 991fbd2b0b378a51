package export

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// rowsAccepted declares the case that no export about rows was refused for the fields that it combines.
func (s *Suite) rowsAccepted() {
	spec.Helper()
	s.Uses(s.c.Export, s.experiment)
	for _, o := range s.designed {
		s.Uses(o)
	}
	s.It("accepts each export about rows, whatever it combines", func(ctx spec.Context) {
		need := (*spec.NeedError)(nil)
		if _, err := s.experiment.Get(ctx); errors.As(err, &need) { // none was sent
			return
		}
		s.experiment.Await(ctx)
		for _, o := range s.designed {
			sh, err := o.Get(ctx)
			if err != nil || !sh.denied() || sh.answer.Status == http.StatusConflict || !target.AboutField(sh.answer) {
				continue
			}
			q := sh.query.asked // a range that holds no quote may be refused for that
			if !sh.query.ofFieldsOnly() || mayBeRefused(q) || q.Start != "" && q.Start == q.End {
				continue
			}
			o.Settled(ctx)
			fields := slices.Sorted(maps.Keys(sh.query.fields))
			ctx.Expect(target.Answer{Exchange: sh.answer, Subject: "export with " + strings.Join(fields, ", ")}).To(BeAccepted())
		}
	})
}
