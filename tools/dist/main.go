// Command dist builds what a release consists of: a static binary for each platform, SHA256SUMS, a bill of materials
// (CycloneDX) and the licences of everything that is linked. The same commit and the same Go give the same bytes.
//
//	go run -C tools ./dist -out ../dist
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

const command = "./cmd/gateassay"

func main() {
	out := flag.String("out", "dist", "`FOLDER` of the release, from the root of the repository")
	only := flag.String("only", "", "build this `OS/ARCH` only")
	flag.Parse()
	if *only != "" {
		platforms = []string{*only}
	}
	if err := dist(*out); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func dist(out string) error {
	root, err := filepath.Abs("..") // of tools
	if err != nil {
		return err
	}
	if !filepath.IsAbs(out) {
		out = filepath.Join(root, out)
	}
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	linked := map[string]*debug.Module{}
	var info *buildinfo.BuildInfo
	for _, platform := range platforms {
		name, err := build(root, out, platform)
		if err != nil {
			return err
		}
		if info, err = buildinfo.ReadFile(filepath.Join(out, name)); err != nil {
			return err
		}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			linked[m.Path] = m
		}
	}
	byPath := func(a, b *debug.Module) int { return strings.Compare(a.Path, b.Path) }
	modules := slices.SortedFunc(maps.Values(linked), byPath)
	folders, err := foldersOf(root)
	if err != nil {
		return err
	}
	licences, err := licencesOf(root, modules, folders)
	if err != nil {
		return err
	}
	if err := writeLicences(out, modules, licences); err != nil {
		return err
	}
	if err := writeMaterials(out, info, modules, licences); err != nil {
		return err
	}
	return writeSums(out)
}

func build(root, out, platform string) (string, error) {
	system, arch, _ := strings.Cut(platform, "/")
	name := "gateassay_" + system + "_" + arch
	if system == "windows" {
		name += ".exe"
	}
	c := goOn(root, platform, "build", "-trimpath", "-tags=otlp", "-buildvcs=true", "-ldflags=-s -w -buildid=",
		"-o", filepath.Join(out, name), command)
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", platform, err)
	}
	if system == "linux" {
		return name, static(filepath.Join(out, name))
	}
	return name, nil
}

// static fails when a binary needs a loader or a library of the machine on which it runs.
func static(path string) error {
	file, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("%s is not static", path)
		}
	}
	return nil
}

// goOn is Go for a platform, without what the environment has set for this machine.
func goOn(root, platform string, args ...string) *exec.Cmd {
	system, arch, _ := strings.Cut(platform, "/")
	c := exec.Command("go", args...)
	c.Dir, c.Stderr = root, os.Stderr
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch, "GOFLAGS=", "GOWORK=off",
		"GOAMD64=", "GOARM64=", "GOEXPERIMENT=", "GOFIPS140=")
	return c
}

type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref"`
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	URL      string           `json:"purl"`
	Licences []map[string]any `json:"licenses,omitempty"`
}

func componentOf(kind, path, version string, ids ...string) component {
	url := "pkg:golang/" + path + "@" + version
	c := component{Type: kind, Ref: url, Name: path, Version: version, URL: url}
	switch len(ids) {
	case 0:
	case 1:
		c.Licences = []map[string]any{{"license": map[string]string{"id": ids[0]}}}
	default:
		c.Licences = []map[string]any{{"expression": strings.Join(ids, " AND ")}}
	}
	return c
}

// writeMaterials writes the bill of materials of all binaries together. It holds no time and no random number.
func writeMaterials(out string, info *buildinfo.BuildInfo, modules []*debug.Module, licences map[string]licence) error {
	own := componentOf("application", info.Main.Path, info.Main.Version, "Apache-2.0")
	parts := []component{componentOf("library", "std", strings.TrimPrefix(info.GoVersion, "go"), licences["std"].ids...)}
	refs := []string{parts[0].Ref}
	for _, m := range modules {
		c := componentOf("library", m.Path, m.Version, licences[m.Path].ids...)
		parts, refs = append(parts, c), append(refs, c.Ref)
	}
	data, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{"component": own}, "components": parts,
		"dependencies": []any{map[string]any{"ref": own.Ref, "dependsOn": refs}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "sbom.cdx.json"), append(data, '\n'), 0o644)
}

func writeSums(out string) error {
	var sums strings.Builder
	err := filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), e.Name())
		return err
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
