package doctor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	minQuotes = 20     // minimum of quotes in a window
	maxQuotes = 20_000 // maximum of quotes read from a file
)

// deploymentProbe sends the requests that Examine and Propose have in common.
type deploymentProbe struct {
	deployment *deployment.File
	target     *target.Target
}

// startExport starts a small export after change edited its request.
func (p *deploymentProbe) startExport(
	ctx context.Context, label string, change func(*target.Request),
) *client.Exchange {
	return p.target.Send(ctx, func() target.Request {
		r := p.target.NewValid(client.OperationExport, label)
		change(&r)
		return r
	})
}

// exportFile is the file of an export, as far as it is readable.
type exportFile struct {
	*statement.Statement
	*statement.Table
	duration time.Duration
}

func (p *deploymentProbe) fetchFile(
	ctx context.Context, x *client.Exchange,
) (f exportFile, err error) {
	id, ok := answers.FileID(x)
	if !x.IsSuccess() || !ok {
		return f, fmt.Errorf("an export got %s without a file_id", answers.Describe(x))
	}
	var fileErr, columnErr error
	got, err := p.target.Client.FetchFile(ctx, id, p.deployment.Credentials.Main(),
		client.FetchOptions{Read: func(r io.Reader) error {
			f.Statement, f.Table, fileErr, columnErr = statement.Read(r, p.deployment.Export.CSV, maxQuotes)
			return nil
		}})
	f.duration = got.Took
	return f, cmp.Or(err, fileErr, columnErr)
}

// requiredColumns returns the columns that rules need, by their keys in the deployment file.
func requiredColumns() []statement.ColumnKey {
	return []statement.ColumnKey{
		statement.ColumnID, statement.ColumnClientID, statement.ColumnWalletID, statement.ColumnCreatedAt,
		statement.ColumnSettledDate,
	}
}
