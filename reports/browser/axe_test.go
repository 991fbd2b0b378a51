package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
)

// Fault is a problem that axe-core finds in a page.
type Fault struct {
	ID, Impact, Help string
	Where            []string
}

// Faults runs axe-core in the page and returns its serious and critical problems.
func (p *Page) Faults() ([]Fault, error) {
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return nil, fmt.Errorf("axe-core is not there, make browser gets it: %w", err)
	}
	if _, err := evaluate[int](p, string(axe)+";0"); err != nil {
		return nil, err
	}
	return evaluate[[]Fault](p, `axe.run(document, {preload: false, resultTypes: ["violations"]}).then(
		r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => ({
			ID: v.id, Impact: v.impact, Help: v.help,
			Where: v.nodes.slice(0, 5).map(n => n.html.slice(0, 200) + " " + n.failureSummary)})))`)
}
