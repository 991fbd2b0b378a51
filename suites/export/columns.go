package export

import (
	"context"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
)

func (s *suite) columns() {
	// Bounds and order refer to two dates, and who gets a file has to find them in it. Which titles they have is not
	// documented: a file without a known title is a gap in the deployment file, unless that file names the documented
	// title and others of its titles are there, or the file has no titles at all.
	s.p.It("export.file.columns", "the two dates", spec.After(s.first), func(ctx context.Context) {
		sh := s.started(ctx)
		const headline, expected = "the file does not show the dates that bounds and order refer to", "columns for quote_created_at and settled_date"
		switch {
		case sh.blank() && s.t.Deployment.Fixtures.Window != nil:
			Expect("a file without titles and rows, for a window that holds quotes").To(beNothing(headline, expected))
		case sh.fault != nil, sh.broken != nil:
			s.p.GiveUp(sh.usable())
		}
		absent := s.absentDates(sh)
		if len(absent) == 0 {
			if sh.alien != nil {
				s.p.GiveUp(sh.usable()) // another column is configured wrongly
			}
			return
		}
		conf := s.t.Deployment.Export.CSV.Columns
		promised := promisedTitles(conf)
		switch {
		case len(promised) > 0 && untitled(sh.csv):
			Expect("a first line that holds data instead of titles").To(beNothing(headline, expected))
		case promises(promised, absent) && known(sh.csv, conf):
			Expect("no column " + strings.Join(absent, ", ") + "; the columns are " + s.shown(strings.Join(sh.csv.Columns, ", "))).
				To(beNothing(headline, expected))
		case sh.alien != nil:
			s.p.GiveUp(sh.usable())
		}
		s.p.NotVerified("export.csv.columns", "no column of the file is known to hold %s; its columns are %s",
			strings.Join(absent, " and "), s.shown(strings.Join(sh.csv.Columns, ", ")))
	})
}

// absentDates lists the dates that the file has no column for.
func (s *suite) absentDates(sh *sheet) []string {
	conf := s.t.Deployment.Export.CSV.Columns
	var absent []string
	for _, date := range []struct {
		key   statement.Key
		title string
	}{{statement.CreatedAt, conf.QuoteCreatedAt}, {statement.SettledDate, conf.SettledDate}} {
		there := false
		if sh.table != nil {
			there = sh.table.Has(date.key)
		} else {
			name := date.title
			if name == "" {
				name = string(date.key)
			}
			there = hasTitle(sh.csv, name)
		}
		if !there {
			absent = append(absent, string(date.key))
		}
	}
	return absent
}

// promisedTitles lists the dates that the deployment file gives the documented title.
func promisedTitles(conf deployment.Columns) []string {
	var keys []string
	for key, title := range map[statement.Key]string{statement.CreatedAt: conf.QuoteCreatedAt, statement.SettledDate: conf.SettledDate} {
		if title == string(key) {
			keys = append(keys, title)
		}
	}
	return keys
}

func promises(promised, absent []string) bool {
	return slices.ContainsFunc(absent, func(key string) bool { return slices.Contains(promised, key) })
}

// known tells a file that has another of the titles that the deployment file gives.
func known(csv *statement.Statement, conf deployment.Columns) bool {
	for _, title := range []string{conf.ID, conf.ClientID, conf.WalletID, conf.QuoteCreatedAt, conf.SettledDate} {
		if title != "" && hasTitle(csv, title) {
			return true
		}
	}
	return false
}

func hasTitle(csv *statement.Statement, title string) bool {
	for _, column := range csv.Columns {
		if strings.TrimSpace(column) == strings.TrimSpace(title) {
			return true
		}
	}
	return false
}

var dataCell = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2}.*|\d{2}/\d{2}/\d{4}.*|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\d+([.,]\d+)*)$`)

// untitled tells a file whose first line is a row: dates, identifiers or numbers stand where titles should.
func untitled(csv *statement.Statement) bool {
	for _, cell := range csv.Columns {
		if dataCell.MatchString(strings.TrimSpace(cell)) {
			return true
		}
	}
	return false
}
