package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// folder is a Store in a file system where two processes cannot create one name: a local one, NFS, CephFS, SMB.
type folder string

// link is os.Link; tests replace it.
var link = os.Link

func (f folder) path(key string) string { return filepath.Join(string(f), filepath.FromSlash(key)) }

func (f folder) Write(_ context.Context, key string, content io.Reader, fresh bool) error {
	to := f.path(key)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(to), ".tmp-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = io.Copy(temp, content)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if !fresh {
		return os.Rename(temp.Name(), to)
	}
	if err = link(temp.Name(), to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// No hard links, as on SMB shares: the name is taken, then replaced, and readers may see an empty file for a moment.
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) //nolint:gosec // other shards read it
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Rename(temp.Name(), to))
}

func (f folder) Read(_ context.Context, key string) (io.ReadCloser, error) {
	return runfolder.Open(f.path(key), runfolder.LargestStream)
}

// List opens each file for its size: a shared folder may show an old one otherwise. A pipe or a device is listed, so that
// whoever reads it learns why it cannot be, but not opened, as that may never end.
func (f folder) List(_ context.Context, prefix string) ([]Object, error) {
	var all []Object
	err := filepath.WalkDir(f.path("."), func(path string, e fs.DirEntry, err error) error {
		if err != nil || strings.HasPrefix(e.Name(), ".") && path != string(f) {
			if e != nil && e.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		key, err := filepath.Rel(string(f), path)
		if key = filepath.ToSlash(key); err != nil || e.IsDir() || !strings.HasPrefix(key, prefix) {
			return err
		}
		info, err := os.Stat(path)
		if err != nil { // a link that leads nowhere
			info, err = e.Info()
		}
		if err == nil && info.Mode().IsRegular() {
			info, err = opened(path)
		}
		if err == nil && !info.IsDir() {
			all = append(all, Object{Key: key, Size: info.Size(), Changed: info.ModTime()})
		}
		return err
	})
	return all, err
}

func opened(path string) (fs.FileInfo, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Stat()
}

func (f folder) Remove(_ context.Context, key string) error { return os.Remove(f.path(key)) }

func (f folder) Close() error { return nil }
