package statement

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

var noColumns = deployment.Columns{}

func table(t *testing.T, text string, cols deployment.Columns, zone *time.Location) *Table {
	t.Helper()
	s := testmust.Get(parse([]byte(text)))(t)
	bound := testmust.Get(s.bind(cols, zone))(t)
	return bound
}

func TestColumnsAreFoundByTheirDocumentedNames(t *testing.T) {
	const text = "Quote ID,CLIENT-ID,Wallet_UUID,quoteCreatedAt, Settled Date ,created_at\n" +
		"q,c,w,2025-01-01T00:00:00Z,2025-01-02,x\n"
	got := table(t, text, noColumns, time.UTC)
	for _, key := range []ColumnKey{
		ColumnID, ColumnClientID, ColumnWalletID, ColumnCreatedAt, ColumnSettledDate,
	} {
		if !got.HasColumn(key) {
			t.Errorf("%s was not found", key)
		}
	}
	q := got.Quotes()[0]
	if q.Identity != "q" || q.IdentityIsJoined || q.Client != "c" || q.Wallet != "w" ||
		!q.CreatedAt.IsOneInstant() || q.SettledDate.Precision != Day {
		t.Errorf("quote %+v", q)
	}
	testmust.Equal(t, got.Title(ColumnSettledDate), " Settled Date ")
	none := table(t, "client,wallet,created,settled,payment_id\n1,2,3,4,5\n", noColumns, nil)
	for _, key := range []ColumnKey{
		ColumnID, ColumnClientID, ColumnWalletID, ColumnCreatedAt, ColumnSettledDate,
	} {
		if none.HasColumn(key) {
			t.Errorf("%s was guessed from %q", key, none.Title(key))
		}
	}
	if q := none.Quotes()[0]; !q.IdentityIsJoined || !q.CreatedAt.Empty || none.NeedsZone() ||
		none.Precision(ColumnCreatedAt) != 0 {
		t.Errorf("quote %+v", q)
	}
}

func TestIdentityWithoutAnID(t *testing.T) {
	quotes := table(t, "a,b\nx,yz\nxy,z\nx,yz\n", noColumns, nil).Quotes()
	if quotes[0].Identity == quotes[1].Identity || quotes[0].Identity != quotes[2].Identity {
		t.Errorf("identities %q, %q, %q", quotes[0].Identity, quotes[1].Identity, quotes[2].Identity)
	}
	if q := table(t, "id,b\n ,z\n", noColumns, nil).Quotes()[0]; !q.IdentityIsJoined ||
		q.Identity == "" {
		t.Errorf("an empty id: %+v", q)
	}
}

func dates(t *testing.T, zone *time.Location, cells ...string) (*Table, []DateCell) {
	t.Helper()
	text := "id;quote_created_at\n"
	for i, cell := range cells {
		text += fmt.Sprintf("%d;%s\n", i, cell)
	}
	got := table(t, text, noColumns, zone)
	var moments []DateCell
	for _, q := range got.Quotes() {
		moments = append(moments, q.CreatedAt)
	}
	return got, moments
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		cell, want string
		precision  time.Duration
	}{
		{"2025-01-02T03:04:05Z", "2025-01-02T03:04:05Z", time.Second},
		{"2025-01-02t03:04:05z", "2025-01-02T03:04:05Z", time.Second},
		{"2025-01-02 03:04:05.1Z", "2025-01-02T03:04:05.1Z", 100 * time.Millisecond},
		{"2025-01-02 03:04:05,123Z", "2025-01-02T03:04:05.123Z", time.Millisecond},
		{"2025-01-02T03:04:05.123456+03:00", "2025-01-02T00:04:05.123456Z", time.Microsecond},
		{"2025-01-02T03:04:05.000000001-0330", "2025-01-02T06:34:05.000000001Z", time.Nanosecond},
		{"2025-01-02T03:04:05-03", "2025-01-02T06:04:05Z", time.Second},
		{"2025-01-02 03:04:05 +0000", "2025-01-02T03:04:05Z", time.Second},
		{"2025-01-02 03:04:05 UTC", "2025-01-02T03:04:05Z", time.Second},
		{"2025-01-02T03:04", "2025-01-02T03:04:00+03:00", time.Minute},
		{"2025-01-02 03:04:05.120", "2025-01-02T03:04:05.12+03:00", time.Millisecond},
		{"20250102T030405.120Z", "2025-01-02T03:04:05.12Z", time.Millisecond},
		{"20250102T030405", "2025-01-02T03:04:05+03:00", time.Second},
		{"2024-02-29", "2024-02-29T00:00:00+03:00", Day},
		{"0001-02-01T00:00:00Z", "0001-02-01T00:00:00Z", time.Second},
		{"31/12/2024", "2024-12-31T00:00:00+03:00", Day},
		{"01/02/2025, 10:20:30", "2025-02-01T10:20:30+03:00", time.Second},
		{"1735689600123", "2025-01-01T00:00:00.123Z", time.Millisecond},
		{"1735689601", "2025-01-01T00:00:01Z", time.Second},
	} {
		_, moments := dates(t, time.FixedZone("", 3*3600), c.cell)
		want := testmust.Get(time.Parse(time.RFC3339Nano, c.want))(t)
		if m := moments[0]; !m.Time.Equal(want) || m.Precision != c.precision || !m.IsOneInstant() ||
			m.Text != c.cell {
			t.Errorf("%s: %+v", c.cell, m)
		}
	}
}

func TestDatesWithoutOffsetNeedAZone(t *testing.T) {
	got, moments := dates(t, nil, "2025-01-01 10:00:00.5", "2025-01-01T10:00:00.25Z")
	if !got.NeedsZone() || !got.NeedsZone(ColumnCreatedAt) || got.NeedsZone(ColumnSettledDate) ||
		moments[0].Zoned || moments[0].IsOneInstant() || !moments[1].IsOneInstant() {
		t.Errorf("moments %+v", moments)
	}
	testmust.Equal(t, got.Precision(ColumnCreatedAt), 10*time.Millisecond)
	testmust.Equal(t, got.Precision(ColumnClientID), 0)
	if got, _ := dates(t, nil, "2025-01-01T10:00:00Z", ""); got.NeedsZone() {
		t.Error("a zone is asked for that nothing needs")
	}
	if got, _ := dates(t, time.UTC, "2025-01-01"); got.NeedsZone() {
		t.Error("a zone is asked for that was given")
	}
}

func TestLocalTimesThatAZoneHasTwiceOrNever(t *testing.T) {
	for zone, cells := range map[string]map[string]bool{
		"America/Sao_Paulo": {
			"2018-11-04 00:30:00": true, "2018-11-04": true, "2018-11-04 01:00:00": false,
			"2018-11-03 23:59:59": false,
			"2019-02-16 23:30:00": true,
			"2019-02-16 22:59:59": false, "2019-02-17 00:00:00": false, "2025-01-01 12:00:00": false,
			"2018-11-04 00:30:00-03:00": false,
		},
		"Europe/Berlin": {
			"2025-03-30 02:30:00": true, "2025-03-30 03:00:00": false, "2025-10-26 02:00:00": true,
			"2025-10-26 02:59:59.999": true, "2025-10-26 03:00:00": false, "2025-10-26 01:59:59": false,
		},
		"Australia/Lord_Howe": {
			"2025-04-06 01:45:00": true, "2025-04-06 01:29:00": false, "2025-04-06 02:00:00": false,
			"2025-10-05 02:15:00": true,
		},
		"UTC": {"2025-03-30 02:30:00": false},
		// Zones that set their clocks back for good: the repeated hour is at the end of one offset
		// only.
		"Europe/Moscow": {
			"2014-10-26 01:30:00": true, "2014-10-26 00:59:59": false, "2014-10-26 02:00:00": false,
		},
		"America/Metlakatla": {"2015-11-01 01:30:00": true, "2015-11-01 02:00:00": false},
		"Pacific/Apia":       {"2011-12-30 12:00:00": true}, // a day that was skipped
	} {
		location := testmust.Get(time.LoadLocation(zone))(t)
		for cell, want := range cells {
			if _, moments := dates(t, location, cell); moments[0].Ambiguous != want ||
				moments[0].Unreadable {
				t.Errorf("%s in %s: %+v, want ambiguous %v", cell, zone, moments[0], want)
			}
		}
	}
}

// TestClientsBehindBlanksAndGuards checks that guards and blanks around a client are ignored,
// unless two clients differ in nothing else. Blanks that only some cells have may be the client's.
func TestClientsBehindBlanksAndGuards(t *testing.T) {
	for file, expected := range map[string][]string{
		"id,client_id\n1,'+55\n2,'=1+1\n3,'a\n":     {"+55", "=1+1", "'a"},
		"id,client_id\n1,\"=\"\"0042\"\"\"\n2,'\n":  {"0042", "'"},
		"id,client_id\n1, a\n2, b\n":                {"a", "b"},
		"id,client_id\n1,a \n2,bb\n":                {"a", "bb"},
		"id,client_id\n1,a \n2,a\n3,b\n":            {"", "", "b"},
		"id,client_id\n1,a \n2,b\n3,c\n":            {"", "b", "c"},
		"id,client_id\n1,a  \n2,bb \n3,  \n4,ccc\n": {"a", "bb", "", "ccc"},
		"id,client_id\n1, a\n2, bb\n3,\n":           {"a", "bb", ""},
		"id,client_id\n1,a \n2, a\n3,b \n":          {"a", "a", "b"},
	} {
		_, table, err, columnErr := Read(strings.NewReader(file), deployment.CSV{}, 0)
		if err != nil || columnErr != nil {
			t.Fatal(err, columnErr)
		}
		var found []string
		for _, q := range table.Quotes() {
			found = append(found, q.Client)
		}
		if !slices.Equal(found, expected) {
			t.Errorf("%q: clients %q, expected %q", file, found, expected)
		}
	}
}

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
	var many []string
	for i := range 62 {
		many = append(many, fmt.Sprintf("c%d", i))
	}
	long := strings.Repeat("é", 79)
	for want, titles := range map[string][]string{
		`"id", "x&#…", "&#…"`:              {"id", "x&#114", "&#101"}, // no pieces of references
		`"c57", "c58", "c59"`:              many[:60],
		`"c57", "c58", "c59", and 2 more`:  many,
		`"` + long + `é", "` + long + `…"`: {long + "é", long + "éé"},
	} {
		if list := (&Statement{Columns: titles}).titleList(); !strings.HasSuffix(list, want) {
			t.Errorf("%d titles: %s, want %s", len(titles), list, want)
		}
	}
}
