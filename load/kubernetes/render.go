// Package kubernetes renders jobs: one that tests a deployment, once or by a schedule, and one that
// sends a plan from many pods, which are the shards of one run.
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

	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/store"
)

// Options are those of every job.
type Options struct {
	Image     string
	Results   string // pvc:NAME, or the URL of a bucket such as s3://bucket/load?region=eu-west-1
	User      string // UID[:GID] of the processes
	Account   string // service account; empty: the namespace's default one, without a token
	StoreKeys string // Secret whose keys are variables for the bucket's client; empty: none

	Deployment     []byte // its file
	DeploymentPath string // relative paths are looked up beside it
	Secret         string // of what the deployment file refers to; empty: gateassay-DEPLOYMENT
}

// Load is a job that sends a plan.
type Load struct {
	Options
	Plan     []byte // its file
	PlanPath string
	Shards   int
	Wait     time.Duration // for all pods to be ready
}

// Conform is a job that tests a deployment.
type Conform struct {
	Options
	Flags    []string // further ones of gateassay conform
	Depth    string   // among these; empty: the deployment file's
	Schedule string   // five fields of cron, in UTC; empty: once
}

//go:embed *.gotmpl
var manifests embed.FS

const (
	longestName = 40      // of a deployment, as a part of names in the cluster
	longestCron = 30      // the same in the name of a CronJob, which has 52 characters at most
	mostFiles   = 200_000 // bytes of plan and deployment file: annotations may have 256 KiB
)

type view struct {
	Load
	Schedule string
	Name     string // of a CronJob
	Spec     string // of a job that tests, rendered
	Args     []string
	Files    string // annotations of the pods, as YAML
	Secrets  references
	Claim    string // of the volume; empty: results are in a bucket
	UID      string
	GID      string
	Peak     string // what the plan comes to
	Title    string // of the deployment
	Seconds  int    // until the job is ended
	CPU      string // requested for a pod
}

var (
	label   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
	user    = regexp.MustCompile(`^([1-9][0-9]{0,9})(?::([0-9]{1,10}))?$`)
	plainly = regexp.MustCompile(`^[^\s"'\\{}]+$`)
	cron    = regexp.MustCompile(`^(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|` +
		`[\dA-Za-z*?/,-]+( +[\dA-Za-z*?/,-]+){4})$`)
)

// Render gives a manifest for kubectl create. Errors name the flag of gateassay kubernetes load.
func (l Load) Render() ([]byte, error) {
	v, err := l.check()
	if err == nil {
		v.Load = l
		err = v.sharded()
	}
	if err != nil {
		return nil, err
	}
	return v.render("load.gotmpl")
}

// Render gives a manifest for kubectl create, or with a schedule for kubectl apply. Errors name the
// flag of gateassay kubernetes conform.
func (c Conform) Render() ([]byte, error) {
	if c.Schedule != "" && !cron.MatchString(c.Schedule) {
		return nil, fmt.Errorf(`--schedule: expected five fields of cron, such as "0 5 * * 1-5", `+
			"found %q", c.Schedule)
	}
	v, err := c.check()
	if err != nil {
		return nil, err
	}
	v.Options, v.Schedule = c.Options, c.Schedule
	d, err := v.carry(nil)
	if err != nil {
		return nil, err
	}
	// As if requests went out as often as the limits allow, and each took its whole timeout.
	limits := d.Limits
	n := float64(limits.RequestsAtDepth(cmp.Or(c.Depth, limits.Depth)))
	longest := n * limits.Timeout.Seconds() / float64(limits.InFlight)
	if limits.RequestsPerSecond > 0 {
		longest += n / limits.RequestsPerSecond
	}
	v.Name, v.CPU = "gateassay-conform-"+named(d.Name, longestCron), fmt.Sprintf("%dm", leastCPU)
	v.Seconds = int(math.Ceil(longest + allowance.Seconds()))
	v.Args = []string{"conform", "--deployment=/config/deployment.yaml", "--quiet",
		"--out=" + v.at("$(RUN_ID)")}
	for _, flag := range c.Flags {
		v.Args = append(v.Args, strings.ReplaceAll(flag, "$(", "$$(")) // a variable of the pod
	}
	spec, err := v.render("spec")
	v.Spec = string(spec)
	if err != nil {
		return nil, err
	}
	return v.render("conform.gotmpl")
}

func (v *view) render(name string) ([]byte, error) {
	functions := template.FuncMap{"indent": indent, "at": v.at, "quote": quoted}
	t, err := template.New("").Funcs(functions).ParseFS(manifests, "*")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, name, v)
	return out.Bytes(), err
}

func (o Options) check() (*view, error) {
	v := &view{Load: Load{Options: o}}
	who := user.FindStringSubmatch(o.User)
	claim, isClaim := strings.CutPrefix(o.Results, "pvc:")
	switch {
	case !plainly.MatchString(o.Image):
		return nil, fmt.Errorf("--image: expected the image of gateassay, such as "+
			"registry.example/gateassay:2.4, found %q", o.Image)
	case who == nil:
		return nil, fmt.Errorf("--run-as: expected UID or UID:GID, no root, such as 1000:1000, "+
			"found %q", o.User)
	case isClaim && !label.MatchString(claim):
		return nil, fmt.Errorf("--results: expected the name of a persistent volume claim after "+
			"pvc:, found %q", claim)
	case !isClaim && !strings.Contains(o.Results, "://") || !plainly.MatchString(o.Results):
		return nil, fmt.Errorf("--results: expected pvc:NAME, or the URL of a bucket such as "+
			"s3://bucket/load, found %q", o.Results)
	}
	v.UID, v.GID = who[1], cmp.Or(who[2], who[1])
	if isClaim {
		v.Claim = claim
	}
	names := map[string]string{"secret": o.Secret, "service-account": o.Account,
		"store-secret": o.StoreKeys}
	for flag, name := range names {
		if name != "" && !label.MatchString(name) {
			return nil, fmt.Errorf("--%s: expected lower-case letters, digits and hyphens, found "+
				"%q", flag, name)
		}
	}
	return v, nil
}

// carry puts the deployment file and others into the annotations of the pods, by the key of each.
func (v *view) carry(others map[string]string) (*deployment.File, error) {
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
	if size > mostFiles {
		return nil, fmt.Errorf("the files of the pods have %d bytes; a job can carry %d", size,
			mostFiles)
	}
	v.Secret = cmp.Or(v.Secret, "gateassay-"+named(d.Name, longestName))
	v.Secrets, v.Title = refers, d.Name
	data, err := yaml.Marshal(files)
	v.Files = string(data)
	return d, err
}

func (v *view) sharded() error {
	if bytes.Contains(v.Plan, []byte("${")) {
		return errors.New("--plan: expected a plan that stands for itself, found ${; the pods " +
			"have no other variables than the deployment file's, so write the value")
	}
	p, err := plan.Parse(v.PlanPath, v.Plan)
	if err != nil {
		return err
	}
	d, err := v.carry(map[string]string{"gateassay/plan.yaml": string(v.Plan)})
	if err != nil {
		return err
	}
	if err := p.Permitted(d); err != nil {
		return err
	}
	s, err := p.Schedule()
	if err != nil {
		return err
	}
	if _, _, err := plan.ParseShard(fmt.Sprintf("0/%d", v.Shards)); err != nil || v.Shards < 2 {
		return fmt.Errorf("--shards: expected 2 or more, found %d", v.Shards)
	}
	v.CPU = cpu(s, v.Shards)
	v.Peak = fmt.Sprintf("up to %.6g requests a second for %s", s.PeakRate(), s.Duration())
	v.Seconds = int(math.Ceil((s.Duration() + v.Wait + p.Timeout + allowance).Seconds()))
	v.Args = []string{
		"load", "run", "--deployment=/config/deployment.yaml", "--plan=/config/plan.yaml", "--yes",
		fmt.Sprintf("--shard=$(JOB_COMPLETION_INDEX)/%d", v.Shards), "--run-id=$(RUN_ID)",
		"--ready-timeout=" + v.Wait.String(), "--out=" + v.at("$(RUN_ID)"), "--metrics=:9090",
	}
	return nil
}

// allowance is for images to be pulled, files to be awaited, and the merge.
const allowance = 15 * time.Minute

const (
	perRequest = 40 * time.Microsecond // of one CPU, measured below 5,000/s; see docs/benchmarks.md
	headroom   = 4                     // for TLS, other machines, and bursts
	leastCPU   = 200                   // thousandths
)

func cpu(s *schedule.Schedule, shards int) string {
	need := s.PeakRate() / float64(shards) * perRequest.Seconds() * headroom * 1000
	return fmt.Sprintf("%dm", max(leastCPU, int(math.Ceil(need/50))*50))
}

// at is a place below the results: a path of the volume, or an object's URL.
func (v *view) at(elements ...string) string {
	if v.Claim != "" {
		return "/results/" + strings.Join(elements, "/")
	}
	return store.Join(v.Results, elements...)
}

func indent(n int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Repeat(" ", n))
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n")
}

func quoted(s string) (string, error) {
	data, err := yaml.Marshal(s)
	return strings.TrimSpace(string(data)), err
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

func named(s string, longest int) string {
	s = strings.Trim(unfit.ReplaceAllString(strings.ToLower(filepath.ToSlash(s)), "-"), "-")
	if s = strings.TrimRight(s[:min(len(s), longest)], "-"); s == "" {
		return "deployment"
	}
	return s
}
