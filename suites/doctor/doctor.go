// Package doctor finds out whether a deployment can be tested before a run is spent on it: the way to it, the clock,
// each credential, each fixture and the retrieval of files. Every finding says what to do.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// State of a finding.
type State string

// States, from harmless to fatal.
const (
	OK      State = "ok"
	Absent  State = "absent"  // not given: rules stay unverified
	Untried State = "untried" // given, and only a run shows whether it is right
	Warning State = "warning" // tests will run, some will say little
	Broken  State = "broken"  // given, and does not work
)

// Creations is the limit that leaves rules unverified, which ones the run decides.
const Creations = "limits.max_creates"

// Finding is one thing looked at.
type Finding struct {
	Topic string // one of topics
	Name  string // what was looked at, by its key in the deployment file where it has one
	State State
	Text  string // what was found
	Do    string // what to do about it; empty when nothing is to be done

	Blocks     []string // keys of the deployment file that cannot serve because of it; what is broken blocks its own
	Operations []string // create, export: those of which no valid request is accepted because of it
	Rules      []string // further rules that it keeps from being verified: IDs or patterns
	Spares     []string // rules that can be verified all the same: IDs or patterns
}

// Report is what the doctor found.
type Report struct {
	Findings  []Finding
	Obstacle  *Obstacle // the one thing in the way of every test; nil: there is none, or more than one
	Reachable bool      // a valid export or a valid creation was accepted
	Created   int       // representatives that the examination created
}

// Blocked finds what keeps a rule from being verified although the deployment file gives what it needs; nil: nothing
// does. Of alternatives, "a|b", either is enough.
func (r Report) Blocked(rule rules.Rule) *Finding {
	about := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return rules.Match(p, rule.ID) })
	}
	for i, f := range r.Findings {
		if about(f.Rules) || slices.ContainsFunc(rule.Operations(), func(o string) bool {
			return slices.Contains(f.Operations, o)
		}) {
			return &r.Findings[i]
		}
	}
	for _, need := range rule.Needs {
		var by *Finding
		for key := range strings.SplitSeq(need, "|") {
			at := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.blocks(key) && !about(f.Spares) })
			if at < 0 && !slices.ContainsFunc(r.Findings, func(f Finding) bool {
				return f.State == Absent && f.Name == key
			}) {
				by = nil
				break
			}
			if at >= 0 {
				by = &r.Findings[at]
			}
		}
		if by != nil {
			return by
		}
	}
	return nil
}

func (f Finding) blocks(key string) bool {
	return f.State == Broken && f.Name == key || slices.Contains(f.Blocks, key)
}

type examiner struct {
	dep *deployment.File
	t   *target.Target

	obstacle *Obstacle        // that was found before anything else; nil: none
	created  *client.Exchange // what the last valid creation got; nil: none was sent

	mu       sync.Mutex
	findings map[string][]Finding
}

// Examine looks at a deployment. It sends a few exports and, where a shareholder is given, creates one representative,
// and more where what has to be refused is accepted.
func Examine(ctx context.Context, dep *deployment.File, c *client.Client) Report {
	e := &examiner{dep: dep, t: target.New(dep, c, 1), findings: map[string][]Finding{}}
	r := Report{}
	if e.route(ctx) {
		export := e.main(ctx)
		e.obstacle = silent(dep, export)
		looks := []func(context.Context){}
		if export.Err == nil && e.obstacle == nil {
			looks = append(looks, e.creations)
		}
		served := export.Success() && target.WebPage(export) == nil
		if served {
			looks = append(looks, e.credentials, e.headers, e.files)
		}
		var wait sync.WaitGroup
		for _, look := range looks {
			wait.Go(func() { look(ctx) })
		}
		wait.Wait()
		answers := []*client.Exchange{export}
		if e.created != nil {
			answers = append(answers, e.created)
		}
		if r.Obstacle = Obstruct(dep, answers, nil); r.Obstacle == nil {
			r.Obstacle = OutOfOrder(dep, answers)
		}
		r.Reachable = r.Obstacle == nil && (served || e.created != nil && e.created.Success())
	}
	if r.Obstacle == nil {
		r.Obstacle = e.obstacle
	}
	e.absent()
	if r.Reachable {
		e.untried()
		e.limited()
	}
	r.Created = len(c.Created())
	for _, topic := range topics() {
		found := e.findings[topic]
		slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(place(a.Name), place(b.Name)) })
		r.Findings = append(r.Findings, found...)
	}
	return r
}

func topics() []string {
	return []string{"route", "clock", "credentials", "creation", "fixtures", "export"}
}

// place is where a finding stands among those of its topic, whichever was made first.
func place(name string) int {
	order := slices.Concat([]string{"name", "connection", "tls"}, credentialKeys(), fixtureKeys(),
		[]string{"export.path", "export", "export.file"})
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}

func credentialKeys() []string {
	return []string{
		"credentials.platform_token", "credentials.api_key", "credentials.expired_token", "credentials.revoked_api_key",
		"credentials.unprivileged", "credentials.other_user",
	}
}

func fixtureKeys() []string {
	return []string{
		"fixtures.shareholder_id", "fixtures.foreign_shareholder_id", "fixtures.product_id", "fixtures.target_user_id",
		"fixtures.default_wallet_id", "fixtures.other_wallet_id", "fixtures.window", "fixtures.client_id",
	}
}

func (e *examiner) add(f Finding) {
	f.Text, f.Do = e.t.Client.Redactor().Text(f.Text), e.t.Client.Redactor().Text(f.Do)
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, other := range e.findings[f.Topic] {
		if f.State == Broken && other.State == Broken && f.Name == other.Name && f.Do == other.Do { // said already
			other.Blocks, other.Operations = append(other.Blocks, f.Blocks...), append(other.Operations, f.Operations...)
			e.findings[f.Topic][i] = other
			return
		}
	}
	e.findings[f.Topic] = append(e.findings[f.Topic], f)
}

// found adds a finding that blocks nothing but its own key.
func (e *examiner) found(topic, name string, state State, text, do string) {
	e.add(Finding{Topic: topic, Name: name, State: state, Text: text, Do: do})
}

// absent lists what the deployment file does not give.
func (e *examiner) absent() {
	for _, key := range credentialKeys() {
		e.missing("credentials", key)
	}
	for _, key := range fixtureKeys() {
		e.missing("fixtures", key)
	}
	e.missing("creation", "legal_representative.documents")
	e.missing("export", "export.file")
}

// limited warns where fewer representatives may be created than a run takes.
func (e *examiner) limited() {
	const whole = 80 // the default of the limit, which leaves room
	if most := e.dep.Limits.MaxCreates; most < whole && e.dep.Fixtures.ShareholderID != "" {
		e.found("creation", Creations, Warning, fmt.Sprintf("a run creates at most %d: a whole one takes more", most),
			fmt.Sprintf("raise it to %d, or rules stay unverified for it", whole))
	}
}

// untried lists what is given and takes creations, or accepted uploads, to be tried.
func (e *examiner) untried() {
	for _, key := range [][2]string{
		{"creation", "legal_representative.headers.language"}, {"fixtures", "fixtures.target_user_shareholder_id"},
	} {
		if e.dep.Has(key[1]) && e.dep.Fixtures.ShareholderID != "" {
			e.found(key[0], key[1], Untried, "only a run tries it", "")
		}
	}
}

func (e *examiner) missing(topic, key string) {
	if !e.dep.Has(key) {
		e.found(topic, key, Absent, "not given", "add it to verify more rules")
	}
}
