package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/traffic"
)

// Stdout is the name of a raw file that stands for standard output.
const Stdout = "-"

// vegetaResults writes results as vegeta attack does, without the headers and bodies of answers.
type vegetaResults struct {
	file   *os.File // nil: no results are written
	encode vegeta.Encoder
	clean  func(string) string
	err    error
}

func (w *vegetaResults) open(r *loadRun) (err error) {
	switch {
	case r.o.Raw == "":
		return nil
	case r.o.Raw == Stdout:
		w.file = os.Stdout
	default:
		if w.file, err = os.Create(r.o.Raw); err != nil {
			return fmt.Errorf("--raw: %w", err)
		}
	}
	w.clean = r.client.Redactor().Text
	w.encode = vegeta.NewEncoder(w.file) // unbuffered: a killed run leaves whole results
	return nil
}

func (w *vegetaResults) record(x vegeta.Result) {
	if w.err == nil {
		x.Body, x.Headers, x.URL, x.Error = nil, nil, w.clean(x.URL), w.clean(x.Error)
		w.err = w.encode(&x)
	}
}

func (w *vegetaResults) close() error {
	if w.file == nil {
		return nil
	}
	return errors.Join(w.err, w.file.Close())
}

// WriteTargets writes the requests of a run in vegeta's JSON target format, one per line.
// Credentials are included only if credentials is set. It returns the same errors as Run, those
// of ctx and write errors.
func WriteTargets(ctx context.Context, o Options, out io.Writer, credentials bool) error {
	r, err := newRun(ctx, o)
	if err != nil {
		return err
	}
	defer r.close()
	w := bufio.NewWriter(out)
	encode, cursor, request := vegeta.NewJSONTargetEncoder(w), r.share.NewCursor(), &traffic.Request{}
	for err == nil && ctx.Err() == nil {
		k, _, ok := cursor.Next()
		if !ok {
			break
		}
		r.traffic.Fill(k, request)
		header := r.target.Header.Clone()
		set := func(name, value string) { header[name] = []string{value} }
		request.EachHeader(set)
		if n := int64(len(r.target.Identities)); credentials && n > 0 {
			set(r.target.Identities[request.Of%n].Header())
		}
		err = encode(&vegeta.Target{
			Method: http.MethodPost, URL: r.target.URL.String(), Header: header, Body: request.Body,
		})
	}
	return errors.Join(err, ctx.Err(), w.Flush())
}
