package gate

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
)

type xmlSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suites  []xmlSuite `xml:"testsuite"`
}

type xmlSuite struct {
	Name       string        `xml:"name,attr"`
	Package    string        `xml:"package,attr"`
	ID         int           `xml:"id,attr"`
	Hostname   string        `xml:"hostname,attr"`
	Timestamp  string        `xml:"timestamp,attr"`
	Tests      int           `xml:"tests,attr"`
	Failures   int           `xml:"failures,attr"`
	Errors     int           `xml:"errors,attr"`
	Skipped    int           `xml:"skipped,attr"`
	Time       string        `xml:"time,attr"`
	Properties []xmlProperty `xml:"properties>property"`
	Cases      []xmlCase     `xml:"testcase"`
	Out        string        `xml:"system-out"`
	Err        string        `xml:"system-err"`
}

type xmlProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type xmlCase struct {
	Name      string     `xml:"name,attr"`
	Classname string     `xml:"classname,attr"`
	Time      string     `xml:"time,attr"`
	Failure   *xmlDetail `xml:"failure"`
	Error     *xmlDetail `xml:"error"`
}

type xmlDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a decision as JUnit XML: a suite for each deployment and for each run that could not be used, a case for
// each demand. One that does not hold is a failure, one that could not be decided an error.
func JUnit(d Decision) ([]byte, error) {
	var all xmlSuites
	at := map[string]int{}
	for _, f := range d.Findings {
		i, known := at[f.Subject]
		if !known {
			i = len(all.Suites)
			at[f.Subject] = i
			all.Suites = append(all.Suites, xmlSuite{
				Name: token(f.Subject), Package: "gateassay.gate", ID: i, Hostname: "localhost", Time: "0.000",
				Timestamp:  d.At.UTC().Format("2006-01-02T15:04:05"),
				Properties: []xmlProperty{{"policy", digest.Clean(d.Policy.File)}, {"decision", string(d.Verdict)}},
			})
		}
		s := &all.Suites[i]
		s.Tests++
		kind, _, _ := strings.Cut(f.Check, " ")
		c := xmlCase{Name: token(f.Check), Classname: "gate." + kind, Time: "0.000"} // what a build server follows over time
		if f.State == Held {
			s.Cases = append(s.Cases, c)
			continue
		}
		detail := &xmlDetail{Message: f.Message, Type: words[f.State], Text: "\n" + f.Message + "\n" + strings.Join(f.Details, "\n") + "\n"}
		if f.State == Blocked {
			c.Failure = detail
			s.Failures++
		} else {
			c.Error = detail
			s.Errors++
		}
		s.Cases = append(s.Cases, c)
	}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	enc := xml.NewEncoder(&out)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return nil, fmt.Errorf("cannot write JUnit XML: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// token is a text as xs:token wants it: one space between words, none around them, never empty.
func token(s string) string {
	if s = strings.Join(strings.Fields(digest.Clean(s)), " "); s == "" {
		return "unnamed"
	}
	return s
}
