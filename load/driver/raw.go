package driver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/traffic"
)

// Stdout as the name of a raw file is the standard output.
const Stdout = "-"

// raw writes the results of vegeta's Attacker as vegeta attack would, but for the bodies and heads of answers.
type raw struct {
	file   io.Closer
	out    *bufio.Writer
	encode vegeta.Encoder
	clean  func(string) string
	err    error
}

// keepRaw opens the file of raw results where one is asked for.
func (r *run) keepRaw() error {
	switch {
	case r.o.Raw == "":
		return nil
	case r.plan.Engine != plan.Vegeta:
		return fmt.Errorf("--raw: only --engine vegeta has vegeta's results")
	}
	file := os.Stdout
	if r.o.Raw != Stdout {
		var err error
		if file, err = os.Create(r.o.Raw); err != nil {
			return fmt.Errorf("--raw: %w", err)
		}
	}
	r.raw = &raw{file: file, out: bufio.NewWriter(file), clean: r.client.Redactor().Text}
	r.raw.encode = vegeta.NewEncoder(r.raw.out)
	return nil
}

func (w *raw) add(x vegeta.Result) {
	x.Body, x.Headers, x.URL, x.Error = nil, nil, w.clean(x.URL), w.clean(x.Error)
	if w.err == nil {
		w.err = w.encode(&x)
	}
}

func (w *raw) close() error {
	if w == nil {
		return nil
	}
	if err := errors.Join(w.err, w.out.Flush(), w.file.Close()); err != nil {
		return fmt.Errorf("--raw: %w", err)
	}
	return nil
}

// Targets writes the requests of a run in vegeta's JSON format, one a line, credentials only where they are asked for.
// Errors are those of Run, and of writing.
func Targets(ctx context.Context, o Options, out io.Writer, credentials bool) error {
	r, err := aim(ctx, o)
	defer r.close()
	if err != nil {
		return &UsageError{err}
	}
	w := bufio.NewWriter(out)
	encode, cursor, request := vegeta.NewJSONTargetEncoder(w), r.share.Cursor(), &traffic.Request{}
	for k, _, ok := cursor.Next(); ok && ctx.Err() == nil; k, _, ok = cursor.Next() {
		r.traffic.Fill(k, request)
		header := r.target.Header.Clone()
		set := func(name, value string) { header[name] = []string{value} }
		request.EachHeader(set)
		if n := int64(len(r.target.Identities)); credentials && n > 0 {
			set(r.target.Identities[request.Of%n].Header())
		}
		target := vegeta.Target{Method: http.MethodPost, URL: r.target.URL.String(), Header: header, Body: request.Body}
		if err := encode(&target); err != nil {
			return err
		}
	}
	return errors.Join(ctx.Err(), w.Flush())
}
