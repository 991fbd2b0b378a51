// Package browser holds the tests that open the written pages in a headless Chromium, the way a reader does.
package browser
