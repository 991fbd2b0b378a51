package cmd

import (
	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/kubernetes"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/suites"
)

func kubernetesCommand() *cobra.Command {
	c := &cobra.Command{Use: "kubernetes", Short: "Print a job that runs in a cluster: conform, load"}
	c.AddCommand(kubernetesConformCommand(), kubernetesLoadCommand())
	return c
}

func kubernetesConformCommand() *cobra.Command {
	var o kubernetes.ConformJob
	c := &cobra.Command{
		Use: "conform -d FILE [-- FLAGS]", Args: cobra.ArbitraryArgs,
		Short: "Print the job that tests a deployment, once or by a schedule",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.ArgsLenAtDash() != 0 && len(args) > 0 {
			return usageErrorf("unexpected %q; flags of gateassay conform follow --", args[0])
		}
		conform := conformCommand(Extensions{})
		if err := conform.ParseFlags(args); err != nil {
			return flagUsageError(conform, err)
		}
		for _, taken := range []string{"deployment", "out", "dry-run"} {
			if conform.Flags().Changed(taken) {
				return usageErrorf("--%s: the job has its own; leave it out behind --", taken)
			}
		}
		depth := conform.Flags().Lookup("depth").Value.String()
		if err := suites.CheckDepth("--depth", depth); err != nil {
			return err
		}
		if rest := conform.Flags().Args(); len(rest) > 0 {
			return usageErrorf("unexpected %q behind --; expected flags of gateassay conform", rest[0])
		}
		o.Flags, o.Depth = args, depth
		return printJob(c, &o.Options, &o)
	}
	jobFlags(c, &o.Options, "deployment `FILE`")
	c.Flags().StringVar(&o.Schedule, "schedule", "",
		"print a CronJob: five `FIELDS` of cron in UTC, such as '0 5 * * 1-5'")
	return c
}

func kubernetesLoadCommand() *cobra.Command {
	var o kubernetes.LoadJob
	c := &cobra.Command{Use: "load", Short: "Print the job that sends a plan from many pods"}
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if o.PlanPath == "" {
			return usageErrorf("--plan: required, because the pods read it")
		}
		if o.Plan, err = plan.ReadText(o.PlanPath); err != nil {
			return usageError{err}
		}
		return printJob(c, &o.Options, &o)
	}
	planFileFlag(c, &o.PlanPath, "`FILE` that says what to send")
	jobFlags(c, &o.Options, "deployment `FILE`, which must allow load")
	c.Flags().IntVar(&o.Shards, "shards", 0, "how many pods send the plan")
	readyFlag(c, &o.Wait)
	return c
}

func jobFlags(c *cobra.Command, o *kubernetes.Options, file string) {
	deploymentFlag(c, &o.DeploymentPath, file)
	flags := c.Flags()
	flags.StringVar(&o.Image, "image", "", "the `IMAGE` of gateassay; deploy/Dockerfile builds one")
	flags.StringVar(&o.Results, "results", "",
		"where the pods write: pvc:`NAME`, or the URL of a bucket (s3://, gs://, azblob://)")
	flags.StringVar(&o.Secret, "secret", "",
		"`NAME` of the Secret that holds what the deployment file refers to (default gateassay- and "+
			"the deployment's name)")
	flags.StringVar(&o.Account, "service-account", "",
		"`NAME` of the pods' service account, for access to a bucket")
	flags.StringVar(&o.StoreKeys, "store-secret", "",
		"`NAME` of a Secret whose keys are environment variables for the bucket, such as "+
			"AWS_ACCESS_KEY_ID")
	flags.StringVar(&o.User, "run-as", "65532",
		"`UID[:GID]` of the pods: the owner of the folder, on NFS")
}

// printJob reads the deployment file into the options of a job and prints the manifest.
func printJob(c *cobra.Command, o *kubernetes.Options, job interface{ Render() ([]byte, error) },
) (err error) {
	if o.DeploymentPath == "" {
		return usageErrorf("--deployment: required, because the pods read it")
	}
	var manifest []byte
	if o.Deployment, err = deployment.Read(o.DeploymentPath); err == nil {
		manifest, err = job.Render()
	}
	if err != nil {
		return usageError{err}
	}
	_, err = c.OutOrStdout().Write(manifest)
	return err
}
