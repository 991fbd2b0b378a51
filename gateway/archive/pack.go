package archive

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
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
// part of it.
func Write(w io.Writer, dir string) (packed Contents, err error) {
	var sums bytes.Buffer
	whole := sha256.New()
	z := zip.NewWriter(io.MultiWriter(w, whole))
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := name != "." && strings.HasPrefix(path.Base(name), ".")
		switch {
		case err != nil:
			return err
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden, entry.IsDir(), name == sumsName, Is(name):
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file, which a run never has; remove it from the folder", filepath.Join(dir, name))
		}
		file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err == nil {
			err = packed.add(name, uint64(info.Size()))
		}
		if err != nil {
			return err
		}
		sum, err := add(z, name, io.LimitReader(file, info.Size())) // of a run that goes on, what it had when we looked
		fmt.Fprintf(&sums, "%x  %s\n", sum, name)
		return err
	})
	if err == nil {
		_, err = add(z, sumsName, &sums)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return Contents{}, fmt.Errorf("the run cannot be packed: %w", err)
	}
	packed.SHA256 = fmt.Sprintf("%x", whole.Sum(nil))
	return packed, nil
}

// add writes one file and returns its hash. When it was written is not part of a run.
func add(z *zip.Writer, name string, content io.Reader) ([]byte, error) {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(0o644)
	w, err := z.CreateHeader(h)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(w, sum), content)
	return sum.Sum(nil), err
}
