package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/doctor"
)

// deploymentCommand is `gateassay deployment`: what helps to write a deployment file.
func deploymentCommand() *cobra.Command {
	command := &cobra.Command{Use: "deployment", Short: "Write and check deployment files"}
	command.AddCommand(deploymentInitCommand(), deploymentSchemaCommand())
	return command
}

func deploymentInitCommand() *cobra.Command {
	var out string
	var ask surveyFlags
	command := &cobra.Command{
		Use:   "init",
		Short: "Write a deployment file to begin with",
		Long: `Write a deployment file that begins with the settings that matter most; every other setting follows,
commented out, with what it means and which rules it unlocks. Without --out it goes to the terminal.

With --url, the deployment is asked first, and what was observed is filled in: how a finished file is fetched, its
columns, a window that holds quotes. That takes at most ` + strconv.Itoa(doctor.MostRequests) + ` requests, and creates no legal representative.

Exit codes: 0 written, 2 wrong usage, 3 the deployment could not be asked; nothing is written then.`,
		Example: `  gateassay deployment init --out staging.yaml
  gateassay deployment init --url https://gateway.example \
      --token-env GATEWAY_TOKEN --out staging.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings := deployment.Beginning()
			if err := ask.check(cmd); err != nil {
				return err
			}
			if ask.url != "" {
				if _, err := os.Lstat(out); out != "" && err == nil {
					return alreadyThere(out)
				}
				var err error
				if settings, err = ask.survey(cmd); err != nil {
					return err
				}
			}
			if out == "" {
				_, err := cmd.OutOrStdout().Write(deployment.Template(settings))
				return err
			}
			if err := writeNew(out, deployment.Template(settings)); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\nNext: gateassay doctor -d %s\n", printable.Clean(out), digest.Quote(out))
			return err
		},
	}
	flags := command.Flags()
	flags.StringVarP(&out, "out", "o", "", "the `FILE` to write; an existing one is left alone")
	flags.StringVar(&ask.url, "url", "", "ask the deployment at this `ADDRESS`, and fill in what it shows")
	flags.StringVar(&ask.token, "token-env", "", "the environment `VARIABLE` that holds a platform token")
	flags.StringVar(&ask.key, "api-key-env", "",
		"the environment `VARIABLE` that holds an API key, where there is no token")
	flags.StringVar(&ask.shareholder, "shareholder", "",
		"`UUID` of a shareholder of that user, to be written down")
	flags.StringVar(&ask.name, "name", "", "what reports call the deployment; default: the host of --url")
	return command
}

func deploymentSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of deployment files, for editors",
		Example: "  gateassay deployment schema > deployment.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(deployment.Schema())
			return err
		},
	}
}

func alreadyThere(path string) error {
	return misuse("%s exists already and was not changed: name another file with --out, or remove it first", path)
}

// writeNew writes a file that must not exist yet and that only its owner may read: secrets tend to end up in it.
func writeNew(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return alreadyThere(path)
	}
	if err != nil {
		return misuse("--out: the file cannot be created: %w", err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
