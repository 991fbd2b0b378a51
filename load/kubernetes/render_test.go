package kubernetes

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/testmust"
)

const (
	planFile = "rate: 8000/s\nduration: 10m\ntimeout: 20s\n"
	target   = "name: Staging EU\nbase_url: https://a.example\ncredentials: {platform_token: " +
		"\"${TOKEN}\", expired_token: file:old/token.txt}\nload: {allow: true, max_rate: 9000}\n"
)

func usual(t *testing.T) LoadJob {
	t.Helper()
	folder := t.TempDir()
	testmust.WriteFile(t, filepath.Join(folder, "old", "token.txt"), "expired-token-0123456789")
	return LoadJob{
		Options: Options{
			Image: "registry.example/gateassay:1", Results: "pvc:results", User: "65532",
			Deployment: []byte(target), DeploymentPath: filepath.Join(folder, "staging.yaml"),
		},
		Plan: []byte(planFile), PlanPath: "plan.yaml", Shards: 8, Wait: 4 * time.Minute,
	}
}

// A pod holds the parts of a template that tests compare as a whole.
type pod struct {
	Metadata struct{ Annotations map[string]string }
	Spec     struct{ Containers []struct{ Args []string } }
}

// rendered returns a manifest and its template of pods. It fails the test if the manifest lacks a
// text.
func rendered(
	t *testing.T, o interface{ Render() ([]byte, error) }, texts ...string,
) (string, pod) {
	t.Helper()
	var manifest struct {
		Spec struct {
			Template    pod
			JobTemplate struct{ Spec struct{ Template pod } } `yaml:"jobTemplate"`
		}
	}
	data := testmust.Get(o.Render())(t)
	testmust.Succeed(t, yaml.Unmarshal(data, &manifest))
	for _, text := range texts {
		testmust.Contain(t, string(data), text, data)
	}
	if scheduled := manifest.Spec.JobTemplate.Spec.Template; scheduled.Spec.Containers != nil {
		return string(data), scheduled
	}
	return string(data), manifest.Spec.Template
}

func TestTheJobFollowsFromThePlan(t *testing.T) {
	o := usual(t)
	text, pods := rendered(t, o,
		"\n  generateName: gateassay-load-\n", // a second run has another name
		"\n  completions: 8\n", "\n  parallelism: 8 ", "--shard=$(JOB_COMPLETION_INDEX)/8",
		"\n  activeDeadlineSeconds: 1760 ",                                        // 600 + 240 + 20 + 900
		"requests: {cpu: 200m, memory: 256Mi}\n            limits: {memory: 1Gi}", // 1,000/s each
		"- name: TOKEN\n", "valueFrom: {secretKeyRef: {name: gateassay-staging-eu, key: TOKEN}}",
		"{key: old_token.txt, path: old/token.txt}", "--from-file=old_token.txt=old/token.txt")
	if strings.Contains(text, "expired-token-0123456789") {
		t.Error("a secret is printed")
	}
	want := map[string]string{"gateassay/plan.yaml": planFile, "gateassay/deployment.yaml": target}
	maps.DeleteFunc(pods.Metadata.Annotations, func(key, _ string) bool { return want[key] == "" })
	if !maps.Equal(pods.Metadata.Annotations, want) {
		t.Errorf("files: %+v", pods.Metadata.Annotations)
	}
	o.Shards = 2
	o.Plan = []byte(strings.Replace(planFile, "10m", "1h", 1))
	rendered(t, o, "requests: {cpu: 650m,", // 4,000/s · 40 µs · 4
		"\n  activeDeadlineSeconds: 4760 ") // 50 minutes more
}

func TestWhatCannotBeRenderedNamesTheFlag(t *testing.T) {
	for want, change := range map[string]func(*LoadJob){
		"--shards":                func(o *LoadJob) { o.Shards = 1 },
		"--image":                 func(o *LoadJob) { o.Image = "" },
		"--results: expected pvc": func(o *LoadJob) { o.Results = "results" },
		"--results: expected the": func(o *LoadJob) { o.Results = "pvc:" },
		"--run-as":                func(o *LoadJob) { o.User = "0" },
		"--secret":                func(o *LoadJob) { o.Secret = "A" },
		"max_rate": func(o *LoadJob) {
			o.Plan = []byte("rate: 9001/s\nduration: 1m\n")
		},
		`unknown key "shards"`: func(o *LoadJob) { o.Plan = []byte("shards: 4\n") },
		"stands for itself": func(o *LoadJob) {
			o.Plan = []byte("rate: ${RATE}\nduration: 1m\n")
		},
		"staging.yaml: api_key": func(o *LoadJob) {
			o.Deployment = []byte(plain("credentials: {api_key: a-key-in-the-open-0123}"))
		},
		"below its folder": func(o *LoadJob) {
			o.Deployment = []byte(plain("credentials: {api_key: file:" +
				filepath.Join(filepath.Dir(o.DeploymentPath), "old", "token.txt") + "}"))
		},
		"can carry 200000": func(o *LoadJob) {
			o.Plan = append(o.Plan, []byte(strings.Repeat("# a comment\n", 20_000))...)
		},
	} {
		o := usual(t)
		change(&o)
		_, err := o.Render()
		testmust.FailWith(t, err, want)
	}
}

func TestADeploymentIsTestedOnceOrByASchedule(t *testing.T) {
	c := ConformJob{Options: usual(t).Options, Flags: []string{"--rule=create.*", "--strict"}}
	for schedule, texts := range map[string][]string{
		"": {"kind: Job\n", "\n  generateName: gateassay-conform-\n"},
		"0 5 * * 1-5": {
			"kind: CronJob\n", "\n  name: gateassay-conform-staging-eu\n", "\n  schedule: 0 5 * * 1-5\n",
		},
	} {
		c.Schedule = schedule
		_, pods := rendered(t, c, append(texts, fmt.Sprint("activeDeadlineSeconds: ", 100+1875+900, " "),
			"secretKeyRef: {name: gateassay-staging-eu, key: TOKEN}")...)
		want := "conform --deployment=/config/deployment.yaml --quiet --out=/results/$(RUN_ID) " +
			"--rule=create.* --strict"
		if got := strings.Join(pods.Spec.Containers[0].Args, " "); got != want ||
			pods.Metadata.Annotations["gateassay/deployment.yaml"] != target {
			t.Errorf("%s, %+v", got, pods)
		}
	}
	c.Schedule = "at five"
	_, err := c.Render()
	testmust.FailWith(t, err, "--schedule")
}

// The job contains no secret, in whatever form the deployment file has it.
func TestNoSecretIsRendered(t *testing.T) {
	const secret = "a-key-in-the-open-0123"
	for name, text := range map[string]string{
		"beside a reference": "credentials: {api_key: \"" + secret + "${K}\"}",
		"escaped":            "credentials: {api_key: \"$${" + secret + "\"}",
		"unclosed":           "credentials: {api_key: \"$${K}" + secret + "\"}",
		"of load": "credentials: {api_key: \"${K}\"}\nload: {allow: true, " +
			"credentials: [{api_key: " + secret + "}]}",
		"of OAuth 2": "credentials: {api_key: {oauth2: {token_url: https://a.example/t, " +
			"client_id: a, client_secret: " + secret + "}}}",
		"header": "credentials: {api_key: \"${K}\"}\nheaders: {x-gateway-token: " + secret + "}",
		"header of retrieval": "credentials: {api_key: \"${K}\"}\nexport: {file: {request: \"GET " +
			"/f/{file_id}\", headers: {cookie: " + secret + "}}}",
		"proxy": "credentials: {api_key: \"${K}\"}\nproxy: http://user:" + secret +
			"@proxy.example:3128",
	} {
		o := usual(t)
		o.Deployment = []byte("name: a\nbase_url: https://a.example\n" + text + "\n")
		if data, err := o.Render(); err == nil || !strings.Contains(err.Error(), "would") &&
			!strings.Contains(err.Error(), "could see") ||
			strings.Contains(err.Error()+string(data), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := usual(t)
	o.Deployment = []byte("# api_key: " + secret + "\n" +
		plain("credentials: &c # "+secret+"\n  # was "+secret+
			"\n  api_key: Bearer-${K}\n  platform_token: \"${T}\"\n  other_user: {bearer: "+
			"\"${O}\"}\nproxy: "+
			"http://me:${PASSWORD}@proxy.example:3128\nheaders: {x-gateway-token: \"${K}\"}"))
	text, pods := rendered(t, o)
	given := pods.Metadata.Annotations["gateassay/deployment.yaml"]
	if strings.Contains(text, secret) || !strings.Contains(given, "api_key: Bearer-${K}") ||
		strings.Contains(given, "#") {
		t.Errorf("rendered:\n%s", given)
	}
}

func plain(credentials string) string {
	return "name: a\nbase_url: https://a.example\n" + credentials +
		"\nload: {allow: true, max_rate: 9000}\n"
}
