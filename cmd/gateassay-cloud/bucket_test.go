package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
)

// TestMain builds the command with support for S3.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		bin, err := os.MkdirTemp("", "gateassay-bin-*")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(bin)
		build := exec.Command("go", "build", "-o", filepath.Join(bin, "gateassay"), ".")
		if said, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v: %s", err, said)
			return 1
		}
		os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		os.Setenv("AWS_ACCESS_KEY_ID", "any")
		os.Setenv("AWS_SECRET_ACCESS_KEY", "any")
		return m.Run()
	}())
}

// startBucket starts a server with one bucket and returns the URL of a place in it.
func startBucket(t *testing.T) string {
	t.Helper()
	backend := s3mem.New()
	testmust.Succeed(t, backend.CreateBucket("load"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	return "s3://load/runs?region=us-east-1&use_path_style=true&endpoint=" + server.URL
}

func opened(t *testing.T, place string) store.Store {
	t.Helper()
	b := testmust.Get(store.Buckets(openBucket).Open(t.Context(), place))(t)
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func TestAnObjectIsCreatedOnce(t *testing.T) {
	place := startBucket(t)
	var made atomic.Int64
	var all sync.WaitGroup
	for i := range 16 {
		b := opened(t, place)
		all.Go(func() {
			switch err := store.CreateSmall(t.Context(), b, "start", fmt.Appendf(nil, "%d", i)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	all.Wait()
	testmust.Equal(t, made.Load(), 1, "objects of 16 that are made")
	b := opened(t, place)
	if _, err := store.ReadAll(t.Context(), b, "absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	if list, err := b.List(t.Context(), "st"); err != nil || len(list) != 1 ||
		list[0].Key != "start" {
		t.Errorf("%v, %v", list, err)
	}
}

// gateway starts the reference gateway in a separate process and returns its deployment file.
func gateway(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "up.yaml")
	c := exec.Command("gateassay", "serve", "--addr", "127.0.0.1:0", "--deployment-out", file)
	testmust.Succeed(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return file
		}
		if time.Now().After(end) {
			t.Fatal("the gateway did not start")
		}
	}
}

// process is a running command.
type process struct {
	*exec.Cmd
	said bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command("gateassay", args...)}
	p.Stdout, p.Stderr = &p.said, &p.said
	p.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	testmust.Succeed(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

func (p *process) code() int { _ = p.Wait(); return p.ProcessState.ExitCode() }

func shards(t *testing.T, place, deployment string, n int, flags ...string) []*process {
	t.Helper()
	var all []*process
	for i := range n {
		all = append(all, start(t, append([]string{
			"load", "run", "-d", deployment, "--yes", "-q", "--run-id", "r1", "--shard",
			fmt.Sprintf("%d/%d", i, n),
			"--rate", "60/s", "--duration", "8s",
			"--ready-timeout", "1m", "--out", store.JoinPlace(place, "r1"),
		}, flags...)...))
	}
	return all
}

// keys returns the keys at a place.
func keys(t *testing.T, place string) string {
	t.Helper()
	list := testmust.Get(opened(t, place).List(t.Context(), ""))(t)
	var all []string
	for _, o := range list {
		all = append(all, o.Key)
	}
	return strings.Join(all, " ")
}

// TestShardsMeetAndMergeInABucket runs shards without a shared folder.
func TestShardsMeetAndMergeInABucket(t *testing.T) {
	t.Parallel()
	place, deployment := startBucket(t), gateway(t)
	into := store.JoinPlace(place, "r1", "merged")
	all := shards(t, place, deployment, 3)
	for i, p := range all {
		if got := p.code(); got != 0 &&
			(got != 3 || !strings.Contains(p.said.String(), "describe the generator")) {
			t.Errorf("shard %d: exit code %d: %s", i, got, p.said.String())
		}
	}
	testmust.Contain(t, all[0].said.String(), into, "shard 0")
	data := testmust.Get(store.ReadAll(t.Context(), opened(t, into), "run.json"))(t)
	var run results.Run
	err := json.Unmarshal(data, &run)
	if err != nil || run.Requests.Scheduled != 480 ||
		run.Requests.Accepted+run.Requests.Blocked != 480 ||
		run.Merge == nil || run.Merge.Unknown != 0 ||
		!strings.HasPrefix(run.Merge.Shards[1].Folder, "s3://load/runs/r1/1") {
		t.Errorf("%v, %+v, %+v", err, run.Requests, run.Merge)
	}
	if found := keys(t, store.JoinPlace(place, "r1")); !strings.Contains(found, "2/report.html") ||
		!strings.Contains(found, "merged/report.html") {
		t.Errorf("in the bucket: %s", found)
	}
	again := start(t, "load", "run", "--rate", "10/s", "--duration", "1s", "--out",
		store.JoinPlace(place, "r1", "0"))
	testmust.Equal(t, again.code(), 2)
	testmust.Contain(t, again.said.String(), "is left as it is")
}
