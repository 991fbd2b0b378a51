package doctor

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/target"
)

// MaxProposalRequests limits the requests of a proposal approximately.
const MaxProposalRequests = 40

// Proposal is what a deployment showed about the contents of its deployment file: how files are
// fetched, and what they hold.
type Proposal struct {
	Settings []settings.Line
	Missing  []string  // settings that were not found, each with what to do
	Obstacle *Obstacle // why no export was accepted; nil: one was
}

type proposer struct {
	deploymentProbe
	Proposal
	state locatedText // state of the file in the last JSON answer
}

// Propose suggests the contents of a deployment file. It sends exports and looks for the file of
// one. dep is changed to the findings, so that files can be fetched.
func Propose(ctx context.Context, dep *deployment.File, c *client.Client) Proposal {
	p := &proposer{deploymentProbe: deploymentProbe{dep, target.New(dep, c, 1)}}
	x := p.startExport(ctx, "export of everything", func(r *target.Request) { r.Fields = nil })
	if x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity {
		x = p.startExport(ctx, "export of a few minutes", func(*target.Request) {})
	}
	p.Obstacle = DetectObstacle(dep, []*client.Exchange{x})
	if p.Obstacle == nil && !x.IsSuccess() {
		p.Obstacle = RefusedExportObstacle(x)
	}
	if p.Obstacle == nil && p.learnRetrieval(ctx, x) {
		if file, err := p.fetchFile(ctx, x); err != nil {
			p.addMissing("the file cannot be read: %s", err)
		} else {
			p.learnColumns(file)
		}
	}
	return p.Proposal
}

// addSettings adds settings that belong together. It names them as missing if a deployment file
// cannot hold what the deployment shows.
func (p *proposer) addSettings(lines ...settings.Line) {
	all := append(slices.Clone(p.Settings), lines...)
	if refusal := settings.Refusal(all); refusal != "" {
		p.addMissing("%s: what was observed cannot be written down: %s", lines[0].Key, refusal)
		return
	}
	p.Settings = all
}

func (p *proposer) addSetting(key, value, comment string) {
	p.addSettings(settings.Line{Key: key, Value: value, Comment: comment})
}

func (p *proposer) addMissing(format string, args ...any) {
	p.Missing = append(p.Missing,
		printable.Clean(p.target.Client.Redactor().Text(fmt.Sprintf(format, args...))))
}

// learnColumns finds the column titles of a file and, if its quotes have readable dates, the
// fixtures.
func (p *proposer) learnColumns(file exportFile) {
	for _, key := range requiredColumns() {
		if file.HasColumn(key) {
			p.addSetting("export.csv.columns."+string(key),
				settings.Quote(strings.TrimSpace(file.Title(key))), "")
		} else {
			p.addMissing("export.csv.columns.%s: name the title of that column; the file has %s", key,
				strings.Join(file.Columns[:min(len(file.Columns), 20)], ", "))
		}
	}
	quotes := slices.DeleteFunc(file.Quotes(),
		func(q statement.Quote) bool { return !q.CreatedAt.IsOneInstant() })
	switch {
	case file.NeedsZone():
		p.addMissing("export.csv.time_zone: dates in the file carry no offset; add their zone")
	case len(quotes) < minQuotes:
		p.addMissing(
			"fixtures.window: the file holds %d quotes whose dates can be read, and %d are needed",
			len(quotes), minQuotes)
	default:
		p.learnFixtures(quotes)
	}
}

// learnFixtures chooses a window that ends with the latest quote, a client of some of its quotes,
// and the wallet of all of them.
func (p *proposer) learnFixtures(quotes []statement.Quote) {
	const most = 200 // maximum of quotes in the window
	slices.SortFunc(quotes,
		func(a, b statement.Quote) int { return a.CreatedAt.Time.Compare(b.CreatedAt.Time) })
	quotes = quotes[max(0, len(quotes)-most):]
	second := func(q statement.Quote) time.Time { return q.CreatedAt.Time.UTC().Truncate(time.Second) }
	p.addSettings(settings.Line{
		Key: "fixtures.window.start", Value: second(quotes[0]).Format(time.RFC3339),
		Comment: fmt.Sprintf("observed: %d quotes lie in this window", len(quotes)),
	}, settings.Line{
		Key:   "fixtures.window.end",
		Value: second(quotes[len(quotes)-1]).Add(time.Second).Format(time.RFC3339),
	})
	first := quotes[0]
	other := slices.IndexFunc(quotes,
		func(q statement.Quote) bool { return q.Client != "" && q.Client != first.Client })
	if other > 0 {
		p.addSetting("fixtures.client_id", settings.Quote(quotes[other].Client),
			"observed: has some of these quotes")
	}
	shared := !slices.ContainsFunc(quotes,
		func(q statement.Quote) bool { return q.Wallet != first.Wallet })
	if shared && uuid.Validate(first.Wallet) == nil {
		p.addSetting("fixtures.default_wallet_id", settings.Quote(strings.ToLower(first.Wallet)),
			"observed: the wallet of every quote that is exported without naming one")
	}
}
