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
	"github.com/gateassay/gateassay/suites/target"
)

const (
	fewestQuotes = 20     // that a window has to hold
	mostQuotes   = 20_000 // of a file that are looked at
)

// probe asks a deployment for what both questions rest on.
type probe struct {
	dep *deployment.File
	t   *target.Target
}

// export starts a small export whose request may be changed.
func (p *probe) export(ctx context.Context, label string, change func(*target.Request)) *client.Exchange {
	return p.t.Send(ctx, func() target.Request {
		r := p.t.NewValid(client.Export, label)
		change(&r)
		return r
	})
}

// file is the file of an export, as far as it could be read.
type file struct {
	*statement.Statement
	*statement.Table
	took time.Duration
}

// file fetches the file of an export and reads it.
func (p *probe) file(ctx context.Context, x *client.Exchange) (f file, err error) {
	id, ok := target.FileID(x)
	if !x.Success() || !ok {
		return f, fmt.Errorf("an export got %s without a file_id", target.DescribeAnswer(x))
	}
	csv := p.dep.Export.CSV
	var zone *time.Location
	if csv.TimeZone != "" {
		zone, _ = time.LoadLocation(csv.TimeZone) // the deployment file was refused if this failed
	}
	var broken, alien error
	got, err := p.t.Client.FetchWith(ctx, id, p.dep.Credentials.Main(), client.FetchOptions{Read: func(r io.Reader) error {
		f.Statement, f.Table, broken, alien = statement.Read(r, csv.Columns, zone, mostQuotes)
		return nil
	}})
	f.took = got.Took
	return f, cmp.Or(err, broken, alien)
}

// columns lists the columns of a file that rules need, by their keys in the deployment file.
func columns() []statement.Key {
	return []statement.Key{
		statement.ID, statement.ClientID, statement.WalletID, statement.CreatedAt, statement.SettledDate,
	}
}
