// Package survey asks a deployment for what the API document leaves open and a deployment file has to say: how files
// are fetched, what they look like, how headers are named. It returns what it observed, and nothing else.
package survey

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// MostRequests bounds how many requests one survey sends.
const MostRequests = 60

// Result is what a survey observed.
type Result struct {
	Settings []deployment.Setting
	Missing  []string         // what was looked for and not found, each with what to do
	Obstacle *doctor.Obstacle // why nothing could be asked; nil: it could
	Sent     int
	Created  int // legal representatives
}

type survey struct {
	dep    *deployment.File
	t      *target.Target
	result Result
}

// Ask asks a deployment. Where the deployment file gives a shareholder, one legal representative is created. The file
// is changed to what was found, so that c can fetch files.
func Ask(ctx context.Context, dep *deployment.File, c *client.Client) Result {
	s := &survey{dep: dep, t: target.New(dep, c, 1)}
	if x := s.export(ctx); x != nil {
		s.headers(ctx)
		s.creation(ctx)
		s.file(ctx, x)
	}
	s.result.Sent, s.result.Created = c.Stats().Sent, len(c.Created())
	return s.result
}

// left reports whether one more request may be sent.
func (s *survey) left(ctx context.Context) bool {
	return ctx.Err() == nil && s.t.Client.Stats().Sent < MostRequests
}

func (s *survey) add(key, value, comment string) {
	comment = printable.Clean(strings.Join(strings.Fields(s.t.Client.Redactor().Text(comment)), " "))
	s.result.Settings = append(s.result.Settings, deployment.Setting{Key: key, Value: value, Comment: comment})
}

func (s *survey) missing(format string, args ...any) {
	s.result.Missing = append(s.result.Missing, fmt.Sprintf(format, args...))
}

// export starts an export of everything, else of a month, and returns what was accepted; nil: nothing was.
func (s *survey) export(ctx context.Context) *client.Exchange {
	x := s.t.StartExport(ctx, func() target.ExportCall { return s.t.Export("export of everything", nil) })
	if x.Refusal() && x.Status != http.StatusUnauthorized && x.Status != http.StatusNotFound {
		if again := s.t.StartExport(ctx, func() target.ExportCall {
			return s.t.Export("export of a few minutes", s.t.Unique("survey"))
		}); again.Success() {
			x = again
		}
	}
	s.result.Obstacle = doctor.Obstruct(s.dep, []*client.Exchange{x}, nil)
	if s.result.Obstacle == nil && !x.Success() {
		s.result.Obstacle = doctor.Refused(x)
	}
	if s.result.Obstacle != nil {
		return nil
	}
	s.add("export.path", s.dep.Export.Path, "observed: an export gets "+status(x))
	return x
}

// creation tries the shareholder.
func (s *survey) creation(ctx context.Context) {
	if s.dep.Fixtures.ShareholderID == "" || !s.left(ctx) {
		return
	}
	valid, err := control.New(spec.New(spec.Options{}), s.t).Creation.Get(ctx)
	if err != nil {
		s.missing("a creation for this shareholder was not accepted; gateassay doctor says why")
		return
	}
	text := "observed: a creation gets " + status(valid.Exchange)
	if spelling := s.t.Spelling(); spelling != "" {
		text += ", " + spelling
	}
	s.add("legal_representative.path", s.dep.LegalRepresentative.Path, text)
}

func status(x *client.Exchange) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status)))
}
