package statement

import (
	"errors"
	"hash/fnv"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Read reads an export file row by row and keeps the first most of its quotes; 0: all. It is
// strict: quoting must be well formed, and every row must have as many fields as the header. It
// skips blank lines.
//
// Read finds columns by their configured titles, or else by their documented names. The time zone
// applies to dates without an offset; if none is given, NeedsZone reports whether one is needed. s
// is nil if the titles cannot be read, t if the columns do not fit. What was read before an error
// is returned with it. fileErr describes a problem with the file, columnErr one with its columns.
func Read(
	r io.Reader, conf deployment.CSV, most int,
) (s *Statement, t *Table, fileErr, columnErr error) {
	if s, fileErr = openStatement(r, conf.Columns); fileErr != nil {
		return nil, nil, fileErr, nil
	}
	var zone *time.Location
	if conf.TimeZone != "" {
		zone, _ = time.LoadLocation(conf.TimeZone) // the name was checked with the deployment file
	}
	b, columnErr := s.newQuoteReader(conf.Columns, zone, most)
	for {
		row, err := s.readRow()
		if err == nil && b != nil {
			b.addRow(row)
		}
		if err == nil {
			continue
		}
		if b != nil {
			t = b.finishTable()
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return s, t, err, columnErr
	}
}

// quoteReader reads rows as quotes.
type quoteReader struct {
	t                  *Table
	most               int // quotes to keep; 0: all
	id, client, wallet int // column indexes; -1: no such column
	created, settled   dateColumn
	clients            clientCells
}

// clientCells sums up how the client column is laid out.
type clientCells struct {
	filled, blank int  // cells that hold a client, and those of them with surrounding blanks
	width         int  // runes in the first of them
	uneven        bool // not all are as wide
}

// add counts a cell and reports whether a client in it has surrounding blanks.
func (c *clientCells) add(cell string) bool {
	client := strings.TrimSpace(cell)
	if client == "" {
		return false
	}
	width := utf8.RuneCountInString(cell)
	if c.filled++; c.filled == 1 {
		c.width = width
	}
	c.uneven = c.uneven || width != c.width
	if client == cell {
		return false
	}
	c.blank++
	return true
}

// areLaidOut reports whether surrounding blanks are layout: they are in every cell, or make all
// cells equally wide.
func (c *clientCells) areLaidOut() bool { return c.blank == c.filled || !c.uneven }

func (s *Statement) newQuoteReader(
	cols deployment.Columns, zone *time.Location, most int,
) (*quoteReader, error) {
	b := &quoteReader{
		t:    &Table{titles: map[ColumnKey]string{}, dates: map[ColumnKey]dateSummary{}},
		most: most,
	}
	b.created.zone, b.settled.zone = zone, zone
	at := []*int{&b.id, &b.client, &b.wallet, &b.created.at, &b.settled.at}
	for i, c := range configuredColumns(cols) {
		var err error
		if *at[i], err = s.findColumn(c.key, c.title); err != nil {
			return nil, err
		}
		if *at[i] >= 0 {
			b.t.titles[c.key] = s.Columns[*at[i]]
		}
	}
	return b, nil
}

// cellAt returns the trimmed cell in a column, or "" for column -1.
func (r Row) cellAt(column int) string {
	if column < 0 {
		return ""
	}
	return strings.TrimSpace(r.Cells[column])
}

// withoutGuard returns the text of a cell without what keeps spreadsheets from computing it: an
// apostrophe ahead of a sign that begins a formula, or the formula of a text, as in ="0042".
func withoutGuard(cell string) string {
	if text, is := strings.CutPrefix(cell, `="`); is && strings.HasSuffix(text, `"`) {
		return strings.TrimSuffix(text, `"`)
	}
	if text, is := strings.CutPrefix(cell, "'"); is && strings.IndexAny(text, "=+-@") == 0 {
		return text
	}
	return cell
}

func (b *quoteReader) addRow(row Row) {
	t := b.t
	t.lastKept = false
	if b.isNotQuote(row) {
		t.others++
		return
	}
	t.count++
	q := Quote{
		Line:   row.Line,
		Client: withoutGuard(row.cellAt(b.client)), Wallet: withoutGuard(row.cellAt(b.wallet)),
		Identity: withoutGuard(row.cellAt(b.id)), columns: [3]int{b.id, b.created.at, b.settled.at},
	}
	b.created.readCell(row.cellAt(b.created.at), &q.CreatedAt)
	b.settled.readCell(row.cellAt(b.settled.at), &q.SettledDate)
	if q.Identity == "" {
		// Other cells, such as a row number, may belong to the file rather than to the quote.
		known := []string{q.CreatedAt.Text, q.SettledDate.Text, q.Client, q.Wallet}
		if q.CreatedAt.Text+q.SettledDate.Text == "" {
			known = row.Cells
		}
		q.Identity, q.IdentityIsJoined = joinCells(known), true
	}
	if b.most == 0 || len(t.quotes) < b.most {
		cells := fnv.New64a()
		_, _ = io.WriteString(cells, joinCells(row.Cells)) // a hash never fails
		q.Cells = cells.Sum64()
		if b.client >= 0 {
			q.blank = b.clients.add(row.Cells[b.client])
			q.padded = len(q.Client) < len(row.Cells[b.client])
			t.padded = t.padded || q.padded
		}
		t.quotes, t.lastKept = append(t.quotes, q), true
	}
}

// dropAmbiguousClients clears client IDs that differ only in surrounding blanks or in a guard, and
// those whose blanks may be their own. Otherwise these are layout.
func (b *quoteReader) dropAmbiguousClients() {
	t := b.t
	if !t.padded {
		return
	}
	plain, padded := map[string]bool{}, map[string]bool{}
	for _, q := range t.quotes {
		if q.padded {
			padded[q.Client] = true
		} else {
			plain[q.Client] = true
		}
	}
	laidOut := b.clients.areLaidOut()
	for i := range t.quotes {
		q := &t.quotes[i]
		if plain[q.Client] && padded[q.Client] || q.blank && !laidOut {
			q.Client = ""
		}
	}
}

// finishTable decides the format of each date column after the last row.
func (b *quoteReader) finishTable() *Table {
	t := b.t
	b.dropAmbiguousClients()
	for key, column := range map[ColumnKey]*dateColumn{
		ColumnCreatedAt: &b.created, ColumnSettledDate: &b.settled,
	} {
		summary := column.decideFormat()
		t.dates[key] = summary
		for i := range t.quotes {
			if m := t.quotes[i].dateCell(key); !m.Empty && m.format != summary.format {
				*m = DateCell{Text: m.Text, Unreadable: true}
			}
		}
	}
	return t
}
