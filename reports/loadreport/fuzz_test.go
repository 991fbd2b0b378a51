package loadreport

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/results"
)

// What stands beside a stranger's run.json is read as far as it can be.
func FuzzRead(f *testing.F) {
	f.Add("seconds,target,achieved,in_flight,cpu,accepted,response_p99_ms\n1,2,3,4,5,6,7\nx,,1e999,nan,-1,,\n", "", "")
	f.Add("a\n\"", "#[Histogram log format version 1.3]\nTag=response:accepted,0.0,1.0,2.0,HISTFAAAAA==\n",
		`{"class":"timeout","url":"x","request_header":[{"name":"a","value":"b"}]}`+"\n{\"class\":")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, series, histograms, exchanges string) {
		for name, text := range map[string]string{
			results.SeriesName: series, results.HistogramName: histograms, results.ExchangesName: exchanges,
		} {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		data, _ := Read(dir)
		if len(data.Exchanges) > mostExchanges || len(data.Quantile) > mostTags {
			t.Errorf("%d exchanges, %d times", len(data.Exchanges), len(data.Quantile))
		}
		if _, err := written(results.Run{}, data); err != nil {
			t.Error(err)
		}
	})
}
