package runfolder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// The most that is read of a file of a run, which may come from a stranger.
const (
	MaxRecordBytes = 32 << 20  // run.json, which is held in memory as a whole
	MaxProofBytes  = 256 << 20 // the exchanges of a load run, of which it keeps some of each kind
	MaxStreamBytes = 8 << 30   // what is read line by line

	maxRecordParts  = 40_000    // objects and lists of a record
	maxRecordValues = 1_000_000 // of all of them
)

// OpenBounded opens a file of a run to read it: a regular one of at most so many bytes. A pipe, a
// device or a folder is refused, since reading it may never end. Errors quote the name, which may
// hold anything.
func OpenBounded(path string, most int64) (*os.File, error) {
	refused := func(why string) error {
		return &fs.PathError{Op: "read", Path: strconv.Quote(path), Err: errors.New(why)}
	}
	// a pipe without a writer would block here
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) && strconv.Quote(path) != `"`+path+`"` {
			at.Path = strconv.Quote(path)
		}
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = refused("expected a regular file, found a folder, a pipe or a device")
	case info.Size() > most:
		err = refused(fmt.Sprintf("expected at most %d MiB, found %d", most>>20, info.Size()>>20))
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// ReadBounded is OpenBounded for the whole of a file.
func ReadBounded(path string, most int64) ([]byte, error) {
	file, err := OpenBounded(path, most)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// LimitedReader ends what a decoder reads once it has given so many bytes. A decoder keeps what it
// reads of a value, or a number for each bracket, until it has the whole.
type LimitedReader struct {
	From      io.Reader
	Remaining int
}

func (r *LimitedReader) Read(p []byte) (int, error) {
	if r.Remaining <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := r.From.Read(p[:min(len(p), r.Remaining)])
	r.Remaining -= n
	return n, err
}

// ReadRecord is ReadBounded for run.json.
func ReadRecord(path string) ([]byte, error) {
	data, err := ReadBounded(path, MaxRecordBytes)
	if err == nil {
		if err = CheckRecordSize(data); err != nil {
			err = &fs.PathError{Op: "read", Path: strconv.Quote(path), Err: err}
		}
	}
	return data, err
}

// CheckRecordSize refuses a record of very many parts: each takes far more memory once it is read
// than in the file.
func CheckRecordSize(data []byte) error {
	_, parts, values := MeasureJSON(data)
	switch {
	case parts > maxRecordParts:
		return fmt.Errorf("expected at most %d objects and lists, found %d", maxRecordParts, parts)
	case values > maxRecordValues:
		return fmt.Errorf("expected at most %d values, found %d", maxRecordValues, values)
	}
	return nil
}

// MeasureJSON returns how deep JSON is nested, how many objects and lists it has, and how many
// commas between values. It takes anything, also what only looks like JSON.
func MeasureJSON(data []byte) (depth, parts, commas int) {
	open, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			text = !text
		case text && c == '\\':
			i++ // whatever is escaped ends no text
		case text:
		case c == '{', c == '[':
			parts++
			open++
			depth = max(depth, open)
		case c == '}', c == ']':
			open--
		case c == ',':
			commas++
		}
	}
	return depth, parts, commas
}
