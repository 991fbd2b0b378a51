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
	"os"
	"path/filepath"
	"syscall"
)

// Damage reports an archive that is not what was packed, or that asks for what no archive of a run holds.
type Damage struct {
	Path string
	Err  error
}

func (d *Damage) Error() string { return fmt.Sprintf("%s cannot be trusted: %v", d.Path, d.Err) }

// Unwrap gives the reason.
func (d *Damage) Unwrap() error { return d.Err }

// Verify reads a whole archive and holds every byte against the hashes in it. A *Damage says what does not match, with
// the file of the run when that is known. The manifest is whole in both cases, or empty.
func Verify(name string) (Manifest, error) {
	return open(name, func(file *os.File) (Manifest, error) { return readFile(file, DefaultLimits(), nil) })
}

// keep takes the content of a file of the run.
type keep func(f File, content io.Reader) error

// open opens an archive by its name to read it.
func open(name string, read func(*os.File) (Manifest, error)) (Manifest, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer would block here
	if err != nil {
		return Manifest{}, fmt.Errorf("the archive cannot be read: %w", err)
	}
	defer file.Close()
	return read(file)
}

// readFile reads an opened archive, whose name says its format.
func readFile(file *os.File, l Limits, take keep) (Manifest, error) {
	name := file.Name()
	format, ok := FormatOf(name)
	if !ok {
		return Manifest{}, fmt.Errorf("%s: expected an archive with a name that ends in %s or %s", name, Zstd, Gzip)
	}
	info, err := file.Stat()
	if err != nil {
		return Manifest{}, err
	}
	if !info.Mode().IsRegular() {
		return Manifest{}, fmt.Errorf("%s is not an archive: it is not a regular file", name)
	}
	sealed := format.checkSeal(file, info.Size())
	if sealed != nil && take != nil {
		return Manifest{}, &Damage{name, fmt.Errorf("%w; run report verify for details", sealed)}
	}
	m, err := contents(format, io.NewSectionReader(file, 0, info.Size()), l, info.Size(), take)
	switch {
	case errors.Is(sealed, errSeal):
		err = &Damage{name, format.diagnose(file, info.Size(), len(m.Files) > 0, err)}
	case sealed != nil:
		err = &Damage{name, sealed}
	case err != nil:
		err = &Damage{name, err}
	}
	return m, err
}

// contents reads the entries in their order, each as the manifest promises it, and nothing else.
func contents(format Format, r io.Reader, l Limits, size int64, take keep) (Manifest, error) {
	expanded, err := format.expand(bufio.NewReaderSize(r, 1<<20))
	if err != nil {
		return Manifest{}, err
	}
	defer expanded.Close()
	// Headers and padding are not in the manifest, but count: two KiB for each file is more than they take.
	plain := &limit{r: expanded, left: l.allowed(size) + l.Manifest + int64(l.Files)*2048}
	entries := tar.NewReader(plain)
	m, err := readManifest(entries, l)
	if err != nil {
		return Manifest{}, err
	}
	if err := m.check(l, size); err != nil {
		return Manifest{}, err
	}
	for _, f := range m.Files {
		if err := next(entries, prefix+f.Path, f.Size); err != nil {
			return m, err
		}
		h := sha256.New()
		content := io.TeeReader(entries, h)
		if take != nil {
			err = take(f, content)
		}
		if _, rest := io.Copy(io.Discard, content); err == nil {
			err = rest
		}
		if err != nil {
			return m, fmt.Errorf("%s: %w", f.Path, err)
		}
		if found := hex.EncodeToString(h.Sum(nil)); found != f.SHA256 {
			return m, fmt.Errorf("%s has the SHA-256 hash %s; the manifest says %s", f.Path, found, clip(f.SHA256))
		}
	}
	if extra, err := entries.Next(); err == nil {
		return m, fmt.Errorf("it holds %q, which its manifest does not list", clip(extra.Name))
	} else if !errors.Is(err, io.EOF) {
		return m, fmt.Errorf("it does not end like an archive: %w", err)
	}
	if n, err := io.Copy(io.Discard, plain); err != nil || n > 0 {
		return m, errAfter
	}
	return m, nil
}

func readManifest(entries *tar.Reader, l Limits) (Manifest, error) {
	if err := next(entries, manifestName, -1); err != nil {
		return Manifest{}, err
	}
	data, err := io.ReadAll(io.LimitReader(entries, l.Manifest+1))
	if err != nil {
		return Manifest{}, fmt.Errorf("its manifest cannot be read: %w", err)
	}
	if int64(len(data)) > l.Manifest {
		return Manifest{}, fmt.Errorf("its manifest is larger than %d MiB", l.Manifest>>20)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, fmt.Errorf("its manifest cannot be read: %w", err)
	}
	return m, nil
}

// next expects one entry: a regular file of a name and, unless -1, a size.
func next(entries *tar.Reader, name string, size int64) error {
	h, err := entries.Next()
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s is missing", name)
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w", name, err)
	case h.Name != name:
		return fmt.Errorf("expected the file %s, found %q", name, clip(h.Name))
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("%s is not a regular file", name)
	case size >= 0 && h.Size != size:
		return fmt.Errorf("%s has %d bytes; the manifest says %d", name, h.Size, size)
	}
	return nil
}

// limit ends a stream that gives more than was allowed.
type limit struct {
	r    io.Reader
	left int64
}

func (l *limit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		if n, err := l.r.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, errors.New("it unpacks to more than is allowed")
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// Open gives the folder that a path stands for: of an archive a temporary one, which done removes, else the path
// itself. An archive is unpacked only where all of its bytes match its seal, and never outside of that folder.
func Open(name string) (dir string, done func(), err error) {
	none := func() {}
	info, err := os.Stat(name)
	if _, archived := FormatOf(name); !archived || err != nil || info.IsDir() {
		return name, none, nil // what is wrong with it is for the reader of the run to say
	}
	temp, err := os.MkdirTemp("", "gateassay-run-*")
	if err != nil {
		return "", none, fmt.Errorf("the archive cannot be unpacked: %w", err)
	}
	done = func() { _ = os.RemoveAll(temp) }
	if err := unpack(name, temp, DefaultLimits()); err != nil {
		done()
		return "", none, err
	}
	return temp, done, nil
}

// Peek reads a whole archive and gives its manifest and one file of the run, nil where it has no such file. It takes at
// most so many bytes of it. file is left open; the end of its name says the format.
func Peek(file *os.File, l Limits, name string, most int64) (m Manifest, data []byte, err error) {
	m, err = readFile(file, l, func(f File, content io.Reader) error {
		if f.Path != name {
			return nil
		}
		if f.Size > most {
			return fmt.Errorf("it is larger than %d MiB", most>>20)
		}
		var err error
		data, err = io.ReadAll(content)
		return err
	})
	return m, data, err
}

// unpack writes the files of an archive into the folder dir, which exists and is empty. On an error dir may hold a
// part.
func unpack(name, dir string, l Limits) error {
	_, err := open(name, func(file *os.File) (Manifest, error) { return UnpackFile(file, dir, l) })
	return err
}

// UnpackFile is unpack for an archive that is open already and is left so; it says what it wrote.
func UnpackFile(file *os.File, dir string, l Limits) (Manifest, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Manifest{}, fmt.Errorf("the archive cannot be unpacked: %w", err)
	}
	defer root.Close()
	return readFile(file, l, func(f File, content io.Reader) error {
		local := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
			return err
		}
		file, err := root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	})
}
