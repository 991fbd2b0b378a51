package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/har"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

func recorded(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	h, err := har.Create(filepath.Join(dir, page.HARName), "gateassay", "1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		x := &client.Exchange{
			Seq: i + 1, Label: fmt.Sprintf("label %d", i+1), Operation: client.Export, Attempt: 1, Status: 201,
			StartedAt: recordtest.Start.Add(time.Duration(i) * time.Millisecond),
			Service:   5 * time.Millisecond, Written: time.Millisecond, FirstByte: 4 * time.Millisecond,
			Recorded: client.Record{
				Method: "POST", URL: "https://gateway.staging.example/x", Status: 201,
				RequestBody:   []byte(`{"n":9007199254740993}`),
				RequestHeader: map[string][]string{"Nonce": {"n" + fmt.Sprint(i)}},
				ResponseBody:  []byte("\xff\x00</script>"),
			},
		}
		if i == 2 {
			x.Status, x.Err = 0, &client.Trouble{Kind: client.Reset}
		}
		if err := h.Append(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestThePageComesFromTheFolderAlone(t *testing.T) {
	data, err := page.FromFolder(recorded(t, 30), recordtest.Run())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"30 exchanges in 34 ms, at most 5 in flight at once, 1 without an answer, the " +
		"slowest took 5 ms", "connection broken", "Nonce:", "label 17", "9007199254740993"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestAFolderThatIsDamagedStillGivesAPage(t *testing.T) {
	dir := recorded(t, 30)
	path := filepath.Join(dir, page.HARName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []struct {
		name  string
		data  []byte
		shows bool // the third exchange
	}{
		{"cut", whole[:len(whole)/2], true},
		{"garbage", []byte("\x00{["), false},
		{"empty", nil, false},
		{"other", []byte(`{"log":{"entries":7}}`), false},
	} {
		if err := os.WriteFile(path, damaged.data, 0o644); err != nil {
			t.Fatal(err)
		}
		data, err := page.FromFolder(dir, recordtest.Run())
		if err != nil || strings.Contains(string(data), "label 3") != damaged.shows {
			t.Errorf("%s: %v, what can be read is shown: %v", damaged.name, err, !damaged.shows)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := page.FromFolder(dir, recordtest.Run()); err != nil {
		t.Errorf("missing: %v", err)
	}
}
