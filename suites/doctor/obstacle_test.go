package doctor_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/doctor"
)

func answer(op client.Operation, status int) *client.Exchange {
	return &client.Exchange{
		Operation: op, Status: status,
		Header: http.Header{"Location": {"https://login.example/in/main-token-0123456789"}},
		Recorded: client.Record{
			URL:            "http://gateway/" + string(op),
			ResponseHeader: http.Header{"Location": {"https://login.example/in/[redacted]?token=redacted"}},
			ResponseBody:   []byte(`{"message":"in its\n own words"}`),
		},
	}
}

// Answers that leave something to judge are no obstacle.
func TestObstacles(t *testing.T) {
	const stale = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2lnbmF0dXJlLW9mLW5vYm9keQ"
	token := func(value string) *deployment.Credential {
		return &deployment.Credential{Name: "platform_token", Method: deployment.AuthBearer, Value: value}
	}
	key := &deployment.Credential{
		Name:   "api_key",
		Method: deployment.AuthAPIKey,
		Value:  "abcdefgh12345678",
	}
	opaque := deployment.Credentials{PlatformToken: token("main-token-0123456789"), APIKey: key}
	expired := deployment.Credentials{PlatformToken: token(stale), APIKey: key}
	keyOnly := deployment.Credentials{APIKey: key}
	lost := func(kind client.TroubleKind, detail string) []*client.Exchange {
		return []*client.Exchange{
			{Operation: client.OperationExport, Err: &client.Trouble{Kind: kind, Detail: detail}},
		}
	}
	both := func(export, create int) []*client.Exchange {
		return []*client.Exchange{
			answer(client.OperationExport, export),
			answer(client.OperationCreate, create),
		}
	}
	noProxy := lost(client.TroubleProxy, "the proxy p:3128 answered 403 Forbidden")
	noProxy[0].Err.Proxy = &client.ProxyError{Proxy: "p:3128", Status: http.StatusForbidden}
	pages := both(200, 200)
	for _, x := range pages {
		x.Header = http.Header{"Content-Type": {"text/html"}}
	}
	for name, c := range map[string]struct {
		answers     []*client.Exchange
		says        string                 // parts, separated by |; empty: no obstacle
		credentials deployment.Credentials // default: opaque ones
	}{
		"refused twice": {answers: both(401, 401), says: "credentials.platform_token was " +
			"refused:|401 Unauthorized: in its own words|its value"},
		"refused once": {answers: both(401, 201)},
		"the key alone": {answers: both(401,
			401), credentials: keyOnly, says: "credentials.api_key was refused:"},
		"expired": {answers: both(401,
			401), credentials: expired, says: "expired on 2023-11-14 22:13 UTC|fresh token"},
		"expired and accepted": {answers: both(200, 201), credentials: expired},
		"no paths": {answers: both(404, 405), says: "http://gateway/export|404 Not " +
			"Found|legal_representative.path"},
		"one path":             {answers: both(404, 201)},
		"a path and a refusal": {answers: both(404, 401)},
		"only an export, 404":  {answers: both(404, 0)[:1], says: "export.path"},
		"only a creation, 404": {answers: both(0, 404)[1:]},
		"only a creation, 401": {answers: both(0, 401)[1:], says: "was refused"},
		"redirected": {answers: both(302, 302), says: "is redirected|302 Found|, to " +
			"https://login.example/in/|a login page"},
		"one redirected":       {answers: both(302, 201)},
		"an export redirected": {answers: both(302, 0)[:1]},
		"a proxy":              {answers: both(407, 407), says: "in front of http://gateway asks|407"},
		"forbidden": {answers: both(403, 403), says: "may neither start exports nor " +
			"create|give a credential"},
		"one forbidden": {answers: both(403, 201)},
		"failing": {
			answers: both(500, 503),
			says:    "at http://gateway is failing|500|look at the logs",
		},
		"one failing":       {answers: both(500, 400)},
		"an export failing": {answers: both(500, 0)[:1]},
		"never answered": {answers: append(lost(client.TroubleReset, ""),
			answer(client.OperationCreate, 503)), says: "is failing|No answer"},
		"bad requests": {answers: both(400, 422)},
		"bad in the same words": {answers: both(400, 400), says: "front of http://gateway rejects " +
			"every request|in its own words|under headers"},
		"not acceptable":     {answers: both(406, 406), says: "rejects every|406 Not Acceptable|accept"},
		"one not acceptable": {answers: both(406, 201)},
		"a proxy without a way": {answers: noProxy, says: "The proxy cannot reach http://gateway|No " +
			"answer: no way|let this host pass"},
		"a token that ended": {answers: lost(client.TroubleTokenEnded,
			""), credentials: expired, says: "platform_token expired on 2023|fresh token"},
		"accepted":     {answers: both(200, 201)},
		"web pages":    {answers: pages, says: "A web page answers|base_url"},
		"one web page": {answers: []*client.Exchange{pages[0], answer(client.OperationCreate, 201)}},
		"closed": {answers: lost(client.TroubleRefused, ""), says: "No connection to " +
			"http://gateway|No answer|nothing listens there"},
		"no TLS": {answers: lost(client.TroubleTLS,
			"first record does not look like a TLS handshake"), says: "TLS to http|write http"},
		"unknown authority": {answers: lost(client.TroubleTLS, "x509: unknown "+
			"authority"), says: "tls.ca_file"},
		"slow":                  {answers: lost(client.TroubleTimeout, "")},
		"one was not answered":  {answers: []*client.Exchange{answer(client.OperationExport, 401), nil}},
		"closed for one of two": {answers: append(both(200, 0)[:1], lost(client.TroubleRefused, "")...)},
		"nothing was sent":      {},
	} {
		if c.credentials == (deployment.Credentials{}) {
			c.credentials = opaque
		}
		o := doctor.DetectObstacle(
			&deployment.File{BaseURL: "http://gateway", Credentials: c.credentials}, c.answers)
		if (o == nil) != (c.says == "") {
			t.Errorf("%s: %+v", name, o)
		}
		if o == nil {
			continue
		}
		lines := o.Lines()
		for says := range strings.SplitSeq(c.says, "|") {
			if !strings.Contains(lines, says) || strings.Contains(lines, "main-token") ||
				strings.Count(lines, "\n") != 3 {
				t.Errorf("%s: three lines with %q and without a credential expected, found\n%s", name, says,
					lines)
			}
		}
	}
}
