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

// keepRaw opens the file of raw results where one is asked for: what vegeta attack would write, but for the bodies and heads
// of answers.
func (r *run) keepRaw() (err error) {
	switch {
	case r.o.Raw == "":
		return nil
	case r.plan.Engine != plan.Vegeta:
		return errors.New("--raw: only --engine vegeta has vegeta's results")
	}
	file := os.Stdout
	if r.o.Raw != Stdout {
		if file, err = os.Create(r.o.Raw); err != nil {
			return fmt.Errorf("--raw: %w", err)
		}
	}
	out, clean := bufio.NewWriter(file), r.client.Redactor().Text
	encode, failed := vegeta.NewEncoder(out), error(nil)
	r.raw = func(x vegeta.Result) {
		x.Body, x.Headers, x.URL, x.Error = nil, nil, clean(x.URL), clean(x.Error)
		if failed == nil {
			failed = encode(&x)
		}
	}
	r.endRaw = func() error { return errors.Join(failed, out.Flush(), file.Close()) }
	return nil
}

// Targets writes the requests of a run in vegeta's JSON format, one a line, credentials only where they are asked for.
// Errors are those of Run, and of writing.
func Targets(ctx context.Context, o Options, out io.Writer, credentials bool) error {
	r, err := prepare(ctx, o, (*run).layOut, (*run).reach)
	if err != nil {
		return err
	}
	defer r.close()
	w := bufio.NewWriter(out)
	encode, cursor, request := vegeta.NewJSONTargetEncoder(w), r.share.Cursor(), &traffic.Request{}
	for k, _, ok := cursor.Next(); ok && err == nil && ctx.Err() == nil; k, _, ok = cursor.Next() {
		r.traffic.Fill(k, request)
		header := r.target.Header.Clone()
		set := func(name, value string) { header[name] = []string{value} }
		request.EachHeader(set)
		if n := int64(len(r.target.Identities)); credentials && n > 0 {
			set(r.target.Identities[request.Of%n].Header())
		}
		err = encode(&vegeta.Target{Method: http.MethodPost, URL: r.target.URL.String(), Header: header, Body: request.Body})
	}
	return errors.Join(err, ctx.Err(), w.Flush())
}
