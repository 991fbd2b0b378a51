package kubernetes

import (
	"os"
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
	testmust.Succeed(t, os.Mkdir(filepath.Join(folder, "old"), 0o755))
	testmust.Succeed(t, os.WriteFile(filepath.Join(folder, "old", "token.txt"),
		[]byte("expired-token-0123456789"), 0o600))
	return LoadJob{
		Options: Options{
			Image: "registry.example/gateassay:1", Results: "pvc:results", User: "65532",
			Deployment: []byte(target), DeploymentPath: filepath.Join(folder, "staging.yaml"),
		},
		Plan: []byte(planFile), PlanPath: "plan.yaml", Shards: 8, Wait: 4 * time.Minute,
	}
}

// A job holds the parts of a manifest that the tests check.
type job struct {
	Kind     string
	Metadata struct {
		Name         string
		GenerateName string `yaml:"generateName"`
	}
	Spec struct {
		Completions, Parallelism int
		ActiveDeadlineSeconds    int `yaml:"activeDeadlineSeconds"`
		Template                 struct {
			Metadata struct{ Annotations map[string]string }
			Spec     struct {
				SecurityContext struct {
					RunAsUser int `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []struct {
					Args []string
					Env  []struct {
						Name      string
						ValueFrom struct {
							SecretKeyRef struct{ Name, Key string } `yaml:"secretKeyRef"`
						} `yaml:"valueFrom"`
					}
					Resources struct{ Requests, Limits map[string]string }
				}
				Volumes []map[string]any
			}
		}
	}
}

func rendered(t *testing.T, o interface{ Render() ([]byte, error) }) (job, string) {
	t.Helper()
	data := testmust.Get(o.Render())(t)
	var j job
	if err := yaml.Unmarshal(data, &j); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	return j, string(data)
}

func TestTheJobFollowsFromThePlan(t *testing.T) {
	o := usual(t)
	j, text := rendered(t, o)
	c := j.Spec.Template.Spec.Containers[0]
	args := strings.Join(c.Args, " ")
	switch {
	case j.Metadata.GenerateName != "gateassay-load-" || j.Metadata.Name != "":
		t.Errorf("a second run would be the first: %+v", j.Metadata)
	case j.Spec.Completions != 8 || j.Spec.Parallelism != 8 ||
		!strings.Contains(args, "--shard=$(JOB_COMPLETION_INDEX)/8"):
		t.Errorf("the number of shards: %+v, %s", j.Spec, args)
	case j.Spec.ActiveDeadlineSeconds < 600+240+20+120 || j.Spec.ActiveDeadlineSeconds > 3600:
		t.Errorf("the deadline: %d", j.Spec.ActiveDeadlineSeconds)
	// 8 pods at 1,000/s
	case c.Resources.Requests["cpu"] != "200m" || c.Resources.Limits["cpu"] != "":
		t.Errorf("resources: %+v", c.Resources)
	case j.Spec.Template.Metadata.Annotations["gateassay/plan.yaml"] != planFile ||
		j.Spec.Template.Metadata.Annotations["gateassay/deployment.yaml"] != string(o.Deployment):
		t.Errorf("files: %+v", j.Spec.Template.Metadata.Annotations)
	case c.Env[1].Name != "TOKEN" || c.Env[1].ValueFrom.SecretKeyRef.Name != "gateassay-staging-eu" ||
		c.Env[1].ValueFrom.SecretKeyRef.Key != "TOKEN":
		t.Errorf("secrets: %+v", c.Env)
	case !strings.Contains(text, "{key: old_token.txt, path: old/token.txt}") ||
		!strings.Contains(text, "--from-file=old_token.txt=old/token.txt"):
		t.Errorf("secret files in\n%s", text)
	case strings.Contains(text, "expired-token-0123456789"):
		t.Error("a secret is printed")
	}
	o.Shards = 2
	// 4,000/s · 40 µs · 4
	if j, _ := rendered(t, o); j.Spec.Template.Spec.Containers[0].Resources.Requests["cpu"] != "650m" {
		t.Errorf("a faster pod requests %+v", j.Spec.Template.Spec.Containers[0].Resources)
	}
	o.Plan = []byte(strings.Replace(planFile, "10m", "1h", 1))
	if longer, _ := rendered(t,
		o); longer.Spec.ActiveDeadlineSeconds-j.Spec.ActiveDeadlineSeconds != 50*60 {
		t.Errorf("the deadline of an hour is %d, of 10 minutes %d",
			longer.Spec.ActiveDeadlineSeconds, j.Spec.ActiveDeadlineSeconds)
	}
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
		if _, err := o.Render(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestADeploymentIsTestedOnceOrByASchedule(t *testing.T) {
	c := ConformJob{Options: usual(t).Options, Flags: []string{"--rule=create.*", "--strict"}}
	once, _ := rendered(t, c)
	if c.Schedule = "0 5 * * 1-5"; once.Kind != "Job" ||
		once.Metadata.GenerateName != "gateassay-conform-" {
		t.Errorf("%+v", once)
	}
	data := testmust.Get(c.Render())(t)
	var by struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     struct {
			Schedule, ConcurrencyPolicy string
			JobTemplate                 job `yaml:"jobTemplate"`
		}
	}
	testmust.Succeed(t, yaml.Unmarshal(data, &by))
	if by.Kind != "CronJob" || by.Metadata.Name != "gateassay-conform-staging-eu" ||
		by.Spec.Schedule != c.Schedule {
		t.Errorf("%+v", by)
	}
	for _, j := range []job{once, by.Spec.JobTemplate} {
		container := j.Spec.Template.Spec.Containers[0]
		want := "conform --deployment=/config/deployment.yaml --quiet --out=/results/$(RUN_ID) " +
			"--rule=create.* --strict"
		if got := strings.Join(container.Args, " "); got != want || len(container.Env) != 2 ||
			j.Spec.ActiveDeadlineSeconds != 100+1875+900 ||
			j.Spec.Template.Metadata.Annotations["gateassay/deployment.yaml"] != target {
			t.Errorf("%s, %+v", got, j.Spec)
		}
	}
	c.Schedule = "at five"
	if _, err := c.Render(); err == nil || !strings.Contains(err.Error(), "--schedule") {
		t.Error(err)
	}
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
	j, text := rendered(t, o)
	given := j.Spec.Template.Metadata.Annotations["gateassay/deployment.yaml"]
	if strings.Contains(text, secret) || !strings.Contains(given, "api_key: Bearer-${K}") ||
		strings.Contains(given, "#") {
		t.Errorf("rendered:\n%s", given)
	}
}

func plain(credentials string) string {
	return "name: a\nbase_url: https://a.example\n" + credentials +
		"\nload: {allow: true, max_rate: 9000}\n"
}
