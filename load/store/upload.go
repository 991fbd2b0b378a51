package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Upload is the local folder of a run that is kept in a bucket.
type Upload struct {
	Folder string // to write to

	store Store
	place string
	temp  string
}

// Keep gives a local folder whose files Finish uploads. A place that holds anything is refused.
func Keep(ctx context.Context, place string) (*Upload, error) {
	s, err := Open(ctx, place)
	if err != nil {
		return nil, err
	}
	there, err := s.List(ctx, "")
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("%s holds a recorded run and is left as it is; choose another place", place)
	}
	temp := ""
	if err == nil {
		temp, err = os.MkdirTemp("", "gateassay-run-*")
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &Upload{Folder: filepath.Join(temp, "run"), store: s, place: place, temp: temp}, nil
}

// Finish uploads all files, run.json last: who sees that finds the others. Then it removes the local folder. When
// something fails the folder stays, and the error names it. A run that was refused has no files.
func (u *Upload) Finish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	entries, err := os.ReadDir(u.Folder)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	for _, last := range []bool{false, true} {
		for _, e := range entries {
			if err == nil && e.Type().IsRegular() && (e.Name() == runfolder.RunName) == last {
				err = u.put(ctx, e.Name())
			}
		}
	}
	if err != nil {
		err = fmt.Errorf("the run could not be kept in %s: %w; it is in %s", u.place, err, u.Folder)
		return errors.Join(err, u.store.Close())
	}
	return errors.Join(os.RemoveAll(u.temp), u.store.Close())
}

func (u *Upload) put(ctx context.Context, name string) error {
	file, err := os.Open(filepath.Join(u.Folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return u.store.Create(ctx, name, file)
}
