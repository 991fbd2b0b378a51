package reports_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// Makes the page and the JUnit file of a run from its run.json, as after an update of gateassay.
func ExampleWrite() {
	folder := recordedRun()
	defer os.RemoveAll(folder)
	if err := reports.Write(folder, reports.FormatHTML, reports.FormatJUnit); err != nil {
		log.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, file := range files {
		fmt.Println(filepath.Base(file))
	}
	// Output:
	// junit.xml
	// report.html
	// run.json
}

func recordedRun() string {
	folder, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	data, err := recordtest.SampleRun().JSON()
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "run.json"), data, 0o600)
	}
	if err != nil {
		log.Fatal(err)
	}
	return folder
}
