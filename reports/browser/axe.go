package browser

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The versions of what comes from the npm registry, with the hashes that npm checks.
//
//go:embed package.json package-lock.json
var pinned embed.FS

// Axe is the source of axe-core at the pinned version. It is fetched once, into the user's cache.
func Axe(ctx context.Context) (string, error) {
	folder, err := fetched(ctx)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	return string(source), err
}

func fetched(ctx context.Context) (string, error) {
	lock, err := pinned.ReadFile("package-lock.json")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "gateassay")
	folder := filepath.Join(cache, "npm-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(cache, "fetching-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := pinned.ReadFile(name)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o644); err != nil {
			return "", err
		}
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = fresh
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci (install the package npm, or run make browser): %w\n%s", err, out)
	}
	if err := os.Rename(fresh, folder); err != nil {
		if _, there := os.Stat(folder); there != nil { // another process may have been faster
			return "", err
		}
	}
	return folder, nil
}

// Fault is something that axe-core finds wrong with a page.
type Fault struct {
	ID, Impact, Help string
	Where            []string
}

// Faults runs axe-core in the page and returns what it calls serious or critical.
func (p *Page) Faults(axe string) ([]Fault, error) {
	if _, err := Eval[int](p, axe+";0"); err != nil {
		return nil, err
	}
	return Eval[[]Fault](p, `axe.run(document, {preload: false, resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => ({ID: v.id, Impact: v.impact, Help: v.help, Where: v.nodes.slice(0, 5).map(n => n.html.slice(0, 200) + " " + n.failureSummary)})))`)
}
