// Package kubernetes holds manifests. It is a separate module, so that the product does not
// depend on the Kubernetes types that the tests use.
package kubernetes

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// decode reads every document of a manifest into the type of its kind. An unknown key is an
// error.
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
		case "v1 Pod":
			o = &core.Pod{}
		case "v1 PersistentVolumeClaim":
			o = &core.PersistentVolumeClaim{}
		case "batch/v1 Job":
			o = &batch.Job{}
		case "batch/v1 CronJob":
			o = &batch.CronJob{}
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

// TestALostShardIsNotSentAgain checks the job settings that a run of shards needs.
func TestALostShardIsNotSentAgain(t *testing.T) {
	job := jobs(decode(t, "run.yaml"))[0]
	s := job.Spec
	switch {
	case job.Name != "" || job.GenerateName == "":
		t.Error("a second run would be taken for the first")
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
	case s.SuccessPolicy == nil || len(s.SuccessPolicy.Rules) != 1 ||
		*s.SuccessPolicy.Rules[0].SucceededIndexes != "0":
		t.Error("the job does not end as shard 0 does, which merges")
	}
	c := s.Template.Spec.Containers[0]
	if shard := fmt.Sprintf("--shard=$(JOB_COMPLETION_INDEX)/%d", *s.Completions); !slices.Contains(
		c.Args, shard) {
		t.Errorf("the number of shards differs between job and arguments: no %s", shard)
	}
	if c.TerminationMessagePolicy != core.TerminationMessageFallbackToLogsOnError ||
		c.Ports[0].Name != "metrics" {
		t.Error("a pod does not say why it failed, or has no port for metrics")
	}
}

// pods returns the pod specs of a manifest.
func pods(t *testing.T, name string) []core.PodSpec {
	t.Helper()
	var list []core.PodSpec
	for _, o := range decode(t, name) {
		switch o := o.(type) {
		case *batch.Job:
			list = append(list, o.Spec.Template.Spec)
		case *batch.CronJob:
			list = append(list, o.Spec.JobTemplate.Spec.Template.Spec)
		case *core.Pod:
			list = append(list, o.Spec)
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s runs nothing", name)
	}
	return list
}

// withPods are the manifests that run something.
var withPods = []string{"run.yaml", "conform.yaml", "daily.yaml", "merge.yaml", "results.yaml"}

// TestPodsNeedNoPrivileges checks every container.
func TestPodsNeedNoPrivileges(t *testing.T) {
	for _, name := range withPods {
		for _, pod := range pods(t, name) {
			if pod.SecurityContext == nil || pod.SecurityContext.RunAsNonRoot == nil ||
				!*pod.SecurityContext.RunAsNonRoot || pod.AutomountServiceAccountToken == nil ||
				*pod.AutomountServiceAccountToken {
				t.Errorf("%s: a pod runs as root or with a token of the cluster", name)
			}
			mounted := map[string]bool{}
			for _, v := range pod.Volumes {
				mounted[v.Name] = true
			}
			for _, c := range pod.Containers {
				sc := c.SecurityContext
				if sc == nil || sc.ReadOnlyRootFilesystem == nil || !*sc.ReadOnlyRootFilesystem ||
					sc.AllowPrivilegeEscalation == nil || *sc.AllowPrivilegeEscalation ||
					sc.Capabilities == nil || !slices.Contains(sc.Capabilities.Drop, "ALL") {
					t.Errorf("%s: the container %s has privileges", name, c.Name)
				}
				if _, limited := c.Resources.Limits[core.ResourceCPU]; limited ||
					c.Resources.Requests.Cpu().IsZero() || c.Resources.Limits.Memory().IsZero() {
					t.Errorf("%s: the container %s is held back by a limit of CPU, or takes what it likes", name,
						c.Name)
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

// TestARunIsNotRepeated checks that each conform job is one run, and that they do not overlap.
func TestARunIsNotRepeated(t *testing.T) {
	daily := decode(t, "daily.yaml")[0].(*batch.CronJob)
	if daily.Name == "" || len(daily.Name) > 52 ||
		daily.Spec.ConcurrencyPolicy != batch.ForbidConcurrent || daily.Spec.TimeZone == nil {
		t.Errorf("%+v", daily.Spec)
	}
	once := jobs(decode(t, "conform.yaml"))[0]
	for _, s := range []batch.JobSpec{once.Spec, daily.Spec.JobTemplate.Spec} {
		if s.BackoffLimit == nil || *s.BackoffLimit != 0 || s.ActiveDeadlineSeconds == nil ||
			s.Template.Spec.RestartPolicy != core.RestartPolicyNever {
			t.Errorf("%+v", s)
		}
	}
}

// TestTheClaimIsThatOfThePods checks that the pods use the claim of claim.yaml.
func TestTheClaimIsThatOfThePods(t *testing.T) {
	claim := decode(t, "claim.yaml")[0].(*core.PersistentVolumeClaim)
	for _, name := range withPods {
		for _, pod := range pods(t, name) {
			if !slices.ContainsFunc(pod.Volumes, func(v core.Volume) bool {
				return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim.Name
			}) {
				t.Errorf("%s does not use the claim %s", name, claim.Name)
			}
		}
	}
}
