package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// deploymentCommand is `gateassay deployment`: what helps to write a deployment file.
func deploymentCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "deployment",
		Short: "Write and check deployment files",
	}
	command.AddCommand(deploymentInitCommand(), deploymentSchemaCommand())
	return command
}

func deploymentInitCommand() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:     "init",
		Short:   "Write a commented deployment file to begin with",
		Long:    "Write a deployment file with every key, what it means and which rules it unlocks. Without --out it goes to the terminal.",
		Example: "  gateassay deployment init --out staging.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				_, err := cmd.OutOrStdout().Write(deployment.Template(deployment.Beginning()))
				return err
			}
			if err := writeNew(out, deployment.Template(deployment.Beginning())); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", out)
			return err
		},
	}
	command.Flags().StringVarP(&out, "out", "o", "", "the file to write; an existing one is left alone")
	return command
}

func deploymentSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of deployment files, for editors",
		Example: "  gateassay deployment schema > deployment.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			schema, err := deployment.Schema()
			if err != nil {
				return fmt.Errorf("generate the JSON Schema: %w", err)
			}
			_, err = cmd.OutOrStdout().Write(schema)
			return err
		},
	}
}

// writeNew writes a file that must not exist yet and that only its owner may read: secrets tend to end up in it.
func writeNew(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usageError{fmt.Errorf("%s exists already and is left as it is: name another file with --out, or remove it first", path)}
	}
	if err != nil {
		return usageError{fmt.Errorf("--out: the file cannot be created: %w", err)}
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
