// Package kubernetes renders jobs. A conform job tests a deployment, once or on a schedule. A
// load job sends a plan from many pods, which are the shards of one run.
package kubernetes

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
)

// Options configures any job.
type Options struct {
	Image     string
	Results   string // pvc:NAME, or the URL of a bucket such as s3://bucket/load?region=eu-west-1
	User      string // UID[:GID] of the processes
	Account   string // service account; empty: the namespace's default one, without a token
	StoreKeys string // Secret with environment variables for the bucket's client; empty: none

	Deployment     []byte // content of the deployment file
	DeploymentPath string // path of the deployment file; relative paths start at its folder
	Secret         string // Secret that the deployment file refers to; empty: gateassay-DEPLOYMENT
}

// A LoadJob sends a plan.
type LoadJob struct {
	Options
	Plan     []byte // content of the plan file
	PlanPath string
	Shards   int
	Wait     time.Duration // longest wait for all pods to be ready
}

// A ConformJob tests a deployment.
type ConformJob struct {
	Options
	Flags    []string // more flags of gateassay conform
	Depth    string   // depth among Flags; empty: that of the deployment file
	Schedule string   // five fields of cron, in UTC; empty: once
}

//go:embed *.gotmpl
var manifests embed.FS

const (
	maxNameLength     = 40      // of a deployment, as a part of names in the cluster
	maxCronNameLength = 30      // the same for a CronJob, whose name has at most 52 characters
	maxFileBytes      = 200_000 // bytes of plan and deployment file; annotations take 256 KiB
)

type manifestData struct {
	LoadJob
	Schedule string
	Name     string // of a CronJob
	Spec     string // rendered spec of a conform job
	Args     []string
	Files    string // annotations of the pods, as YAML
	Secrets  references
	Claim    string // of the volume; empty: results go to a bucket
	UID      string
	GID      string
	Peak     string // peak rate of the plan
	Title    string // of the deployment
	Seconds  int    // deadline of the job
	CPU      string // requested for a pod
}

var (
	labelPattern     = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
	userPattern      = regexp.MustCompile(`^([1-9][0-9]{0,9})(?::([0-9]{1,10}))?$`)
	plainTextPattern = regexp.MustCompile(`^[^\s"'\\{}]+$`)
	cronPattern      = regexp.MustCompile(
		`^(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|` +
			`[\dA-Za-z*?/,-]+( +[\dA-Za-z*?/,-]+){4})$`,
	)
)

// Render returns a manifest for kubectl create. Errors name the flag of gateassay kubernetes
// load.
func (l LoadJob) Render() ([]byte, error) {
	v, err := l.check()
	if err == nil {
		v.LoadJob = l
		err = v.addShards()
	}
	if err != nil {
		return nil, err
	}
	return v.render("load.gotmpl")
}

// Render returns a manifest for kubectl create, or for kubectl apply if there is a schedule.
// Errors name the flag of gateassay kubernetes conform.
func (c ConformJob) Render() ([]byte, error) {
	if c.Schedule != "" && !cronPattern.MatchString(c.Schedule) {
		return nil, fmt.Errorf(`--schedule: expected five fields of cron, such as "0 5 * * 1-5", `+
			"found %q", c.Schedule)
	}
	v, err := c.check()
	if err != nil {
		return nil, err
	}
	v.Options, v.Schedule = c.Options, c.Schedule
	d, err := v.embedFiles(nil)
	if err != nil {
		return nil, err
	}
	// Assume the highest request rate that the limits allow, and the full timeout for each
	// request.
	limits := d.Limits
	n := float64(limits.RequestsAtDepth(cmp.Or(c.Depth, limits.Depth)))
	longest := n * limits.Timeout.Seconds() / float64(limits.InFlight)
	if limits.RequestsPerSecond > 0 {
		longest += n / limits.RequestsPerSecond
	}
	v.Name = "gateassay-conform-" + resourceName(d.Name, maxCronNameLength)
	v.CPU = fmt.Sprintf("%dm", minMilliCPU)
	v.Seconds = int(math.Ceil(longest + jobAllowance.Seconds()))
	v.Args = []string{
		"conform", "--deployment=/config/deployment.yaml", "--quiet",
		"--out=" + v.resultsPath("$(RUN_ID)"),
	}
	for _, flag := range c.Flags {
		v.Args = append(v.Args, strings.ReplaceAll(flag, "$(", "$$(")) // escapes $(NAME)
	}
	spec, err := v.render("spec")
	v.Spec = string(spec)
	if err != nil {
		return nil, err
	}
	return v.render("conform.gotmpl")
}

func (v *manifestData) render(name string) ([]byte, error) {
	functions := template.FuncMap{"indent": indentLines, "at": v.resultsPath, "quote": quoteYAML}
	t, err := template.New("").Funcs(functions).ParseFS(manifests, "*")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, name, v)
	return out.Bytes(), err
}

func (o Options) check() (*manifestData, error) {
	v := &manifestData{LoadJob: LoadJob{Options: o}}
	who := userPattern.FindStringSubmatch(o.User)
	claim, isClaim := strings.CutPrefix(o.Results, "pvc:")
	switch {
	case !plainTextPattern.MatchString(o.Image):
		return nil, fmt.Errorf("--image: expected the image of gateassay, such as "+
			"registry.example/gateassay:2.4, found %q", o.Image)
	case who == nil:
		return nil, fmt.Errorf("--run-as: expected UID or UID:GID, no root, such as 1000:1000, "+
			"found %q", o.User)
	case isClaim && !labelPattern.MatchString(claim):
		return nil, fmt.Errorf("--results: expected the name of a persistent volume claim after "+
			"pvc:, found %q", claim)
	case !isClaim && !strings.Contains(o.Results, "://") || !plainTextPattern.MatchString(o.Results):
		return nil, fmt.Errorf("--results: expected pvc:NAME, or the URL of a bucket such as "+
			"s3://bucket/load, found %q", o.Results)
	}
	v.UID, v.GID = who[1], cmp.Or(who[2], who[1])
	if isClaim {
		v.Claim = claim
	}
	names := map[string]string{
		"secret": o.Secret, "service-account": o.Account,
		"store-secret": o.StoreKeys,
	}
	for flag, name := range names {
		if name != "" && !labelPattern.MatchString(name) {
			return nil, fmt.Errorf("--%s: expected lower-case letters, digits and hyphens, found "+
				"%q", flag, name)
		}
	}
	return v, nil
}

// embedFiles puts the deployment file and others, by key, into the annotations of the pods.
func (v *manifestData) embedFiles(others map[string]string) (*deployment.File, error) {
	d, given, refers, err := readDeployment(v.DeploymentPath, v.Deployment)
	if err != nil {
		return nil, err
	}
	files := map[string]string{"gateassay/deployment.yaml": string(given)}
	maps.Copy(files, others)
	size := 0
	for _, text := range files {
		size += len(text)
	}
	if size > maxFileBytes {
		return nil, fmt.Errorf("the files of the pods have %d bytes; a job can carry %d", size,
			maxFileBytes)
	}
	v.Secret = cmp.Or(v.Secret, "gateassay-"+resourceName(d.Name, maxNameLength))
	v.Secrets, v.Title = refers, d.Name
	data, err := yaml.Marshal(files)
	v.Files = string(data)
	return d, err
}

func (v *manifestData) addShards() error {
	if bytes.Contains(v.Plan, []byte("${")) {
		return errors.New("--plan: expected a plan that stands for itself, found ${; the pods " +
			"have no other variables than the deployment file's, so write the value")
	}
	p, err := plan.Parse(v.PlanPath, v.Plan)
	if err != nil {
		return err
	}
	d, err := v.embedFiles(map[string]string{"gateassay/plan.yaml": string(v.Plan)})
	if err != nil {
		return err
	}
	if err := p.CheckPermitted(d); err != nil {
		return err
	}
	s, err := p.Schedule()
	if err != nil {
		return err
	}
	if _, _, err := plan.ParseShard(fmt.Sprintf("0/%d", v.Shards)); err != nil || v.Shards < 2 {
		return fmt.Errorf("--shards: expected 2 or more, found %d", v.Shards)
	}
	v.CPU = cpuRequest(s, v.Shards)
	v.Peak = fmt.Sprintf("up to %.6g requests a second for %s", s.PeakRate(), s.Duration())
	v.Seconds = int(math.Ceil((s.Duration() + v.Wait + p.Timeout + jobAllowance).Seconds()))
	v.Args = []string{
		"load", "run", "--deployment=/config/deployment.yaml", "--plan=/config/plan.yaml", "--yes",
		fmt.Sprintf("--shard=$(JOB_COMPLETION_INDEX)/%d", v.Shards), "--run-id=$(RUN_ID)",
		"--ready-timeout=" + v.Wait.String(), "--out=" + v.resultsPath("$(RUN_ID)"), "--metrics=:9090",
	}
	return nil
}

// jobAllowance is the time for pulling images, awaiting files, and the merge.
const jobAllowance = 15 * time.Minute

const (
	// of one CPU, measured below 5,000/s; see docs/benchmarks.md
	cpuTimePerRequest = 40 * time.Microsecond
	cpuHeadroom       = 4   // for TLS, other machines, and bursts
	minMilliCPU       = 200 // thousandths
)

func cpuRequest(s *schedule.Schedule, shards int) string {
	need := s.PeakRate() / float64(shards) * cpuTimePerRequest.Seconds() * cpuHeadroom * 1000
	return fmt.Sprintf("%dm", max(minMilliCPU, int(math.Ceil(need/50))*50))
}

// resultsPath returns a place below the results: a path on the volume or the URL of an object.
func (v *manifestData) resultsPath(elements ...string) string {
	if v.Claim != "" {
		return "/results/" + strings.Join(elements, "/")
	}
	return store.JoinPlace(v.Results, elements...)
}

func indentLines(n int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Repeat(" ", n))
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n")
}

func quoteYAML(s string) (string, error) {
	data, err := yaml.Marshal(s)
	return strings.TrimSpace(string(data)), err
}

var invalidNameChars = regexp.MustCompile(`[^a-z0-9]+`)

func resourceName(s string, longest int) string {
	s = strings.Trim(invalidNameChars.ReplaceAllString(strings.ToLower(filepath.ToSlash(s)), "-"), "-")
	if s = strings.TrimRight(s[:min(len(s), longest)], "-"); s == "" {
		return "deployment"
	}
	return s
}
