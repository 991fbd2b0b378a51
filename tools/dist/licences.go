package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// foldersOf are those of the packages that are linked on any platform.
func foldersOf(root string) (map[string]bool, error) {
	folders := map[string]bool{}
	for _, platform := range platforms {
		list, err := goOn(root, platform, "list", "-tags=otlp", "-deps", "-f", "{{.Dir}}", command).Output()
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

func (l licence) named() string {
	if len(l.ids) == 0 {
		return "see below"
	}
	return strings.Join(l.ids, " AND ")
}
