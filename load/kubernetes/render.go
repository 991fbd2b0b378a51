// Package kubernetes renders the Job that sends one plan from many pods: the pods are the shards, and shard 0 merges what
// they recorded.
package kubernetes

import (
	"bytes"
	"cmp"
	_ "embed" // the manifest
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/store"
)

// Options say what is rendered.
type Options struct {
	Image     string
	Results   string // pvc:NAME, or the URL of a bucket such as s3://bucket/load?region=eu-west-1
	User      string // UID[:GID] of the processes
	Account   string // service account; empty: the namespace's default one, without a token
	StoreKeys string // Secret whose keys are variables for the bucket's client; empty: none

	Plan           []byte // its file
	PlanPath       string
	Deployment     []byte // its file
	DeploymentPath string // relative paths are looked up beside it
	Secret         string // that holds what the deployment file refers to; empty: gateassay- and the deployment's name
	Shards         int
	Wait           time.Duration // for all pods to be ready
}

//go:embed job.gotmpl
var manifest string

const (
	longestName = 40      // of what names in the cluster begin with
	mostFiles   = 200_000 // bytes of plan and deployment file: annotations may have 256 KiB
)

// view is what the template sees.
type view struct {
	Options
	Files   string // annotations of the pods, as YAML
	Secrets references
	Claim   string // of the volume; empty: results are in a bucket
	UID     string
	GID     string
	Peak    string // what the plan comes to
	Title   string // of the deployment
	Seconds int    // until the job is ended
	CPU     string // requested for a pod
}

var (
	label   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
	user    = regexp.MustCompile(`^([1-9][0-9]{0,9})(?::([0-9]{1,10}))?$`)
	plainly = regexp.MustCompile(`^[^\s"'\\{}]+$`)
)

// Render gives a manifest for kubectl create. Errors name the flag of gateassay load kubernetes.
func Render(o Options) ([]byte, error) {
	v, err := o.check()
	if err == nil {
		err = v.run()
	}
	if err != nil {
		return nil, err
	}
	t, err := template.New("").Funcs(template.FuncMap{"indent": indent, "at": v.at, "quote": quoted}).Parse(manifest)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, v)
	return out.Bytes(), err
}

// check fills in defaults and looks at names and amounts.
func (o Options) check() (*view, error) {
	v := &view{Options: o}
	who := user.FindStringSubmatch(o.User)
	claim, isClaim := strings.CutPrefix(o.Results, "pvc:")
	switch {
	case !plainly.MatchString(o.Image):
		return nil, fmt.Errorf("--image: expected the image of gateassay, such as registry.example/gateassay:2.4, "+
			"found %q", o.Image)
	case who == nil:
		return nil, fmt.Errorf("--run-as: expected UID or UID:GID, no root, such as 1000:1000, found %q", o.User)
	case isClaim && !label.MatchString(claim):
		return nil, fmt.Errorf("--results: expected the name of a persistent volume claim after pvc:, found %q", claim)
	case !isClaim && !strings.Contains(o.Results, "://") || !plainly.MatchString(o.Results):
		return nil, fmt.Errorf("--results: expected pvc:NAME, or the URL of a bucket such as s3://bucket/load, found "+
			"%q", o.Results)
	}
	v.UID, v.GID = who[1], cmp.Or(who[2], who[1])
	if isClaim {
		v.Claim = claim
	}
	for flag, name := range map[string]string{"secret": o.Secret, "service-account": o.Account, "store-secret": o.StoreKeys} {
		if name != "" && !label.MatchString(name) {
			return nil, fmt.Errorf("--%s: expected lower-case letters, digits and hyphens, found %q", flag, name)
		}
	}
	return v, nil
}

// run fills in what follows from the plan and the deployment file.
func (v *view) run() error {
	if bytes.Contains(v.Plan, []byte("${")) {
		return errors.New("--plan: expected a plan that stands for itself, found ${; the pods have no other " +
			"variables than the deployment file's, so write the value")
	}
	p, err := plan.Parse(v.PlanPath, v.Plan)
	if err != nil {
		return err
	}
	d, given, refers, err := readDeployment(v.DeploymentPath, v.Deployment)
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
	if n := len(v.Plan) + len(given); n > mostFiles {
		return fmt.Errorf("the plan and the deployment file have %d bytes; a job can carry %d", n, mostFiles)
	}
	if v.Secret == "" {
		v.Secret = "gateassay-" + named(d.Name)
	}
	v.Secrets, v.Title, v.CPU = refers, d.Name, cpu(s, v.Shards)
	v.Peak = fmt.Sprintf("up to %.6g requests a second for %s", s.PeakRate(), s.Duration())
	v.Seconds = int(math.Ceil((s.Duration() + v.Wait + p.Timeout + allowance).Seconds()))
	files, err := yaml.Marshal(map[string]string{
		"gateassay/deployment.yaml": string(given),
		"gateassay/plan.yaml":       string(v.Plan),
	})
	v.Files = string(files)
	return err
}

// allowance is for images to be pulled, files to be awaited, and the merge.
const allowance = 15 * time.Minute

const (
	perRequest = 40 * time.Microsecond // of one CPU, measured below 5,000/s; see docs/benchmarks.md
	headroom   = 4                     // for TLS, other machines, and bursts
	leastCPU   = 200                   // thousandths
)

// cpu is what a pod requests for its share of the rate, in steps of 50m.
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

// quoted is a text as a YAML scalar.
func quoted(s string) (string, error) {
	data, err := yaml.Marshal(s)
	return strings.TrimSpace(string(data)), err
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// named makes a text part of a name in the cluster.
func named(s string) string {
	s = strings.Trim(unfit.ReplaceAllString(strings.ToLower(filepath.ToSlash(s)), "-"), "-")
	if s = strings.TrimRight(s[:min(len(s), longestName)], "-"); s == "" {
		return "deployment"
	}
	return s
}
