package store

import (
	"bytes"
	"context"
	"crypto/rand"
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
	checkpoint = 3 * time.Second  // between parts: what a shard that is killed loses
	hurry      = 20 * time.Second // for the rest, once a run has ended or was stopped
	claimName  = "begun"          // is there from before the first request, so that no run is written over another
	partPrefix = "parts/"
)

// Upload is the local folder of a run that is kept in a bucket. While the run goes its interval record is uploaded in
// parts; at the end all of its files are.
type Upload struct {
	Folder string // to write to
	Place  string // in the bucket

	bucket  Bucket
	claimed bool
	temp    string
	at      int64 // of the interval record, uploaded
	parts   int
	stop    chan struct{}
	done    chan struct{} // closed when the parts end; what one failed with, uploading all makes up for
}

// Keep claims a place in a bucket, and uploads what is written to a local folder from then on. It fails with
// fs.ErrExist where a run was kept before.
func Keep(ctx context.Context, place string) (*Upload, error) {
	b, err := Open(ctx, place)
	if err != nil {
		return nil, err
	}
	if err := Create(ctx, b, claimName, []byte(time.Now().UTC().Format(time.RFC3339Nano)+" "+rand.Text())); err != nil {
		_ = b.Close()
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s holds a recorded run and is left as it is; choose another place: %w", place, err)
		}
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	k, err := local(b, place)
	if err != nil {
		return nil, err
	}
	k.claimed = true
	go k.follow(context.WithoutCancel(ctx))
	return k, nil
}

func local(b Bucket, place string) (*Upload, error) {
	temp, err := os.MkdirTemp("", "gateassay-run-*")
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return &Upload{
		Folder: filepath.Join(temp, "run"), Place: place, bucket: b, temp: temp,
		stop: make(chan struct{}), done: make(chan struct{}),
	}, nil
}

// Create writes a small object that must not be there. Where a first try did reach the bucket, though its answer was
// lost, the object is found to be this very one: contents are to be unique.
func Create(ctx context.Context, b Bucket, key string, content []byte) error {
	err := b.Write(ctx, key, bytes.NewReader(content), true)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if found, again := ReadAll(ctx, b, key); again == nil && bytes.Equal(found, content) {
		return nil
	}
	return err
}

// ReadAll reads a small object.
func ReadAll(ctx context.Context, b Bucket, key string) ([]byte, error) {
	r, err := b.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, 1<<20))
}

// follow uploads parts until the run has ended. One that fails is tried again with what came after it.
func (k *Upload) follow(ctx context.Context) {
	defer close(k.done)
	tick := time.NewTicker(checkpoint)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			given, cancel := context.WithTimeout(ctx, hurry)
			_ = k.part(given)
			cancel()
		case <-k.stop:
			return
		}
	}
}

// part uploads the lines that were added to the interval record.
func (k *Upload) part(ctx context.Context) error {
	file, err := os.Open(filepath.Join(k.Folder, runfolder.IntervalsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, k.at, 64<<20))
	if err != nil {
		return err
	}
	if data = data[:bytes.LastIndexByte(data, '\n')+1]; len(data) == 0 {
		return nil
	}
	if err := Create(ctx, k.bucket, partKey(k.parts), data); err != nil {
		return err
	}
	k.at, k.parts = k.at+int64(len(data)), k.parts+1
	return nil
}

func partKey(n int) string { return fmt.Sprintf("%s%06d.ndjson", partPrefix, n) }

// Finish uploads all files and removes the local folder. When that fails the folder stays, and the error names it.
func (k *Upload) Finish(ctx context.Context) error {
	close(k.stop)
	<-k.done
	err := k.upload(ctx)
	if err == nil {
		k.tidy(ctx)
		err = os.RemoveAll(k.temp)
	} else {
		err = fmt.Errorf("the run could not be kept in %s: %w; it is in %s", k.Place, err, k.Folder)
	}
	return errors.Join(err, k.bucket.Close())
}

// Drop gives up a run of which nothing was recorded.
func (k *Upload) Drop(ctx context.Context) {
	close(k.stop)
	<-k.done
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hurry)
	defer cancel()
	if k.parts == 0 && k.claimed {
		_ = k.bucket.Remove(ctx, claimName)
	}
	_ = os.RemoveAll(k.temp)
	_ = k.bucket.Close()
}

// upload writes every file, run.json last: who sees that finds the others.
func (k *Upload) upload(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	entries, err := os.ReadDir(k.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the run was refused
	}
	if err != nil {
		return err
	}
	var names, last []string
	for _, e := range entries {
		if e.Name() == runfolder.RunName {
			last = []string{e.Name()}
		} else if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	for _, name := range append(names, last...) {
		if err := k.put(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (k *Upload) put(ctx context.Context, name string) error {
	file, err := os.Open(filepath.Join(k.Folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return k.bucket.Write(ctx, name, file, false)
}

// tidy removes the parts, which the whole record stands for, as far as there is time.
func (k *Upload) tidy(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hurry)
	defer cancel()
	for n := range k.parts {
		if k.bucket.Remove(ctx, partKey(n)) != nil {
			return
		}
	}
}
