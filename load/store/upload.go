package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

const (
	// Checkpoint is the time between parts: what a shard that is killed loses.
	Checkpoint = 3 * time.Second
	// Parts begins the keys of what is uploaded of the interval record while a run goes.
	Parts   = "parts/"
	patient = 20 * time.Second // for one upload, with the tries of the bucket's client
)

// Upload is the local folder of a run that is kept in a bucket. While the run goes its interval record is uploaded in
// parts; at the end all of its files are.
type Upload struct {
	Folder string // to write to

	store Store
	place string
	temp  string
	at    int64 // of the interval record, uploaded
	parts int
	stop  chan struct{}
	done  chan struct{}
}

// Keep uploads what is written to a local folder from then on. A place that holds anything is refused.
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
	u := &Upload{
		Folder: filepath.Join(temp, "run"), store: s, place: place, temp: temp,
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	go u.follow(context.WithoutCancel(ctx))
	return u, nil
}

// follow uploads parts until the run has ended. One that fails is tried again with what came after it.
func (u *Upload) follow(ctx context.Context) {
	defer close(u.done)
	tick := time.NewTicker(Checkpoint)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			given, cancel := context.WithTimeout(ctx, patient)
			_ = u.part(given) // uploading all at the end makes up for it
			cancel()
		case <-u.stop:
			return
		}
	}
}

// part uploads the lines that were added to the interval record.
func (u *Upload) part(ctx context.Context) error {
	file, err := os.Open(filepath.Join(u.Folder, runfolder.IntervalsName))
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, u.at, 64<<20))
	if data = data[:bytes.LastIndexByte(data, '\n')+1]; err != nil || len(data) == 0 {
		return err
	}
	if err := Create(ctx, u.store, partKey(u.parts), data); err != nil {
		return err
	}
	u.at, u.parts = u.at+int64(len(data)), u.parts+1
	return nil
}

func partKey(n int) string { return fmt.Sprintf("%s%06d.ndjson", Parts, n) }

// Finish uploads all files, run.json last: who sees that finds the others. Then it removes the local folder. When
// something fails the folder stays, and the error names it. A run that was refused has no files.
func (u *Upload) Finish(ctx context.Context) error {
	close(u.stop)
	<-u.done
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	entries, err := os.ReadDir(u.Folder)
	if errors.Is(err, fs.ErrNotExist) {
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
	for n := range u.parts { // the whole record stands for them
		err = errors.Join(err, u.store.Remove(ctx, partKey(n)))
	}
	return errors.Join(err, os.RemoveAll(u.temp), u.store.Close())
}

func (u *Upload) put(ctx context.Context, name string) error {
	file, err := os.Open(filepath.Join(u.Folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return u.store.Write(ctx, name, file, false)
}
