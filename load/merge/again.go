package merge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

// place is the folder that a run is merged in. Where out holds what an earlier merge of the same run came to without a
// verdict, that is a new folder beside it, and publish puts it in place.
func place(out string, info results.Info) (folder string, publish func() (string, error), err error) {
	as := func() (string, error) { return folder, nil }
	if out == "" {
		folder, err = runfolder.Create("", "load-merged", time.Now())
		return folder, as, err
	}
	before, err := results.Load(out)
	if err != nil || !before.Run.Merged {
		folder, err = runfolder.Create(out, "load-merged", time.Now())
		return folder, as, err
	}
	switch {
	case before.Run.ID != info.ID || before.Run.PlanHash != info.PlanHash:
		return "", nil, fmt.Errorf("%s holds a run merged from another one (%s) and is left as it is; choose "+
			"another folder with --out", out, before.Run.ID)
	case before.Verdict != results.Inconclusive:
		return "", nil, fmt.Errorf("%s holds a recorded run, merged before with the verdict %s, and is left as it "+
			"is; choose another folder with --out", out, before.Verdict)
	}
	folder, err = os.MkdirTemp(filepath.Dir(filepath.Clean(out)), ".merge-*")
	if err != nil {
		return "", nil, fmt.Errorf("cannot merge the run again: %w; choose another folder with --out", err)
	}
	return folder, func() (string, error) { return out, replace(out, folder) }, nil
}

// written by every merge, in the order that they are replaced in: whoever reads in between finds no run.json.
var files = []string{
	runfolder.IntervalsName, results.ExchangesName, results.HistogramName, results.SeriesName, runfolder.SummaryName,
	runfolder.ReportName, runfolder.RunName,
}

func replace(out, folder string) error {
	errs := []error{}
	if err := os.Remove(filepath.Join(out, runfolder.RunName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s cannot be replaced: %w; the new merge is in %s", out, err, folder)
	}
	for _, name := range files {
		err := os.Rename(filepath.Join(folder, name), filepath.Join(out, name))
		if errors.Is(err, os.ErrNotExist) {
			err = os.Remove(filepath.Join(out, name))
		}
		if !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s cannot be replaced: %w; the rest of the new merge is in %s", out, err, folder)
	}
	return os.Remove(folder)
}
