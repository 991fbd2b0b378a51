//go:build cluster

package kubernetes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// The tests run in the current context and namespace of kubectl, with a gateway in the cluster
// as the target. IMAGE is the image of gateassay, RESULTS the place where pods write
// (pvc:gateassay-results), RUN_AS the owner of that folder. HOST_NETWORK=1 is for a cluster of
// one node without a pod network: everything uses its loopback interface.
var (
	image   = os.Getenv("IMAGE")
	results = given("RESULTS", "pvc:gateassay-results")
	runAs   = given("RUN_AS", "65532")
	onHost  = os.Getenv("HOST_NETWORK") != ""
	command = given("GATEASSAY", filepath.Join("..", "..", "bin", "gateassay"))
)

const (
	shardsOf   = 3
	targetName = "gateassay-test-target"
	targetPort = "18080"
	secretName = "gateassay-cluster-test"
)

func given(name, preset string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return preset
}

// kubectl runs kubectl with in as its standard input.
func kubectl(t *testing.T, in []byte, args ...string) string {
	t.Helper()
	c := exec.Command("kubectl", args...)
	c.Stdin = bytes.NewReader(in)
	var said, wrong bytes.Buffer
	c.Stdout, c.Stderr = &said, &wrong
	if err := c.Run(); err != nil {
		t.Fatalf("kubectl %s: %v: %s", strings.Join(args, " "), err, wrong.String())
	}
	return said.String()
}

// until calls ask until it returns true.
func until(t *testing.T, what string, within time.Duration, ask func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !ask(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatalf("%s did not happen within %s", what, within)
		}
	}
}

// target starts the reference gateway in the cluster and returns a folder with its deployment
// file. The seed determines the API key, so a local gateway has the same one.
func target(t *testing.T) string {
	t.Helper()
	if image == "" {
		t.Fatal(
			"IMAGE: expected the image of gateassay, which the cluster can pull (see deploy/Dockerfile)")
	}
	if claim, is := strings.CutPrefix(results, "pvc:"); is &&
		exec.Command("kubectl", "get", "pvc", claim).Run() != nil {
		t.Fatalf(
			"the cluster has no claim %s, which pods would wait for: kubectl apply -f "+
				"deploy/kubernetes/claim.yaml, or set RESULTS",
			claim,
		)
	}
	dir := t.TempDir()
	local := exec.CommandContext(t.Context(), command, "serve", "--addr", "127.0.0.1:0",
		"--deployment-out", filepath.Join(dir, "local.yaml"))
	if err := local.Start(); err != nil {
		t.Fatal(err)
	}
	var keys struct {
		Credentials struct {
			APIKey string `json:"api_key"`
		} `json:"credentials"`
	}
	until(t, "the start of a gateway", time.Minute, func() bool {
		data, err := os.ReadFile(filepath.Join(dir, "local.yaml"))
		return err == nil && yaml.Unmarshal(data, &keys) == nil && keys.Credentials.APIKey != ""
	})
	_ = local.Process.Kill()
	_ = local.Wait()

	no, yes := false, true
	pod := core.Pod{}
	pod.APIVersion, pod.Kind, pod.Name = "v1", "Pod", targetName
	pod.Spec = core.PodSpec{
		HostNetwork: onHost, AutomountServiceAccountToken: &no, RestartPolicy: core.RestartPolicyNever,
		Containers: []core.Container{{
			Name: "gateway", Image: image, Args: []string{"serve", "--addr", "0.0.0.0:" + targetPort},
			SecurityContext: &core.SecurityContext{
				AllowPrivilegeEscalation: &no, RunAsNonRoot: &yes,
				Capabilities:   &core.Capabilities{Drop: []core.Capability{"ALL"}},
				SeccompProfile: &core.SeccompProfile{Type: core.SeccompProfileTypeRuntimeDefault},
			},
		}},
	}
	if onHost {
		pod.Spec.Containers[0].Args[2] = "127.0.0.1:" + targetPort
	}
	create(t, &pod)
	t.Cleanup(func() {
		_ = exec.Command("kubectl", "delete", "pod", targetName, "--grace-period=0", "--force").Run()
	})
	kubectl(t, nil, "wait", "--for=condition=Ready", "pod/"+targetName, "--timeout=5m")
	address := "127.0.0.1"
	if !onHost {
		address = kubectl(t, nil, "get", "pod", targetName, "-o", "jsonpath={.status.podIP}")
	}
	secret := core.Secret{StringData: map[string]string{"GATEWAY_API_KEY": keys.Credentials.APIKey}}
	secret.APIVersion, secret.Kind, secret.Name = "v1", "Secret", secretName
	create(t, &secret)
	t.Cleanup(func() { _ = exec.Command("kubectl", "delete", "secret", secretName).Run() })
	deployment := fmt.Sprintf(
		"name: cluster test\nbase_url: http://%s:%s\ncredentials: {api_key: "+
			"\"${GATEWAY_API_KEY}\"}\nload: {allow: true, max_rate: 500}\n",
		address,
		targetPort,
	)
	if err := os.WriteFile(filepath.Join(dir, "staging.yaml"), []byte(deployment), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func create(t *testing.T, o any) string {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(kubectl(t, data, "create", "-f", "-", "-o", "jsonpath={.metadata.name}"))
}

// rendered returns the job that the command prints, adapted to the cluster.
func rendered(t *testing.T, dir, plan string, flags ...string) *batch.Job {
	t.Helper()
	file := filepath.Join(dir, "plan.yaml")
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{
		"kubernetes", "load", "--plan", file, "-d", filepath.Join(dir, "staging.yaml"), "--shards",
		fmt.Sprint(shardsOf), "--image", image,
		"--results", results, "--secret", secretName, "--run-as", runAs,
	}, flags...)
	said, err := exec.Command(command, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var job batch.Job
	if err := yaml.UnmarshalStrict(said, &job); err != nil {
		t.Fatal(err)
	}
	if onHost { // all pods would use the same port of the node
		pod := &job.Spec.Template.Spec
		pod.HostNetwork, pod.Containers[0].Ports = true, nil
		pod.Containers[0].Args = slices.DeleteFunc(pod.Containers[0].Args,
			func(a string) bool { return strings.HasPrefix(a, "--metrics") })
	}
	return &job
}

// launch creates a job and removes it after the test.
func launch(t *testing.T, job *batch.Job) string {
	t.Helper()
	name := create(t, job)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(logs(name, 0))
		}
		_ = exec.Command("kubectl", "delete", "job", name, "--cascade=foreground").Run()
	})
	return name
}

// ended waits for a job and reports whether it completed.
func ended(t *testing.T, name string) (complete bool) {
	t.Helper()
	until(t, "the end of "+name, 10*time.Minute, func() bool {
		types := kubectl(t, nil, "get", "job", name, "-o",
			"jsonpath={.status.conditions[?(@.status==\"True\")].type}")
		complete = strings.Contains(types, string(batch.JobComplete))
		return complete || strings.Contains(types, string(batch.JobFailed))
	})
	return complete
}

func selector(job string, shard int) string {
	return fmt.Sprintf("batch.kubernetes.io/job-name=%s,batch.kubernetes.io/job-completion-index=%d",
		job, shard)
}

// logs returns the output of a shard, or "" if its container does not run yet.
func logs(job string, shard int) string {
	said, _ := exec.Command("kubectl", "logs", "-l", selector(job, shard), "--tail=-1").Output()
	return string(said)
}

const steady = "rate: 120/s\nduration: 20s\ntrack_files: 0%\nrepeats: 0%\n"

var sent = regexp.MustCompile(`([\d,]+) of ([\d,]+) requests sent`)

// TestARepeatedRunIsANewOne creates one manifest twice. All requests are accepted, so each
// arrives exactly once: replay protection would block a duplicate.
func TestARepeatedRunIsANewOne(t *testing.T) {
	job := rendered(t, target(t), steady)
	names := map[string]bool{}
	for range 2 {
		name := launch(t, job)
		complete := ended(t, name)
		said := logs(name, 0)
		counts := sent.FindAllStringSubmatch(said, -1)
		if !complete || len(counts) != 2 || counts[1][1] != "2,400" || counts[1][2] != "2,400" ||
			!regexp.MustCompile(`accepted +2,400 +100`).MatchString(said) ||
			!strings.Contains(said, name+"/merged") {
			t.Errorf("complete: %v: %s", complete, said)
		}
		names[name] = true
	}
	if len(names) != 2 {
		t.Errorf("two runs are called %v", names)
	}
}

// lost matches what the merge says of a killed shard: one that wrote its end, one that did not,
// and one in a bucket.
var lost = regexp.MustCompile(
	`INCONCLUSIVE  shard 1: (it sent \d+ of 800 requests|its record ends after|its record is missing)`)

// TestAPodThatIsKilledIsNamed kills a pod without warning in the middle of the plan.
func TestAPodThatIsKilledIsNamed(t *testing.T) {
	name := launch(t, rendered(t, target(t), steady))
	until(t, "the start", 5*time.Minute,
		func() bool { return strings.Contains(logs(name, 1), "achieved") })
	kubectl(t, nil, "delete", "pod", "-l", selector(name, 1), "--grace-period=0", "--force")
	complete := ended(t, name)
	if said := logs(name, 0); complete || !lost.MatchString(said) {
		t.Errorf("complete: %v: %s", complete, said)
	}
	if n := strings.Fields(kubectl(t, nil, "get", "pods", "-l", selector(name, 1), "-o",
		"jsonpath={.items[*].metadata.name}")); len(n) > 0 {
		t.Errorf("the shard was started again: %v", n)
	}
	message := kubectl(t, nil, "get", "pods", "-l", selector(name, 0), "-o",
		"jsonpath={.items[0].status.containerStatuses[0].state.terminated.message}")
	if !strings.Contains(message, "INCONCLUSIVE") {
		t.Errorf("the pod does not say why it failed: %q", message)
	}
}

// TestAPodThatNeverStartsIsNamed leaves no room for the last pod: it starts only after the
// others have given up.
func TestAPodThatNeverStartsIsNamed(t *testing.T) {
	job := rendered(t, target(t), steady, "--ready-timeout", "15s")
	fewer := int32(shardsOf - 1)
	job.Spec.Parallelism = &fewer
	name := launch(t, job)
	complete := ended(t, name)
	want := fmt.Sprintf("shards %d of %d were not ready within 15s", shardsOf-1, shardsOf)
	if said := logs(name, 0); complete || !strings.Contains(said, want) {
		t.Errorf("complete: %v, expected %q: %s", complete, want, said)
	}
}
