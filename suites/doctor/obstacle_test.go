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
		Name: "api_key", Method: deployment.AuthAPIKey, Value: "abcdefgh12345678",
	}
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
		answers []*client.Exchange
		says    string // parts, separated by |; empty: no obstacle
	}{
		"refused twice": {
			both(401, 401),
			"credentials.platform_token was refused:|401 Unauthorized: in its own words|its value",
		},
		"refused once":         {both(401, 201), ""},
		"the key alone":        {both(401, 401), "credentials.api_key was refused:"},
		"expired":              {both(401, 401), "expired on 2023-11-14 22:13 UTC|fresh token"},
		"expired and accepted": {both(200, 201), ""},
		"no paths": {
			both(404, 405), "http://gateway/export|404 Not Found|legal_representative.path",
		},
		"one path":             {both(404, 201), ""},
		"a path and a refusal": {both(404, 401), ""},
		"only an export, 404":  {both(404, 0)[:1], "export.path"},
		"only a creation, 404": {both(0, 404)[1:], ""},
		"only a creation, 401": {both(0, 401)[1:], "was refused"},
		"redirected": {
			both(302, 302), "is redirected|302 Found|, to https://login.example/in/|a login page",
		},
		"an export redirected": {both(302, 0)[:1], ""},
		"a proxy":              {both(407, 407), "in front of http://gateway asks|407"},
		"forbidden": {
			both(403, 403), "may neither start exports nor create|give a credential",
		},
		"failing":           {both(500, 503), "at http://gateway is failing|500|look at the logs"},
		"one failing":       {both(500, 400), ""},
		"an export failing": {both(500, 0)[:1], ""},
		"never answered": {
			append(lost(client.TroubleReset, ""), both(0, 503)[1]), "is failing|No answer",
		},
		"bad requests": {both(400, 422), ""},
		"bad in the same words": {
			both(400, 400), "front of http://gateway rejects every request|in its own words|under headers",
		},
		"not acceptable": {both(406, 406), "rejects every|406 Not Acceptable|accept"},
		"a proxy without a way": {
			noProxy, "The proxy cannot reach http://gateway|No answer: no way|let this host pass",
		},
		"a token that ended": {
			lost(client.TroubleTokenEnded, ""), "platform_token expired on 2023|fresh token",
		},
		"accepted":     {both(200, 201), ""},
		"web pages":    {pages, "A web page answers|base_url"},
		"one web page": {[]*client.Exchange{pages[0], both(0, 201)[1]}, ""},
		"closed": {
			lost(client.TroubleRefused, ""),
			"No connection to http://gateway|No answer|nothing listens there",
		},
		"no TLS": {
			lost(client.TroubleTLS, "first record does not look like a TLS handshake"),
			"TLS to http|write http",
		},
		"unknown authority":     {lost(client.TroubleTLS, "x509: unknown authority"), "tls.ca_file"},
		"slow":                  {lost(client.TroubleTimeout, ""), ""},
		"one was not answered":  {[]*client.Exchange{both(401, 0)[0], nil}, ""},
		"closed for one of two": {append(both(200, 0)[:1], lost(client.TroubleRefused, "")...), ""},
		"nothing was sent":      {},
	} {
		credentials := deployment.Credentials{PlatformToken: token("main-token-0123456789"), APIKey: key}
		switch name {
		case "the key alone":
			credentials.PlatformToken = nil
		case "expired", "expired and accepted", "a token that ended":
			credentials.PlatformToken = token(stale)
		}
		o := doctor.DetectObstacle(
			&deployment.File{BaseURL: "http://gateway", Credentials: credentials}, c.answers)
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
