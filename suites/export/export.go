// Package export holds the checks of the quote statement export: what starts it, what it answers, the file that comes of
// it, and which rows that file holds. The checks of rows know nothing of the deployment's data: they export one window,
// choose boundaries out of its rows, and compare further exports with it.
package export

import (
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// suite is what the checks share.
type suite struct {
	p *spec.Plan
	t *target.Target
	c *control.Controls

	accepted []named // valid exports, each with what is special about it
	rejected []named // exports that should be refused, by kind of defect

	nothingGiven *spec.Observation[target.Answer] // an export of an empty object
	formatAlone  *spec.Observation[target.Answer] // an export of a format and nothing else
	filterAlone  *spec.Observation[target.Answer] // an export with a client filter and nothing else
	walletEmpty  *spec.Observation[target.Answer] // an export with an empty wallet header
	productAlone *spec.Observation[target.Answer] // an export with a product and no target user

	first      *seen // the window by quote_created_at, newest first; where there is no window, any valid export
	createdAsc *seen
	settled    *seen // newest first
	settledAsc *seen
	wallet     *seen // the window of the default wallet, by its ID
	client     ofOneClient
	cuts       cuts
	diagnosis  *spec.Observation[*diagnosis]
	again      rewatch
	pace       pace
	run        *spec.Observation[[]answered] // every export that the run saw accepted
}

// named is the answer to an export and what is special about that export.
type named struct {
	what string
	seen *spec.Observation[target.Answer]
}

// Add declares every observation and check of the export operation.
func Add(p *spec.Plan, t *target.Target, c *control.Controls) {
	p.Suite("export")
	s := &suite{p: p, t: t, c: c}
	s.diagnosis = spec.Observe(p, "what explains the rows of the window's parts", s.diagnose)
	s.successes()
	s.freeTexts()
	s.headers()
	s.bodies()
	s.answers()
	s.files()
	s.ranges()
	s.followsSort()
	s.clients()
	s.orders()
	s.defaults()
	s.bareDefaults()
	s.wallets()
	s.filters()
	s.isolation()
	s.observed()
	s.observedFiles()
}
