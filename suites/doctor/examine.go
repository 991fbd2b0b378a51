package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/target"
)

type examiner struct {
	probe
	findings []Finding
}

// Examine looks at a deployment. It sends a few exports and, where a shareholder is given, creates one representative.
func Examine(ctx context.Context, dep *deployment.File, c *client.Client) (r Report) {
	e := &examiner{probe: probe{dep, target.New(dep, c, 1)}}
	export := e.first(ctx)
	answers, silence := []*client.Exchange{export}, silent(dep, export)
	if r.Reachable = export.Success() && target.WebPage(export) == nil; r.Reachable {
		e.credentials(ctx)
		e.fixtures(ctx)
		e.window(ctx)
	}
	if export.Err == nil && silence == nil && dep.Fixtures.ShareholderID != "" {
		x := e.creation(ctx)
		answers, r.Reachable = append(answers, x), r.Reachable || x.Success()
	}
	r.Obstacle = cmp.Or(Obstruct(dep, answers), OutOfOrder(dep, answers))
	r.Reachable = r.Reachable && r.Obstacle == nil
	e.settings(r.Reachable)
	slices.SortStableFunc(e.findings, func(a, b Finding) int {
		return cmp.Compare(slices.Index(topics(), a.Topic), slices.Index(topics(), b.Topic))
	})
	r.Obstacle, r.Findings, r.Created = cmp.Or(r.Obstacle, silence), e.findings, len(c.Created())
	return r
}

func topics() []string {
	return []string{"route", "clock", "credentials", "creation", "fixtures", "export"}
}

// topic is where what is said of a name belongs.
func topic(name string) string {
	first, _, _ := strings.Cut(name, ".")
	first = cmp.Or(map[string]string{"legal_representative": "creation", "limits": "creation", "base_url": "export"}[first], first)
	if slices.Contains(topics(), first) {
		return first
	}
	return "route"
}

func (e *examiner) add(f Finding) {
	f.Topic = topic(f.Name)
	f.Text, f.Do = e.t.Client.Redactor().Text(f.Text), e.t.Client.Redactor().Text(f.Do)
	e.findings = append(e.findings, f)
}

// found adds a finding about a key of the deployment file, and the keys that serve nothing because of it.
func (e *examiner) found(name string, state State, text, do string, blocks ...string) {
	e.add(Finding{Name: name, State: state, Text: text, Do: do, Blocks: blocks})
}

// settings lists what the deployment file does not give; of a deployment that can be tested also what is given and takes
// a run to be tried, and a limit that is too low for a whole run.
func (e *examiner) settings(reachable bool) {
	for _, key := range []string{
		"credentials.platform_token", "credentials.api_key", "credentials.expired_token", "credentials.not_yet_valid_token",
		"credentials.revoked_api_key", "credentials.unprivileged", "credentials.other_user", "fixtures.shareholder_id",
		"fixtures.foreign_shareholder_id", "fixtures.product_id", "fixtures.target_user_id",
		"fixtures.default_wallet_id", "fixtures.other_wallet_id", "fixtures.window", "fixtures.client_id",
		"legal_representative.documents", "export.file",
	} {
		if !e.dep.Has(key) {
			e.found(key, Absent, "not given", "add it to verify more rules")
		}
	}
	if !reachable || e.dep.Fixtures.ShareholderID == "" {
		return
	}
	for _, key := range []string{
		"legal_representative.documents", "legal_representative.headers.language",
		"legal_representative.headers.on_behalf_of", "fixtures.foreign_shareholder_id",
		"fixtures.target_user_shareholder_id",
	} {
		if e.dep.Has(key) {
			e.found(key, Untried, "only a run tries it", "")
		}
	}
	if most := e.dep.Limits.MaxCreates; most < 80 { // the default of the limit, which leaves room
		e.found(Creations, Warning, fmt.Sprintf("a run creates at most %d: a whole one takes more", most),
			"raise it to 80, or rules stay unverified for it")
	}
}
