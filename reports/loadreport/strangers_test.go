package loadreport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/results"
)

// What stands beside run.json may have rows without an end: they are left, and the page is made of the rest.
func TestFilesBesideARunAreReadBitByBit(t *testing.T) {
	const row = "seconds,scheduled,sent\n1,2,2\n"
	long := strings.Repeat("x", largest+100_000)
	var h results.Distribution
	h.Record(time.Millisecond)
	encoded, tags := string(must.Get(h.MarshalText())(t)), strings.Builder{}
	for i := range mostTags + 1 {
		tags.WriteString("Tag=" + strings.Repeat("t", i+1) + ",0,1,1," + encoded + "\n")
	}
	for name, text := range map[string]string{
		results.SeriesName: row + long, results.HistogramName: "Tag=a,0,1,1," + long, "tags": tags.String(),
		results.ExchangesName: `{"class":"a","url":"` + long,
	} {
		if name == "tags" {
			name = results.HistogramName
		}
		dir := t.TempDir()
		for _, file := range []string{results.SeriesName, results.HistogramName, results.ExchangesName} {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, file), nil, 0o600))
		}
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		data, err := Read(dir)
		if err == nil && name != results.ExchangesName || strings.Contains(tags.String(), text) &&
			!strings.Contains(err.Error(), "100 tags") || len(data.Exchanges) > 0 || len(data.Quantile) > 0 {
			t.Errorf("%s of %d bytes: %v, %d exchanges, %d times", name, len(text), err, len(data.Exchanges),
				len(data.Quantile))
		}
	}
}
