package results

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// rawWriter writes results in vegeta's own encoding, which vegeta report and vegeta plot read. An error is kept. nil
// writes nothing.
type rawWriter struct {
	redactor Redactor

	mu      sync.Mutex
	file    *os.File
	buffer  *bufio.Writer
	encoder vegeta.Encoder
	err     error
}

func newRawWriter(dir string, redactor Redactor) (*rawWriter, error) {
	file, err := create(dir, RawName)
	if err != nil {
		return nil, fmt.Errorf("cannot write raw results: %w", err)
	}
	buffer := bufio.NewWriterSize(file, 64<<10)
	return &rawWriter{redactor: redactor, file: file, buffer: buffer, encoder: vegeta.NewEncoder(buffer)}, nil
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

func (w *rawWriter) flush() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, w.buffer.Flush())
}

func (w *rawWriter) close() error {
	if w == nil {
		return nil
	}
	w.flush()
	if err := errors.Join(w.err, w.file.Close()); err != nil {
		return fmt.Errorf("cannot write raw results: %w", err)
	}
	return nil
}
