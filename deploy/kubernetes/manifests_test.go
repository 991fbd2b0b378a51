// Package kubernetes holds manifests. Its module keeps the types of Kubernetes, which they are held against, out of that
// of the product.
package kubernetes

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// decode reads every document of a manifest into the type of its kind; a key that the type does not have is an error.
func decode(t *testing.T, name string) []runtime.Object {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []runtime.Object
	for i, document := range bytes.Split(data, []byte("\n---\n")) {
		var kind meta.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			t.Fatalf("%s, document %d: %v", name, i+1, err)
		}
		var o runtime.Object
		switch kind.APIVersion + " " + kind.Kind {
		case "v1 ConfigMap":
			o = &core.ConfigMap{}
		case "v1 PersistentVolumeClaim":
			o = &core.PersistentVolumeClaim{}
		case "batch/v1 Job":
			o = &batch.Job{}
		default:
			t.Fatalf("%s, document %d: unexpected kind %s %s", name, i+1, kind.APIVersion, kind.Kind)
		}
		if err := yaml.UnmarshalStrict(document, o); err != nil {
			t.Errorf("%s, document %d: %v", name, i+1, err)
		}
		all = append(all, o)
	}
	return all
}

func jobs(all []runtime.Object) []*batch.Job {
	var list []*batch.Job
	for _, o := range all {
		if job, ok := o.(*batch.Job); ok {
			list = append(list, job)
		}
	}
	return list
}

// TestALostShardIsNotSentAgain holds the job to what a run of shards needs.
func TestALostShardIsNotSentAgain(t *testing.T) {
	all := decode(t, "shards.yaml")
	job := jobs(all)[0]
	s := job.Spec
	switch {
	case s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion:
		t.Error("shards need an index")
	case s.BackoffLimitPerIndex == nil || *s.BackoffLimitPerIndex != 0:
		t.Error("a shard would be sent again")
	case s.PodReplacementPolicy == nil || *s.PodReplacementPolicy != batch.Failed:
		t.Error("a shard could be replaced while it still sends")
	case s.Template.Spec.RestartPolicy != core.RestartPolicyNever:
		t.Error("a shard could be started again in its pod")
	case s.ActiveDeadlineSeconds == nil || len(s.Template.Spec.TopologySpreadConstraints) == 0:
		t.Error("the run has no end, or shards share a node")
	case s.Completions == nil || s.Parallelism == nil || *s.Completions != *s.Parallelism:
		t.Error("shards that wait for each other must run at once")
	}
	args := strings.Join(s.Template.Spec.Containers[0].Args, " ")
	plan := all[0].(*core.ConfigMap).Data["plan.yaml"]
	if *s.Completions != 4 || !strings.Contains(args, "--shard=$(JOB_COMPLETION_INDEX)/4") || !strings.Contains(plan, "shards: 4\n") {
		t.Error("the number of shards differs between job, arguments and plan")
	}
	merge := jobs(decode(t, "merge.yaml"))[0].Spec.Template.Spec.Containers[0]
	if merge.Env[0].Value != job.Name {
		t.Errorf("merge.yaml is for the run %s, shards.yaml for %s", merge.Env[0].Value, job.Name)
	}
}

// TestPodsNeedNoPrivileges looks at every container.
func TestPodsNeedNoPrivileges(t *testing.T) {
	for _, name := range []string{"shards.yaml", "merge.yaml"} {
		for _, job := range jobs(decode(t, name)) {
			pod := job.Spec.Template.Spec
			if pod.SecurityContext == nil || pod.SecurityContext.RunAsNonRoot == nil || !*pod.SecurityContext.RunAsNonRoot || pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
				t.Errorf("%s: a pod runs as root or with a token of the cluster", name)
			}
			mounted := map[string]bool{}
			for _, v := range pod.Volumes {
				mounted[v.Name] = true
			}
			for _, c := range pod.Containers {
				sc := c.SecurityContext
				if sc == nil || sc.ReadOnlyRootFilesystem == nil || !*sc.ReadOnlyRootFilesystem || sc.AllowPrivilegeEscalation == nil || *sc.AllowPrivilegeEscalation ||
					sc.Capabilities == nil || !slices.Contains(sc.Capabilities.Drop, "ALL") {
					t.Errorf("%s: the container %s has privileges", name, c.Name)
				}
				if c.Resources.Requests.Cpu().Cmp(*c.Resources.Limits.Cpu()) != 0 || c.Resources.Requests.Cpu().IsZero() {
					t.Errorf("%s: the container %s is not promised the CPUs that it may use", name, c.Name)
				}
				for _, m := range c.VolumeMounts {
					if !mounted[m.Name] {
						t.Errorf("%s: no volume %s", name, m.Name)
					}
				}
			}
		}
	}
}
