package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Pack writes the run in the folder dir to a new file out. A file that exists is not replaced, and nothing is left
// behind on an error. Only its owner can read it, as is so of the exchanges in it.
func Pack(dir, out string) (packed Contents, err error) {
	if _, err := os.Lstat(out); err == nil {
		return Contents{}, fmt.Errorf("%s already exists and was not overwritten; choose another name with --out", out)
	}
	err = runfolder.Replace(filepath.Dir(out), filepath.Base(out), 0o600, func(w io.Writer) (err error) {
		packed, err = Write(w, dir)
		return err
	})
	return packed, err
}

// Write packs the run in the folder dir. Hidden files are halves that a crash left, and neither they nor archives are
// part of it. Of a run that goes on, it takes what there is.
func Write(w io.Writer, dir string) (packed Contents, err error) {
	run, z := os.DirFS(dir), zip.NewWriter(w)
	err = fs.WalkDir(run, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir(), strings.HasPrefix(path.Base(name), "."), name == sumsName, Is(name):
			return nil
		}
		info, err := entry.Info()
		if err == nil {
			err = packed.admit(name, info.Mode(), uint64(info.Size()))
		}
		if err != nil {
			return err
		}
		part, err := create(z, name)
		if err != nil {
			return err
		}
		return packed.hash(run, name, part)
	})
	if err == nil {
		err = finish(z, packed.sums)
	}
	if err != nil {
		return Contents{}, fmt.Errorf("the run cannot be packed: %w", err)
	}
	return packed, nil
}

// create begins a file. When it was written is not part of a run.
func create(z *zip.Writer, name string) (io.Writer, error) {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(0o644)
	return z.CreateHeader(h)
}

func finish(z *zip.Writer, sums []byte) error {
	part, err := create(z, sumsName)
	if err != nil {
		return err
	}
	_, err = part.Write(sums)
	return errors.Join(err, z.Close())
}
