package statement

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestFindingColumns(t *testing.T) {
	const titles = `its columns are "x", " Quote ID", "twice", "twice ", "Client-ID", "client_id", ` +
		`"Settled Date", "settledDate"`
	s := &Statement{Columns: []string{
		"x", " Quote ID", "twice", "twice ", "Client-ID", "client_id", "Settled Date", "settledDate",
	}}
	for _, c := range []struct {
		key   ColumnKey
		title string
		index int
		err   string // behind the line
	}{
		{ColumnID, "", 1, ""},
		{ColumnID, "x", 0, ""},
		{ColumnID, " x ", 0, ""},
		{ColumnClientID, "", 5, ""}, // spelled as documented
		{ColumnWalletID, "", -1, ""},
		{ColumnCreatedAt, "", -1, ""},
		{ColumnWalletID, "X", -1, `export.csv.columns.wallet_id is "X", but the file has no such ` +
			`column; ` + titles},
		{ColumnWalletID, "twice", -1, `export.csv.columns.wallet_id is "twice", and 2 columns of the ` +
			`file have that title`},
		{ColumnSettledDate, "", -1, `2 columns could be settled_date; name the right one in ` +
			`export.csv.columns.settled_date: ` + titles},
	} {
		index, err := s.findColumn(c.key, c.title)
		var bad *ParseError
		if index != c.index || err == nil != (c.err == "") ||
			err != nil && (!errors.As(err, &bad) || err.Error() != "line 1: "+c.err) {
			t.Errorf("%s %q: %d, %v, want %d, %s", c.key, c.title, index, err, c.index, c.err)
		}
	}
}

func TestTitlesInMessagesAreBounded(t *testing.T) {
	titles := func(n int) *Statement {
		s := &Statement{}
		for i := range n {
			s.Columns = append(s.Columns, fmt.Sprintf("c%d", i))
		}
		return s
	}
	if list := (&Statement{
		Columns: []string{"id", "x&#114", "&#101"},
	}).titleList(); list != `"id", "x&#…", "&#…"` {
		t.Errorf("pieces of character references: %s", list)
	}
	if list := titles(60).titleList(); !strings.HasSuffix(list, `"c58", "c59"`) {
		t.Errorf("60 titles: %s", list)
	}
	if list := titles(62).titleList(); !strings.HasSuffix(list, `"c58", "c59", and 2 more`) {
		t.Errorf("62 titles: %s", list)
	}
	long := &Statement{Columns: []string{strings.Repeat("é", 80), strings.Repeat("é", 81)}}
	if list, want := long.titleList(), `"`+strings.Repeat("é",
		80)+`", "`+strings.Repeat("é", 79)+`…"`; list != want {
		t.Errorf("long titles: %s", list)
	}
}
