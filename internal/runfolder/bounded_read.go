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

// Limits on reading the files of a run, which may come from a stranger.
const (
	maxRecordBytes = 32 << 20  // run.json, which is held in memory
	MaxProofBytes  = 256 << 20 // the exchanges of a load run, a sample of each kind
	MaxStreamBytes = 8 << 30   // files that are read line by line

	maxRecordParts  = 40_000    // objects and lists in a record
	maxRecordValues = 1_000_000 // values in a record
)

// OpenBounded opens a regular file of at most most bytes for reading. It refuses pipes, devices
// and folders, because reading them may never end. Errors quote the path, which may hold
// anything.
func OpenBounded(path string, most int64) (*os.File, error) {
	refused := func(why string) error {
		return &fs.PathError{Op: "read", Path: strconv.Quote(path), Err: errors.New(why)}
	}
	// without O_NONBLOCK, a pipe without a writer would block
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

// ReadBounded reads a whole file with the checks of OpenBounded.
func ReadBounded(path string, most int64) ([]byte, error) {
	file, err := OpenBounded(path, most)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// LimitedReader fails after Remaining bytes. Otherwise a decoder would buffer a value of any
// size.
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

// ReadRecord reads run.json with the checks of ReadBounded and CheckRecordSize.
func ReadRecord(path string) ([]byte, error) {
	data, err := ReadBounded(path, maxRecordBytes)
	if err == nil {
		if err = CheckRecordSize(data); err != nil {
			err = &fs.PathError{Op: "read", Path: strconv.Quote(path), Err: err}
		}
	}
	return data, err
}

// CheckRecordSize refuses a record of too many parts, which take far more memory than their text.
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

// MeasureJSON returns the depth of JSON, the number of its objects and lists, and the number of
// commas between values. The JSON need not be valid.
func MeasureJSON(data []byte) (depth, parts, commas int) {
	open, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			text = !text
		case text && c == '\\':
			i++ // an escaped character ends no text
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
