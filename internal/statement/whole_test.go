package statement

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// whole is a file with all its rows.
type whole struct {
	*Statement
	Rows []Row
}

// parse reads all rows of a file. It returns what was read before an error with it.
func parse(data []byte) (*whole, error) {
	s, err := openStatement(bytes.NewReader(data), deployment.Columns{})
	if err != nil {
		return nil, err
	}
	w := &whole{Statement: s}
	for {
		row, err := s.readRow()
		if errors.Is(err, io.EOF) {
			return w, nil
		}
		if err != nil {
			return w, err
		}
		row.Cells = slices.Clone(row.Cells)
		for i, cell := range row.Cells {
			row.Cells[i] = strings.Clone(cell)
		}
		w.Rows = append(w.Rows, row)
	}
}

// bind reads the rows as quotes.
func (w *whole) bind(cols deployment.Columns, zone *time.Location) (*Table, error) {
	b, err := w.newQuoteReader(cols, zone, 0)
	if err != nil {
		return nil, err
	}
	for _, row := range w.Rows {
		b.addRow(row)
	}
	return b.finishTable(), nil
}

// misfits counts the unreadable creation dates.
func misfits(t *Table) (n int) {
	for _, q := range t.quotes {
		if q.CreatedAt.Unreadable {
			n++
		}
	}
	return n
}
