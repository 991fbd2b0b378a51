package spec

import (
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

const (
	glance  = 20 * time.Millisecond // between looks at what can be judged
	overdue = time.Second           // what can be judged waits no longer than that for more of it
	most    = 4                     // unless that is one in so many of the rules,
	apart   = 2                     // and all the same so many times what it took to judge the last part
)

// Judge runs the specs of a prepared plan in runs of Ginkgo's, without Ginkgo's console: in one those that have nothing
// to wait for any more, in their order, then those of which the same is true by then, until all were judged. So what
// was found by the time that a process is killed is on record. Of a lazy plan nothing goes on that no spec awaits: it is
// judged in one run. Plans of one process take turns, as there is one tree of specs.
func (p *Plan) Judge(order Order) {
	for last, took := time.Now(), time.Duration(0); !p.lazy; time.Sleep(glance) {
		part, all := p.due()
		if all {
			break
		}
		waited := time.Since(last)
		worth := len(part)*most >= len(p.selected) || len(part) > 0 && waited >= overdue
		if worth && waited >= apart*took {
			began := time.Now()
			p.judge(order, part)
			last = time.Now()
			took = last.Sub(began)
		}
	}
	p.judge(order, nil)
}

// postpones reports whether a failure has to wait for what shows that the names are right on which it rests: that may be
// sent last of all, and nothing else should wait for it.
func (p *Plan) postpones(c *Check) bool {
	if p.o.Evidence == nil || !p.early {
		return false
	}
	for _, name := range c.of.names {
		if n := p.o.Evidence(name).node(); !n.finished() {
			n.launch(0)
			c.later = true
		}
	}
	if c.later {
		p.later[c.of.rule.ID] = true
	}
	return c.later
}

// due are the rules, by ID, that have nothing to wait for any more and are not judged yet, and whether no rule waits.
func (p *Plan) due() (part map[string]bool, all bool) {
	part, all = map[string]bool{}, true
	for _, s := range p.specs {
		switch {
		case !p.ready(s):
			all = false
		case p.Result(s) == nil && !p.later[s.Rule.ID]:
			part[s.Rule.ID] = true
		}
	}
	return part, all
}

// judge runs the specs of some rules; nil: of all that were not judged before.
func (p *Plan) judge(order Order, part map[string]bool) {
	tree.Lock()
	defer tree.Unlock()
	if p.early = part != nil; !p.early {
		part = map[string]bool{}
		for _, s := range p.specs {
			part[s.Rule.ID] = part[s.Rule.ID] || p.Result(s) == nil
		}
	}
	defer p.quiet()()
	p.part, p.begun = part, sync.Once{}
	gomega.RegisterFailHandler(p.Fail)
	p.Register("the gateway", p.declare)
	suite, reporter := order.config()
	ginkgo.RunSpecs(silent{}, "gateassay", suite, reporter)
}
