package results

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// rawWriter writes results in vegeta's own encoding, which vegeta report and vegeta plot read.
type rawWriter struct {
	redactor Redactor

	mu      sync.Mutex
	file    *os.File
	buffer  *bufio.Writer
	encoder vegeta.Encoder
	err     error
}

func newRawWriter(dir string, redactor Redactor) (*rawWriter, error) {
	file, err := os.OpenFile(filepath.Join(dir, RawName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write raw results: %w", err)
	}
	w := &rawWriter{redactor: redactor, file: file, buffer: bufio.NewWriterSize(file, 64<<10)}
	w.encoder = vegeta.NewEncoder(w.buffer)
	return w, nil
}

// write appends a result, without its body and headers, and with a redacted error: those may hold secrets.
func (w *rawWriter) write(r *vegeta.Result) {
	bare := *r
	bare.Body, bare.Headers = nil, nil
	if w.redactor != nil {
		bare.Error = w.redactor.Text(bare.Error)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = w.encoder.Encode(&bare)
	}
}

func (w *rawWriter) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.buffer.Flush(); w.err == nil && err != nil {
		w.err = err
	}
	if w.err != nil {
		return fmt.Errorf("cannot write raw results: %w", w.err)
	}
	return nil
}

func (w *rawWriter) close() error { return errors.Join(w.flush(), w.file.Close()) }
