package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/doctor"
)

// surveyFlags name a deployment that is asked for what its file has to say.
type surveyFlags struct{ url, token, key, shareholder, name string }

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (a surveyFlags) check(c *cobra.Command) error {
	if a.url == "" {
		for _, flag := range []string{"token-env", "api-key-env", "shareholder", "name"} {
			if c.Flags().Changed(flag) {
				return misuse("--%s belongs to --url: add --url https://gateway.example", flag)
			}
		}
		return nil
	}
	if u, err := url.Parse(a.url); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
		u.User != nil {
		return misuse("--url: expected an address that begins with http:// or https://, followed by a host")
	}
	if (a.token == "") == (a.key == "") {
		return misuse("--url needs one credential: add --token-env GATEWAY_TOKEN, or --api-key-env GATEWAY_API_KEY")
	}
	name := cmp.Or(a.token, a.key)
	if !variable.MatchString(name) { // perhaps the secret itself: never repeat it
		return misuse("--token-env and --api-key-env: expected the name of an environment variable, such as GATEWAY_TOKEN")
	}
	if os.Getenv(name) == "" {
		return misuse("%s is not set: export %s=..., then try again", name, name)
	}
	return nil
}

// settings are those that the flags give.
func (a surveyFlags) settings() []deployment.Setting {
	u, _ := url.Parse(a.url) // check parsed it
	credential := deployment.Setting{Key: "credentials.platform_token", Value: "${" + a.token + "}"}
	if a.token == "" {
		credential = deployment.Setting{Key: "credentials.api_key", Value: "${" + a.key + "}"}
	}
	settings := []deployment.Setting{
		{Key: "name", Value: strconv.Quote(cmp.Or(a.name, u.Hostname()))}, {Key: "base_url", Value: strconv.Quote(a.url)}, credential,
	}
	if a.shareholder != "" {
		settings = append(settings, deployment.Setting{Key: "fixtures.shareholder_id", Value: strconv.Quote(a.shareholder)})
	}
	return settings
}

// survey asks the deployment. What it does, found and missed is said on standard error.
func (a surveyFlags) survey(c *cobra.Command) ([]deployment.Setting, error) {
	ctx, say := c.Context(), c.ErrOrStderr()
	given := a.settings()
	dep, err := deployment.Parse("from --url", ".", deployment.Template(given), os.LookupEnv)
	if err != nil {
		return nil, err
	}
	gw, err := client.New(dep, client.Options{UserAgent: "gateassay/" + version()})
	if err != nil {
		return nil, err
	}
	defer gw.Close()
	fmt.Fprintf(say, "Probing %s with at most %d requests (exports and file downloads).\n", dep.BaseURL, doctor.MostRequests)
	found := doctor.Propose(ctx, dep, gw)
	if ctx.Err() != nil {
		return nil, exitCode(130)
	}
	if found.Obstacle != nil {
		_, err := io.WriteString(say, found.Obstacle.Lines())
		return nil, errors.Join(exitCode(exitVerdict), err)
	}
	for _, s := range found.Settings {
		fmt.Fprintf(say, "  found    %s: %s\n", s.Key, s.Value)
	}
	for _, text := range found.Missing {
		fmt.Fprintf(say, "  open     %s\n", text)
	}
	fmt.Fprintf(say, "%d requests were sent.\n", gw.Stats().Sent)
	base := deployment.Beginning()
	if a.token == "" {
		base = append(base[:2:2], base[3:]...) // no token
	}
	return deployment.With(deployment.With(base, given), found.Settings), nil
}
