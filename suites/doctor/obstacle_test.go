package doctor_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/doctor"
)

// What leaves something to judge is not an obstacle.
func TestObstacles(t *testing.T) {
	const stale = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2lnbmF0dXJlLW9mLW5vYm9keQ"
	token := func(value string) *deployment.Credential {
		return &deployment.Credential{Name: "platform_token", Method: deployment.Bearer, Value: value}
	}
	key := &deployment.Credential{Name: "api_key", Method: deployment.APIKey, Value: "abcdefgh12345678"}
	opaque := deployment.Credentials{PlatformToken: token("main-token-0123456789")}
	answer := func(op client.Operation, status int) *client.Exchange {
		return &client.Exchange{
			Operation: op, Status: status, Header: http.Header{"Location": {"https://login.example/in/main-token-0123456789"}},
			Recorded: client.Record{
				URL:            "http://gateway/" + string(op),
				ResponseHeader: http.Header{"Location": {"https://login.example/in/[redacted]?token=redacted"}},
				ResponseBody:   []byte(`{"message":"in its\n own words"}`),
			},
		}
	}
	page := func(op client.Operation) *client.Exchange {
		x := answer(op, 200)
		x.Header = http.Header{"Content-Type": {"text/html"}}
		return x
	}
	lost := func(kind client.TroubleKind, detail string) *client.Exchange {
		return &client.Exchange{Operation: client.Export, Err: &client.Trouble{Kind: kind, Detail: detail}}
	}
	both := func(export, create int) []*client.Exchange {
		return []*client.Exchange{answer(client.Export, export), answer(client.Create, create)}
	}
	beside := deployment.Credentials{PlatformToken: opaque.PlatformToken, APIKey: key}
	expired := deployment.Credentials{PlatformToken: token(stale), APIKey: key}
	export := func(kind client.TroubleKind, detail string) []*client.Exchange {
		return []*client.Exchange{lost(kind, detail)}
	}
	for name, c := range map[string]struct {
		credentials deployment.Credentials
		answers     []*client.Exchange
		key         *client.Exchange
		says        string // parts, separated by |; empty: nothing is in the way
	}{
		"refused twice": {
			opaque, both(401, 401), nil,
			"credentials.platform_token was refused|401 Unauthorized: in its own words|its value",
		},
		"refused once":        {opaque, both(401, 201), nil, ""},
		"an API key is there": {beside, both(401, 401), nil, "credentials.platform_token was refused:|its value"},
		"the API key is accepted": {
			beside, both(401, 401), answer(client.Export, 200),
			"credentials.platform_token was refused:|credentials.api_key is accepted|uses it alone",
		},
		"the key is refused": {
			deployment.Credentials{APIKey: key}, both(401, 401), nil, "credentials.api_key was refused",
		},
		"the key was refused as well": {
			beside, both(401, 401), answer(client.Export, 401),
			"credentials.platform_token and credentials.api_key were refused",
		},
		"expired":              {expired, both(401, 401), nil, "expired on 2023-11-14 22:13 UTC|fresh token"},
		"expired and accepted": {expired, both(200, 201), nil, ""},
		"no paths": {
			opaque, both(404, 405), nil,
			"http://gateway/export nor at http://gateway/create|404 Not Found|legal_representative.path and export.path",
		},
		"one path":             {opaque, both(404, 201), nil, ""},
		"a path and a refusal": {opaque, both(404, 401), nil, ""},
		"only an export, 404":  {opaque, both(404, 0)[:1], nil, "check base_url and export.path"},
		"only a creation, 404": {opaque, both(0, 404)[1:], nil, ""},
		"redirected":           {opaque, both(302, 302), nil, "to https://login.example/in/|302 Found|a login page"},
		"a proxy":              {opaque, both(407, 407), nil, "A proxy between here and http://gateway asks|407"},
		"one redirected":       {opaque, both(302, 201), nil, ""},
		"an export redirected": {opaque, both(302, 0)[:1], nil, ""},
		"forbidden": {
			opaque, both(403, 403), nil, "credentials.platform_token may neither start exports nor create|give a credential",
		},
		"one forbidden": {opaque, both(403, 201), nil, ""},
		"out of order":  {opaque, both(500, 503), nil, ""},
		"bad requests":  {opaque, both(400, 422), nil, ""},
		"accepted":      {opaque, both(200, 201), nil, ""},
		"web pages": {
			opaque, []*client.Exchange{page(client.Export), page(client.Create)}, nil, "A web page answers|base_url",
		},
		"one web page": {opaque, []*client.Exchange{page(client.Export), answer(client.Create, 201)}, nil, ""},
		"closed": {
			opaque, export(client.Refused, ""), nil, "No connection to http://gateway|No answer|nothing listens there",
		},
		"no TLS": {
			opaque, export(client.BadTLS, "first record does not look like a TLS handshake"), nil,
			"No TLS connection|write http",
		},
		"unknown authority":    {opaque, export(client.BadTLS, "x509: unknown authority"), nil, "tls.ca_file"},
		"slow":                 {opaque, export(client.TimedOut, ""), nil, ""},
		"one was not answered": {opaque, []*client.Exchange{answer(client.Export, 401), nil}, nil, ""},
		"closed for one of two": {
			opaque, []*client.Exchange{answer(client.Export, 200), lost(client.Refused, "")}, nil, "",
		},
		"nothing was sent": {opaque, nil, nil, ""},
	} {
		o := doctor.Obstruct(&deployment.File{BaseURL: "http://gateway", Credentials: c.credentials}, c.answers, c.key)
		if (o == nil) != (c.says == "") {
			t.Errorf("%s: %+v", name, o)
		}
		if o == nil {
			continue
		}
		lines := o.Lines()
		for says := range strings.SplitSeq(c.says, "|") {
			if !strings.Contains(lines, says) || strings.Contains(lines, "main-token") || strings.Count(lines, "\n") != 3 {
				t.Errorf("%s: three lines with %q and without a credential expected, found\n%s", name, says, lines)
			}
		}
	}
}

// What never got more than a server error, or no answer, in both operations cannot be judged.
func TestOutOfOrder(t *testing.T) {
	dep := &deployment.File{BaseURL: "http://gateway"}
	failed, lost := &client.Exchange{Status: 503}, &client.Exchange{Err: &client.Trouble{Kind: client.Reset}}
	for says, answers := range map[string][]*client.Exchange{
		"out of order: nothing can be tested.\nIt answered 503": {failed, lost},
		"No valid request got an answer from http://gateway":    {lost, failed},
		"": {failed, {Status: 400}},
	} {
		o := doctor.OutOfOrder(dep, answers)
		if (o == nil) != (says == "") || o != nil && !strings.Contains(o.Lines(), says) {
			t.Errorf("%q: %+v", says, o)
		}
	}
	if o := doctor.OutOfOrder(dep, []*client.Exchange{failed}); o != nil {
		t.Errorf("one operation alone: %+v", o)
	}
}

// An export that was answered as if accepted was not refused, and a timeout is raised where it was set.
func TestOneExportThatIsNotAccepted(t *testing.T) {
	slow := &client.Trouble{Kind: client.TimedOut, Detail: "no complete answer within the plan's timeout (30s)"}
	for says, x := range map[string]*client.Exchange{
		"A valid export was refused":                         {Status: http.StatusBadRequest},
		"A valid export was answered with something else":    {Status: http.StatusAccepted},
		"check the route (VPN, firewall), or raise the plan": {Err: slow},
	} {
		if lines := doctor.Refused(x).Lines(); !strings.Contains(lines, says) {
			t.Errorf("%q is not in\n%s", says, lines)
		}
	}
}
