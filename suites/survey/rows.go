package survey

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/doctor"
)

const (
	mostRead  = 4 << 20 // bytes of a file
	windowful = 200     // quotes that a window is made to hold, where there are as many
)

// read learns from a file what its columns are and which window holds enough quotes.
func (s *survey) read(file client.ExportFile) {
	data := file.Bytes
	if file.Cut { // the last row is not whole
		if at := strings.LastIndexByte(string(data), '\n'); at > 0 {
			data = data[:at+1]
		}
	}
	parsed, table, broken, alien := statement.Read(bytes.NewReader(data), deployment.Columns{}, nil, statement.Keep{})
	if broken != nil {
		s.missing("the file cannot be read: %s", s.t.Client.Redactor().Text(broken.Error()))
		return
	}
	if alien != nil {
		s.missing("export.csv.columns: %s", s.t.Client.Redactor().Text(alien.Error()))
		return
	}
	for _, key := range doctor.Columns() {
		if table.Has(key) {
			s.add("export.csv.columns."+string(key), text(table.Title(key)), "")
		} else {
			s.missing("export.csv.columns.%s: name the title of that column; the file has %s", key,
				strings.Join(parsed.Columns[:min(len(parsed.Columns), 20)], ", "))
		}
	}
	if table.NeedsZone() {
		s.missing("export.csv.time_zone: dates in the file carry no offset; add their zone")
		return
	}
	s.rows(table.Quotes())
}

// rows chooses a window that ends with the latest quote, and a client that has some of its quotes.
func (s *survey) rows(quotes []statement.Quote) {
	quotes = slices.DeleteFunc(quotes, func(q statement.Quote) bool { return !q.CreatedAt.Usable() })
	if len(quotes) < doctor.FewestQuotes {
		s.missing("fixtures.window: the file holds %d quotes whose dates can be read, and %d are needed", len(quotes),
			doctor.FewestQuotes)
		return
	}
	slices.SortFunc(quotes, func(a, b statement.Quote) int { return a.CreatedAt.Time.Compare(b.CreatedAt.Time) })
	quotes = quotes[max(0, len(quotes)-windowful):]
	start := quotes[0].CreatedAt.Time.UTC().Truncate(time.Second)
	end := quotes[len(quotes)-1].CreatedAt.Time.UTC().Truncate(time.Second).Add(time.Second)
	s.add("fixtures.window.start", start.Format(time.RFC3339),
		fmt.Sprintf("observed: %d quotes lie in this window", len(quotes)))
	s.add("fixtures.window.end", end.Format(time.RFC3339), "")
	wallets, clients := map[string]int{}, map[string]int{}
	for _, q := range quotes {
		wallets[q.Wallet]++
		clients[q.Client]++
	}
	if wallet := quotes[0].Wallet; len(wallets) == 1 && uuid.MatchString(wallet) {
		s.add("fixtures.default_wallet_id", text(strings.ToLower(wallet)),
			"observed: the wallet of every quote that is exported without naming one")
	}
	best := ""
	for id, n := range clients {
		if named.MatchString(id) && n < len(quotes) && (best == "" || n > clients[best] || n == clients[best] &&
			id < best) {
			best = id
		}
	}
	if best != "" {
		s.add("fixtures.client_id", text(best), fmt.Sprintf("observed: has %d of these quotes", clients[best]))
	}
}

var (
	uuid  = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	named = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)
)
