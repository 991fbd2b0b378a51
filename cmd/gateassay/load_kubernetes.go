package main

import (
	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/kubernetes"
	"github.com/gateassay/gateassay/load/plan"
)

func loadKubernetesCommand() *cobra.Command {
	var o kubernetes.Options
	var file, from string
	c := &cobra.Command{
		Use:   "kubernetes",
		Short: "Print the job that sends a plan from many pods",
		Long: `kubernetes prints a job for kubectl create: its pods are the shards of one run, and shard 0 merges what they recorded.
The job completes when the run passed. The plan and the deployment file are part of the job; secrets are not: what the deployment
file refers to comes from a Secret whose kubectl command is printed as well. Nothing is sent, and no cluster is asked.`,
		Example: `  gateassay load kubernetes --plan plan.yaml -d staging.yaml --shards 8 \
      --image registry.example/gateassay:2.4 --results pvc:gateassay-results \
      | kubectl create -f -`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" || from == "" {
				return misuse("--plan and --deployment: both are needed, as the pods read both files")
			}
			var err error
			if o.Plan, err = plan.Read(from); err != nil {
				return usageError{err}
			}
			if o.Deployment, err = deployment.Read(file); err != nil {
				return usageError{err}
			}
			o.PlanPath, o.DeploymentPath = from, file
			manifest, err := kubernetes.Render(o)
			if err != nil {
				return usageError{err}
			}
			_, err = c.OutOrStdout().Write(manifest)
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&from, "plan", "", "`FILE` that says what to send")
	deploymentFlag(c, &file, "deployment `FILE`, which must allow load")
	flags.IntVar(&o.Shards, "shards", 0, "how many pods send the plan")
	flags.StringVar(&o.Image, "image", "", "the `IMAGE` of gateassay; deploy/Dockerfile builds one")
	flags.StringVar(&o.Results, "results", "",
		"where all pods write: pvc:`NAME`, or the URL of a bucket (s3://, gs://, azblob://)")
	flags.StringVar(&o.Secret, "secret", "",
		"`NAME` of the Secret that holds what the deployment file refers to (default gateassay- and the "+
			"deployment's name)")
	flags.StringVar(&o.Account, "service-account", "", "`NAME` of the pods' service account, for access to a bucket")
	flags.StringVar(&o.StoreKeys, "store-secret", "",
		"`NAME` of a Secret whose keys are environment variables for the bucket, such as AWS_ACCESS_KEY_ID")
	flags.StringVar(&o.User, "run-as", "65532", "`UID[:GID]` of the pods: the owner of the folder, on NFS")
	readyFlag(c, &o.Wait)
	filesOf(c, "plan", "yaml", "yml", "json")
	return c
}
