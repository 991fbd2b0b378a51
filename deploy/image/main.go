// Image writes the image of deploy/Dockerfile as an OCI layout, without a daemon, a base image
// or root: for machines without docker, podman and buildah. It is a separate module, so that its
// dependencies are not those of the product.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// processUser is the user and group of the processes and of their files.
const processUser = 65532

// caBundle is the file of this machine's certificate authorities, which the image gets.
const caBundle = "/etc/ssl/certs/ca-certificates.crt"

// options configures the image.
type options struct{ source, binary, out, arch, version, revision string }

func main() {
	var o options
	flag.StringVar(&o.source, "source", filepath.Join("..", ".."), "root of the repository")
	flag.StringVar(&o.binary, "binary", "",
		"static gateassay; without it one is built that has buckets")
	flag.StringVar(&o.out, "out", "", "folder for the layout, which must not exist")
	flag.StringVar(&o.arch, "arch", runtime.GOARCH, "architecture")
	flag.StringVar(&o.version, "version", "devel", "version that the image is labelled with")
	flag.StringVar(&o.revision, "revision", "unknown", "commit that the image is labelled with")
	flag.Parse()
	if err := writeLayout(o); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// writeLayout builds the binary and writes the layout.
func writeLayout(o options) error {
	if _, err := os.Stat(o.out); o.out == "" || !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("-out: expected a folder that does not exist, found %q", o.out)
	}
	image, err := buildImage(o)
	if err != nil {
		return err
	}
	to, err := layout.Write(o.out, empty.Index)
	if err != nil {
		return err
	}
	return to.AppendImage(image, layout.WithPlatform(v1.Platform{OS: "linux", Architecture: o.arch}))
}

func buildImage(o options) (v1.Image, error) {
	if o.binary == "" {
		temp, err := os.MkdirTemp("", "gateassay-image-*")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(temp) }()
		o.binary = filepath.Join(temp, "gateassay")
		c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", o.binary, ".")
		c.Dir, c.Stderr = filepath.Join(o.source, "cmd", "gateassay-cloud"), os.Stderr
		c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+o.arch)
		if err := c.Run(); err != nil {
			return nil, fmt.Errorf("go build: %w", err)
		}
	}
	files, err := packLayer(
		map[string]string{"bin/gateassay": o.binary, strings.TrimPrefix(caBundle, "/"): caBundle}, "tmp",
		"work")
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil })
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", o.arch
	config.Config = v1.Config{
		User: fmt.Sprintf("%d:%[1]d",
			processUser), WorkingDir: "/work", Entrypoint: []string{"/bin/gateassay"},
		Labels: map[string]string{
			labelPrefix + "title": "gateassay", labelPrefix + "licenses": "Apache-2.0",
			labelPrefix + "description": "Tests a payments gateway deployment against its documented rules",
			labelPrefix + "version":     o.version, labelPrefix + "revision": o.revision,
		},
	}
	return mutate.ConfigFile(image, config)
}

// labelPrefix begins the names of labels.
const labelPrefix = "org.opencontainers.image."

// packLayer makes a layer of files, by path, and empty folders. The layer is reproducible.
func packLayer(files map[string]string, folders ...string) ([]byte, error) {
	content := map[string][]byte{} // nil: a folder
	for _, folder := range folders {
		content[folder] = nil
	}
	for to, from := range files {
		data, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		content[to] = data
		for dir := path.Dir(to); dir != "."; dir = path.Dir(dir) {
			content[dir] = nil
		}
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		data := content[name]
		h := &tar.Header{
			Name: name, Mode: 0o755, Uid: processUser, Gid: processUser, Typeflag: tar.TypeDir,
		}
		if data != nil {
			h.Typeflag, h.Size = tar.TypeReg, int64(len(data))
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
