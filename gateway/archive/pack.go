package archive

import (
	"archive/tar"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Packed says what was written.
type Packed struct {
	Path   string
	SHA256 string // of the whole file, hexadecimal
	Size   int64  // bytes
	Files  int
	Bytes  int64 // of the files
}

// Pack writes the run in the folder dir to a new file out, whose name ends with .tar.zst or .tar.gz. A file that
// exists is not replaced, and nothing is left behind on an error. Only its owner can read it, as is so of the
// exchanges in it.
func Pack(dir, out string) (packed Packed, err error) {
	format, ok := FormatOf(out)
	if !ok {
		return Packed{}, fmt.Errorf("%s: expected a name that ends in %s or %s", out, Zstd, Gzip)
	}
	if err := holdsRun(dir); err != nil {
		return Packed{}, err
	}
	if _, err := os.Lstat(out); err == nil {
		return Packed{}, fmt.Errorf("%s already exists and was not overwritten; choose another name with --out", out)
	}
	if within(out, dir) {
		return Packed{}, fmt.Errorf("%s would be inside the run's folder and be packed with it next time; "+
			"choose a place outside it with --out", out)
	}
	manifest, err := survey(dir)
	if err != nil {
		return Packed{}, err
	}
	temp, err := os.CreateTemp(filepath.Dir(out), ".pack-*")
	if err != nil {
		return Packed{}, fmt.Errorf("the archive cannot be written: %w", err)
	}
	defer func() {
		_ = temp.Close()
		_ = os.Remove(temp.Name())
	}()
	whole := sha256.New()
	buffered := bufio.NewWriterSize(temp, 1<<20)
	if err := write(io.MultiWriter(buffered, whole), dir, manifest, format); err != nil {
		return Packed{}, err
	}
	err = errors.Join(buffered.Flush(), temp.Sync())
	size, sizeErr := temp.Seek(0, io.SeekCurrent)
	if err := errors.Join(err, sizeErr, temp.Close()); err != nil {
		return Packed{}, fmt.Errorf("%s cannot be written: %w", out, err)
	}
	if most := DefaultLimits().allowed(size); manifest.Size() > most { // it could not be opened again
		return Packed{}, fmt.Errorf("%s cannot be written: the files are so repetitive that %d MiB would unpack from %d "+
			"bytes, as no real run does", out, manifest.Size()>>20, size)
	}
	if err := publish(temp.Name(), out); err != nil {
		return Packed{}, fmt.Errorf("%s cannot be written: %w", out, err)
	}
	return Packed{out, hex.EncodeToString(whole.Sum(nil)), size, len(manifest.Files), manifest.Size()}, nil
}

// within reports whether a file that is to be written would lie below a folder.
func within(file, dir string) bool {
	whole := func(path string) string {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
		path, _ = filepath.Abs(path)
		return path
	}
	relative, err := filepath.Rel(whole(dir), whole(filepath.Dir(file)))
	return err == nil && filepath.IsLocal(relative)
}

// publish gives a finished file its name, unless that was taken meanwhile.
func publish(temp, out string) error {
	err := os.Link(temp, out)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(out); err == nil { // some file systems have no links
		return fs.ErrExist
	}
	return os.Rename(temp, out)
}

func holdsRun(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("no recorded run: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a run's folder", dir)
	}
	for _, name := range runfolder.Records() {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "probes")); err == nil && len(entries) > 0 {
		return nil // a search for the capacity that was cut off: its probes have records
	}
	return fmt.Errorf("%s holds no recorded run: it has none of %s", dir, strings.Join(runfolder.Records(), ", "))
}

// survey lists the files of a run. Hidden ones are halves of files that a crash left, and no part of it.
func survey(dir string) (Manifest, error) {
	m := Manifest{Schema: Schema}
	limits, bytes := DefaultLimits(), int64(0)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := name != "." && strings.HasPrefix(path.Base(name), ".")
		local := filepath.Join(dir, filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file, which a run never has; remove it from the folder", local)
		}
		if err := safePath(name); err != nil {
			return fmt.Errorf("%w; remove it from the folder %s", err, dir)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		bytes += info.Size()
		if len(m.Files) >= limits.Files || bytes > limits.Bytes { // before much is read in vain
			return fmt.Errorf("it holds more than can be opened again, which is %d files with %d MiB; %s is where it "+
				"becomes too much", limits.Files, limits.Bytes>>20, local)
		}
		f := File{Path: name}
		f.Size, f.SHA256, err = f.copy(io.Discard, dir, math.MaxInt64)
		m.Files = append(m.Files, f)
		return err
	})
	if err != nil {
		return Manifest{}, fmt.Errorf("the run cannot be packed: %w", err)
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return m, nil
}

// copy writes a file of a run, at most so many bytes, and returns how many and their hash.
func (f File) copy(w io.Writer, dir string, most int64) (size int64, sum string, err error) {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(w, h), io.LimitReader(file, most))
	if more, _ := file.Read(make([]byte, 1)); more > 0 {
		size++
	}
	return size, hex.EncodeToString(h.Sum(nil)), err
}

// write writes the whole archive, seal included.
func write(w io.Writer, dir string, m Manifest, format Format) error {
	sum := sha256.New()
	packer, err := format.compress(io.MultiWriter(sum, w))
	if err != nil {
		return err
	}
	list, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	entries := tar.NewWriter(packer)
	if err := entries.WriteHeader(header(manifestName, int64(len(list)))); err != nil {
		return err
	}
	if _, err := entries.Write(list); err != nil {
		return err
	}
	for _, f := range m.Files {
		if err := entries.WriteHeader(header(prefix+f.Path, f.Size)); err != nil {
			return fmt.Errorf("the run cannot be packed: %w", err)
		}
		size, sum, err := f.copy(entries, dir, f.Size)
		if err == nil && (size != f.Size || sum != f.SHA256) {
			err = fmt.Errorf("%s changed while it was being packed; pack it after the run has ended",
				filepath.Join(dir, f.Path))
		}
		if err != nil {
			return fmt.Errorf("the run cannot be packed: %w", err)
		}
	}
	if err := errors.Join(entries.Close(), packer.Close()); err != nil {
		return err
	}
	_, err = w.Write(format.seal(sum.Sum(nil)))
	return err
}

func header(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: stamp}
}
