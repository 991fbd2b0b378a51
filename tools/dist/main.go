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
	"regexp"
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
	c := goOn(root, platform, "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=",
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

// foldersOf are those of the packages that are linked on any platform.
func foldersOf(root string) (map[string]bool, error) {
	folders := map[string]bool{}
	for _, platform := range platforms {
		list, err := goOn(root, platform, "list", "-deps", "-f", "{{.Dir}}", command).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", platform, err)
		}
		for dir := range strings.Lines(string(list)) {
			folders[strings.TrimSpace(dir)] = true
		}
	}
	return folders, nil
}

// licence is the texts of a module, and what they are called.
type licence struct {
	ids   []string // SPDX; none: not recognised
	texts []string
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// licencesOf reads the licences of modules out of the module cache, and that of Go. What a module took from others lies
// in a folder of its own, with its licence.
func licencesOf(root string, modules []*debug.Module, folders map[string]bool) (map[string]licence, error) {
	found := map[string]licence{}
	read := func(path, dir string, folders map[string]bool) error {
		l, err := licenceIn(dir)
		if err != nil {
			return err
		}
		if len(l.texts) == 0 {
			return fmt.Errorf("%s: no licence in %s; say where it is before it is released", path, dir)
		}
		within := map[string]bool{}
		for folder := range folders {
			for ; strings.HasPrefix(folder, dir+string(filepath.Separator)); folder = filepath.Dir(folder) {
				within[folder] = true
			}
		}
		for _, folder := range slices.Sorted(maps.Keys(within)) {
			inner, err := licenceIn(folder)
			if err != nil {
				return err
			}
			l.add(inner)
		}
		found[path] = l
		return nil
	}
	for _, m := range modules {
		c := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
		c.Dir, c.Stderr = root, os.Stderr
		answer, err := c.Output()
		var downloaded struct{ Dir string }
		if err := errors.Join(err, json.Unmarshal(answer, &downloaded)); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		if err := read(m.Path, downloaded.Dir, folders); err != nil {
			return nil, err
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	// What lies further in, such as a crypto library in C, is linked only with cgo.
	return found, read("std", strings.TrimSpace(string(goroot)), nil)
}

var blanks = regexp.MustCompile(`\s+`)

// licenceIn reads the licences that lie in a folder.
func licenceIn(dir string) (l licence, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return l, err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && licenceFile.MatchString(e.Name()) {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return l, err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
			l.add(licence{identified(text), []string{text}})
		}
	}
	return l, nil
}

func (l *licence) add(more licence) {
	for _, id := range more.ids {
		if !slices.Contains(l.ids, id) {
			l.ids = append(l.ids, id)
		}
	}
	for _, text := range more.texts {
		if !slices.Contains(l.texts, text) {
			l.texts = append(l.texts, text)
		}
	}
}

// known are sentences that only one of the licences holds that Go modules usually have.
var known = []struct {
	id    string
	holds []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "Neither the name"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"ISC", []string{"Permission to use, copy, modify, and distribute this software for any purpose with or without fee"}},
	{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining a copy"}},
	{"CC0-1.0", []string{"CC0 1.0 Universal"}},
}

// identified names the licences that a text holds: of what a module took from others, often more than one.
func identified(text string) (ids []string) {
	text = blanks.ReplaceAllString(text, " ")
	for _, k := range known {
		missing := slices.ContainsFunc(k.holds, func(part string) bool { return !strings.Contains(text, part) })
		if !missing && (k.id != "BSD-2-Clause" || !slices.Contains(ids, "BSD-3-Clause")) {
			ids = append(ids, k.id)
		}
	}
	return ids
}

func writeLicences(out string, modules []*debug.Module, licences map[string]licence) error {
	var b strings.Builder
	b.WriteString("gateassay is licensed under Apache-2.0. Its binaries hold parts of the following works.\n")
	part := func(title string, l licence) {
		rule := strings.Repeat("=", 80)
		fmt.Fprintf(&b, "\n%s\n%s (%s)\n%[1]s\n\n%[4]s\n", rule, title, l.named(), strings.Join(l.texts, "\n\n"))
	}
	part("The Go standard library", licences["std"])
	for _, m := range modules {
		part(m.Path+" "+m.Version, licences[m.Path])
	}
	return os.WriteFile(filepath.Join(out, "LICENSES.txt"), []byte(b.String()), 0o644)
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

func (l licence) named() string {
	if len(l.ids) == 0 {
		return "see below"
	}
	return strings.Join(l.ids, " AND ")
}
