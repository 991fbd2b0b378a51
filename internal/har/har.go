// Package har writes the exchanges of a run to a HAR 1.2 file.
package har

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/gateassay/gateassay/internal/client"
)

// File is a HAR file that is valid JSON after each exchange. It is safe for concurrent use.
type File struct {
	mu   sync.Mutex
	file *os.File
	end  int64  // offset of the next entry, where the closing brackets are
	lead string // text before the next entry
	err  error
}

// maxBytesWithBodies is the file size above which entries have no bodies.
const maxBytesWithBodies = 60 << 20

const closingJSON = "\n]}}\n"

// Create creates the file, readable by its owner only. It fails when the file exists.
func Create(path, creator, version string) (*File, error) {
	head, err := json.Marshal(map[string]string{"name": creator, "version": version})
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	start := `{"log":{"version":"1.2","creator":` + string(head) + `,"entries":[`
	if _, err := f.WriteString(start + closingJSON); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &File{file: f, end: int64(len(start)), lead: "\n"}, nil
}

// Append writes one exchange. After an error it writes nothing and returns nil, so that a full
// disk is reported once and the run continues.
func (h *File) Append(x *client.Exchange) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil {
		return nil
	}
	e := entryOf(x)
	if h.end > maxBytesWithBodies {
		e.Request.PostData, e.Response.Content.Text = nil, ""
		if e.Comment != "" {
			e.Comment += "; "
		}
		e.Comment += fmt.Sprintf("the bodies are left out: this file holds %d MiB",
			maxBytesWithBodies>>20)
	}
	entry, err := json.Marshal(e)
	if err == nil {
		err = h.write(h.lead + string(entry))
	}
	h.lead, h.err = ",\n", err
	return err
}

func (h *File) write(entry string) error {
	if _, err := h.file.WriteAt([]byte(entry+closingJSON), h.end); err != nil {
		// Keep the existing entries readable.
		if _, truncateErr := h.file.WriteAt([]byte(closingJSON), h.end); truncateErr == nil {
			_ = h.file.Truncate(h.end + int64(len(closingJSON)))
		}
		return err
	}
	h.end += int64(len(entry))
	return nil
}

// Close closes the file.
func (h *File) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = os.ErrClosed
		return h.file.Close()
	}
	_ = h.file.Close()
	return nil
}
