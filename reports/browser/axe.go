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
	lock, err := pinned.ReadFile("package-lock.json")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	folder := filepath.Join(cache, "gateassay", "npm-"+hex.EncodeToString(sum[:6]))
	source := filepath.Join(folder, "node_modules", "axe-core", "axe.min.js")
	if found, err := os.ReadFile(source); err == nil {
		return string(found), nil
	}
	if err := os.RemoveAll(folder); err != nil { // what a fetch that was cut off has left
		return "", err
	}
	if err := os.CopyFS(folder, pinned); err != nil {
		return "", err
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci (install the package npm, or run make browser): %w\n%s", err, out)
	}
	found, err := os.ReadFile(source)
	return string(found), err
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
