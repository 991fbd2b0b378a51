package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// Keep gives the local folder that a run is to be written to for a place: the place itself, or
// where it is in a bucket one whose files finish uploads, run.json last: who sees that finds the
// others. Then that folder is removed; when something fails it stays, and the error names it. A
// place in a bucket that holds anything is refused.
func Keep(ctx context.Context, place string) (folder string, finish func(context.Context) error,
	err error) {
	if !IsBucket(place) {
		return place, func(context.Context) error { return nil }, nil
	}
	s, err := Open(ctx, place)
	if err != nil {
		return "", nil, err
	}
	there, err := s.List(ctx, "")
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("%s holds a recorded run and is left as it is; choose another place",
			place)
	}
	temp := ""
	if err == nil {
		temp, err = os.MkdirTemp("", "gateassay-run-*")
	}
	if err != nil {
		return "", nil, errors.Join(err, s.Close())
	}
	folder = filepath.Join(temp, "run")
	return folder, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		err := upload(ctx, s, folder)
		if err != nil {
			err = fmt.Errorf("the run could not be kept in %s: %w; it is in %s", place, err, folder)
		} else {
			err = os.RemoveAll(temp)
		}
		return errors.Join(err, s.Close())
	}, nil
}

// upload creates the files of a folder and below in a store. A run that was refused has none.
func upload(ctx context.Context, s Store, folder string) (err error) {
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, last := range []bool{false, true} {
		err = errors.Join(err, fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry,
			err error) error {
			if err != nil || !e.Type().IsRegular() || (name == runfolder.RunName) != last {
				return err
			}
			file, err := os.Open(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			return errors.Join(s.Create(ctx, name, file), file.Close())
		}))
		if err != nil {
			break
		}
	}
	return err
}
