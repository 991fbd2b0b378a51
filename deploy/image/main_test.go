package main

import (
	"archive/tar"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheImageRuns reads the layout as a registry does, and runs its binary.
func TestTheImageRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "layout")
	o := options{
		source: filepath.Join("..", ".."), out: dir, arch: os.Getenv("GOARCH"),
		version: "v1.2.3", revision: "abc",
	}
	if o.arch == "" {
		o.arch = "amd64"
	}
	if testing.Short() { // gateassay-cloud takes ten times as long to compile
		o.binary = filepath.Join(t.TempDir(), "gateassay")
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", o.binary, "./cmd/gateassay")
		build.Dir, build.Env = o.source, append(os.Environ(), "CGO_ENABLED=0")
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	check(t, writeLayout(o))
	index, err := layout.ImageIndexFromPath(dir)
	check(t, err)
	manifest, err := index.IndexManifest()
	check(t, err)
	image, err := index.Image(manifest.Manifests[0].Digest)
	check(t, err)
	file, err := image.ConfigFile()
	check(t, err)
	c := file.Config
	if c.User != "65532:65532" || c.Entrypoint[0] != "/bin/gateassay" || file.OS != "linux" ||
		file.Architecture != o.arch || c.Labels[labelPrefix+"version"] != "v1.2.3" ||
		len(c.Labels) != 5 || len(file.RootFS.DiffIDs) != 1 {
		t.Errorf("%+v", file)
	}
	dockerfile, err := os.ReadFile(filepath.Join("..", "Dockerfile"))
	check(t, err)
	for _, want := range []string{"USER " +
		c.User, "WORKDIR " + c.WorkingDir, `ENTRYPOINT ["` + c.Entrypoint[0] + `"]`} {
		if !strings.Contains(string(dockerfile), want) {
			t.Errorf("deploy/Dockerfile makes another image: no %s", want)
		}
	}
	for name := range c.Labels {
		if !strings.Contains(string(dockerfile), name+"=") {
			t.Errorf("deploy/Dockerfile has no label %s", name)
		}
	}
	binary, certificates := unpacked(t, image)
	if !strings.Contains(certificates, "-----BEGIN CERTIFICATE-----") {
		t.Error("the image trusts nobody")
	}
	run := exec.Command(binary, "conform", "--rule", "auth.missing", "--quiet", "--out",
		filepath.Join(t.TempDir(), "run"))
	run.Env = []string{"PATH=", "HOME=/"}
	if said, err := run.CombinedOutput(); err != nil ||
		!strings.Contains(string(said), "exit code 0") {
		t.Errorf("%v: %s", err, said)
	}
}

// unpacked returns the path of an image's binary and its certificate authorities.
func unpacked(t *testing.T, image v1.Image) (binary, certificates string) {
	t.Helper()
	layers, err := image.Layers()
	check(t, err)
	content, err := layers[0].Uncompressed()
	check(t, err)
	defer content.Close()
	for r := tar.NewReader(content); ; {
		h, err := r.Next()
		if err == io.EOF {
			return binary, certificates
		}
		check(t, err)
		if h.Uid != processUser || h.Gid != processUser {
			t.Errorf("%s belongs to %d:%d", h.Name, h.Uid, h.Gid)
		}
		data, err := io.ReadAll(r)
		check(t, err)
		switch h.Name {
		case "bin/gateassay":
			binary = filepath.Join(t.TempDir(), "gateassay")
			check(t, os.WriteFile(binary, data, 0o755))
		case "etc/ssl/certs/ca-certificates.crt":
			certificates = string(data)
		}
	}
}
