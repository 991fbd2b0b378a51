package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/description"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/doctor"
)

func deploymentCommand() *cobra.Command {
	c := &cobra.Command{Use: "deployment", Short: "Write and check deployment files"}
	c.AddCommand(deploymentInitCommand(), deploymentSchemaCommand())
	return c
}

func deploymentInitCommand() *cobra.Command {
	var out, described string
	var ask probeFlags
	c := &cobra.Command{Use: "init", Short: "Write a deployment file to begin with"}
	c.RunE = func(c *cobra.Command, _ []string) error {
		return writeFirstDeploymentFile(c, out, described, ask)
	}
	flags := c.Flags()
	flags.StringVarP(&out, "out", "o", "", "the `FILE` to write; an existing one is left alone")
	flags.StringVar(&described, "openapi", "", "fill in what this description says, a `FILE or URL`")
	flags.StringVar(&ask.url, "url", "",
		"ask the deployment at this `ADDRESS`, and fill in what it shows")
	flags.StringVar(&ask.token, "token-env", "",
		"the environment `VARIABLE` that holds a platform token")
	flags.StringVar(&ask.shareholder, "shareholder", "",
		"`UUID` of a shareholder of that user, to put into the file")
	return c
}

func writeFirstDeploymentFile(c *cobra.Command, out, described string, ask probeFlags) (err error) {
	lines, stdout := settings.Starter(), c.OutOrStdout()
	if _, missing := os.Lstat(out); out != "" && missing == nil { // before anything is sent
		return existsError(out)
	}
	if described != "" {
		if lines, err = addDescribedSettings(c, described, lines); err != nil {
			return err
		}
	}
	if ask != (probeFlags{}) {
		if lines, err = ask.probeSettings(c, lines); err != nil {
			return err
		}
	}
	if out == "" {
		_, err = stdout.Write(settings.Template(lines))
	} else if err = writeNewPrivateFile(out, settings.Template(lines)); err == nil {
		_, err = fmt.Fprintf(stdout, "%s\nNext: gateassay doctor -d %s\n", printable.Clean(out),
			digest.ShellQuote(out))
	}
	return err
}

// addDescribedSettings fills in the settings of an OpenAPI description and reports on standard
// error.
func addDescribedSettings(
	c *cobra.Command, descriptionPath string, known []settings.Line,
) ([]settings.Line, error) {
	doc, err := description.Load(c.Context(), descriptionPath)
	if err != nil {
		return nil, usageErrorf("--openapi: %w", err)
	}
	found, stderr := description.Propose(doc), c.ErrOrStderr()
	for _, s := range found {
		switch text := printable.Clean(s.Key + ": " + s.Value); {
		case s.Value == "":
			fmt.Fprintf(stderr, "  open     %s%s\n", text, printable.Clean(s.Comment))
		case s.Comment == "":
			fmt.Fprintf(stderr, "  found    %s\n", text)
		default:
			fmt.Fprintf(stderr, "  guessed  %s\n", text)
		}
	}
	return settings.Replace(known, found), nil
}

// probeFlags name a deployment to probe for the contents of its file.
type probeFlags struct{ url, token, shareholder string }

var envVariablePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (a probeFlags) settings() ([]settings.Line, error) {
	u, err := url.Parse(a.url)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil:
		return nil, usageErrorf("--url: expected an address that begins with http:// or https://, " +
			"followed by a host")
	case !envVariablePattern.MatchString(a.token): // it may be the secret itself: never repeat it
		return nil, usageErrorf("--url needs a token: name the environment variable that holds one, " +
			"such as --token-env GATEWAY_TOKEN")
	case os.Getenv(a.token) == "":
		return nil, usageErrorf("%s is not set: export %s=..., then try again", a.token, a.token)
	}
	lines := []settings.Line{
		{Key: "name", Value: strconv.Quote(u.Hostname())},
		{Key: "base_url", Value: strconv.Quote(a.url)},
		{Key: "credentials.platform_token", Value: "${" + a.token + "}"},
	}
	if a.shareholder != "" {
		lines = append(lines,
			settings.Line{Key: "fixtures.shareholder_id", Value: strconv.Quote(a.shareholder)})
	}
	return lines, nil
}

// probeSettings probes the deployment and reports on standard error what it found and missed.
func (a probeFlags) probeSettings(
	c *cobra.Command, known []settings.Line,
) ([]settings.Line, error) {
	ctx, stderr := c.Context(), c.ErrOrStderr()
	given, err := a.settings()
	if err != nil {
		return nil, err
	}
	known = settings.Replace(known, given)
	dep, err := deployment.Parse("from --url", ".", settings.Template(known), os.LookupEnv)
	if err != nil {
		return nil, err
	}
	gw, err := client.New(dep, client.Options{UserAgent: "gateassay/" + buildVersion()})
	if err != nil {
		return nil, err
	}
	defer gw.Close()
	fmt.Fprintf(stderr, "Probing %s with at most %d requests (exports and file downloads).\n",
		dep.BaseURL, doctor.MaxProposalRequests)
	found := doctor.Propose(ctx, dep, gw)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if found.Obstacle != nil {
		_, err := io.WriteString(stderr, found.Obstacle.Lines())
		return nil, exitError(exitNoVerdict, err)
	}
	for _, s := range found.Settings {
		fmt.Fprintf(stderr, "  found    %s: %s\n", s.Key, s.Value)
	}
	for _, text := range found.Missing {
		fmt.Fprintf(stderr, "  open     %s\n", text)
	}
	fmt.Fprintf(stderr, "%d requests were sent.\n", gw.Stats().Sent)
	return settings.Replace(known, found.Settings), nil
}

func deploymentSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of deployment files, for editors",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(settings.Schema())
			return err
		},
	}
}

func existsError(path string) error {
	return usageErrorf("%s exists already and was not changed: name another file with --out, or "+
		"remove it first", path)
}

// writeNewPrivateFile writes a new file that only its owner can read, because secrets may be
// added.
func writeNewPrivateFile(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return existsError(path)
	}
	if err != nil {
		return usageErrorf("--out: the file cannot be created: %w", err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
