package doctor

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// MostRequests bounds how many requests a proposal takes.
const MostRequests = 60

// Proposal is what a deployment showed of what its file has to say: what the API document leaves open, such as how files
// are fetched, what they look like, and how headers are named.
type Proposal struct {
	Settings []deployment.Setting
	Missing  []string  // what was looked for and not found, each with what to do
	Obstacle *Obstacle // why nothing could be asked; nil: it could
	Sent     int
	Created  int // legal representatives
}

type proposer struct {
	dep *deployment.File
	t   *target.Target
	Proposal
}

// Propose asks a deployment. Where the deployment file gives a shareholder, one legal representative is created. The file
// is changed to what was found, so that c can fetch files.
func Propose(ctx context.Context, dep *deployment.File, c *client.Client) Proposal {
	p := &proposer{dep: dep, t: target.New(dep, c, 1)}
	if x := p.export(ctx); x != nil {
		p.headers(ctx)
		p.creation(ctx)
		p.file(ctx, x)
	}
	p.Sent, p.Created = c.Stats().Sent, len(c.Created())
	return p.Proposal
}

// left reports whether one more request may be sent.
func (p *proposer) left(ctx context.Context) bool {
	return ctx.Err() == nil && p.t.Client.Stats().Sent < MostRequests
}

func (p *proposer) add(key, value, comment string) {
	comment = printable.Clean(strings.Join(strings.Fields(p.t.Client.Redactor().Text(comment)), " "))
	p.Settings = append(p.Settings, deployment.Setting{Key: key, Value: value, Comment: comment})
}

func (p *proposer) missing(format string, args ...any) {
	p.Missing = append(p.Missing, p.t.Client.Redactor().Text(fmt.Sprintf(format, args...)))
}

// export starts an export of everything, else of a few minutes, and returns what was accepted; nil: nothing was.
func (p *proposer) export(ctx context.Context) *client.Exchange {
	x := p.t.StartExport(ctx, func() target.ExportCall { return p.t.Export("export of everything", nil) })
	if x.Refusal() && x.Status != http.StatusUnauthorized && x.Status != http.StatusNotFound {
		if again := p.t.StartExport(ctx, func() target.ExportCall {
			return p.t.Export("export of a few minutes", p.t.Unique("proposal"))
		}); again.Success() {
			x = again
		}
	}
	p.Obstacle = Obstruct(p.dep, []*client.Exchange{x}, nil)
	if p.Obstacle == nil && !x.Success() {
		p.Obstacle = Refused(x)
	}
	if p.Obstacle != nil {
		return nil
	}
	p.add("export.path", p.dep.Export.Path, "observed: an export gets "+status(x))
	return x
}

// creation tries the shareholder.
func (p *proposer) creation(ctx context.Context) {
	if p.dep.Fixtures.ShareholderID == "" || !p.left(ctx) {
		return
	}
	valid, err := control.New(spec.New(spec.Options{}), p.t).Creation.Get(ctx)
	if err != nil {
		p.missing("a creation for this shareholder was not accepted; gateassay doctor says why")
		return
	}
	text := "observed: a creation gets " + status(valid.Exchange)
	if spelling := p.t.Spelling(); spelling != "" {
		text += ", " + spelling
	}
	p.add("legal_representative.path", p.dep.LegalRepresentative.Path, text)
}

func status(x *client.Exchange) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status)))
}

const (
	mostRead  = 4 << 20 // bytes of a file
	windowful = 200     // quotes that a window is made to hold, where there are as many
)

// read learns from a file what its columns are and which window holds enough quotes.
func (p *proposer) read(file client.ExportFile) {
	data := file.Bytes
	if at := bytes.LastIndexByte(data, '\n'); file.Cut && at > 0 { // the last row is not whole
		data = data[:at+1]
	}
	parsed, table, broken, alien := statement.Read(bytes.NewReader(data), deployment.Columns{}, nil, statement.Keep{})
	if broken != nil {
		p.missing("the file cannot be read: %s", broken)
		return
	}
	if alien != nil {
		p.missing("export.csv.columns: %s", alien)
		return
	}
	for _, key := range columns() {
		if table.Has(key) {
			p.add("export.csv.columns."+string(key), text(table.Title(key)), "")
		} else {
			p.missing("export.csv.columns.%s: name the title of that column; the file has %s", key,
				strings.Join(parsed.Columns[:min(len(parsed.Columns), 20)], ", "))
		}
	}
	if table.NeedsZone() {
		p.missing("export.csv.time_zone: dates in the file carry no offset; add their zone")
		return
	}
	p.rows(table.Quotes())
}

// rows chooses a window that ends with the latest quote, and a client that has some of its quotes.
func (p *proposer) rows(quotes []statement.Quote) {
	quotes = slices.DeleteFunc(quotes, func(q statement.Quote) bool { return !q.CreatedAt.Usable() })
	if len(quotes) < fewestQuotes {
		p.missing("fixtures.window: the file holds %d quotes whose dates can be read, and %d are needed", len(quotes),
			fewestQuotes)
		return
	}
	slices.SortFunc(quotes, func(a, b statement.Quote) int { return a.CreatedAt.Time.Compare(b.CreatedAt.Time) })
	quotes = quotes[max(0, len(quotes)-windowful):]
	start := quotes[0].CreatedAt.Time.UTC().Truncate(time.Second)
	end := quotes[len(quotes)-1].CreatedAt.Time.UTC().Truncate(time.Second).Add(time.Second)
	p.add("fixtures.window.start", start.Format(time.RFC3339),
		fmt.Sprintf("observed: %d quotes lie in this window", len(quotes)))
	p.add("fixtures.window.end", end.Format(time.RFC3339), "")
	wallets, clients := map[string]int{}, map[string]int{}
	for _, q := range quotes {
		wallets[q.Wallet]++
		clients[q.Client]++
	}
	if wallet := quotes[0].Wallet; len(wallets) == 1 && wholeUUID.MatchString(wallet) {
		p.add("fixtures.default_wallet_id", text(strings.ToLower(wallet)),
			"observed: the wallet of every quote that is exported without naming one")
	}
	best := ""
	for id, n := range clients {
		if clientID.MatchString(id) && n < len(quotes) && (best == "" || n > clients[best] ||
			n == clients[best] && id < best) {
			best = id
		}
	}
	if best != "" {
		p.add("fixtures.client_id", text(best), fmt.Sprintf("observed: has %d of these quotes", clients[best]))
	}
}
