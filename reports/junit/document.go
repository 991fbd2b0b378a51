package junit

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// Limits in characters, so that a file with a failure for each rule is smaller than GitLab's limit
// of 30 MB. Jenkins cuts texts at 100,000.
const (
	maxMessageChars = 4000
	maxTextChars    = 50_000
)

// Document is a JUnit XML file. Its texts may contain anything: they are escaped and the cases
// counted when it is written.
type Document struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	// elapsed time; that of a suite is the sum of its cases
	Time   Seconds     `xml:"time,attr"`
	Suites []TestSuite `xml:"testsuite"`
	// for all suites: the deployment (empty: localhost), the time of the test, and properties after
	// their own
	Host       string     `xml:"-"`
	At         time.Time  `xml:"-"`
	Properties []Property `xml:"-"`
}

// TestSuite is a group of test cases. Set its name, cases and properties; the rest is filled in
// when it is written.
type TestSuite struct {
	Name       string     `xml:"name,attr"`
	Package    string     `xml:"package,attr"`
	ID         int        `xml:"id,attr"`
	Host       string     `xml:"hostname,attr"`
	At         string     `xml:"timestamp,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       Seconds    `xml:"time,attr"`
	Properties []Property `xml:"properties>property"`
	Cases      []TestCase `xml:"testcase"`
}

// Property is a fact about a suite.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// TestCase is a test case. CI identifies it by class and name; a duplicate gets a number, because
// GitLab drops it otherwise. At most one result is set. Output is that of a passed case and may be
// nil.
type TestCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Time    Seconds     `xml:"time,attr"`
	Failure *CaseResult `xml:"failure"`
	Error   *CaseResult `xml:"error"`
	Skipped *CaseResult `xml:"skipped"`
	Output  *CaseResult `xml:"system-out"`
}

// CaseResult is why a test case did not pass: a type, a line, and the full text; an empty text
// means the line is all. Of a passed case it has a text only.
type CaseResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr,omitempty"`
	Text    string `xml:",cdata"`
}

// Seconds is a duration written with three decimals in every locale.
type Seconds float64

// MarshalText returns the seconds with three decimals.
func (s Seconds) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.3f", max(0, float64(s))), nil
}

// MarshalXMLFile returns the document in the schema of Jenkins' xUnit plugin, the strictest in
// use. GitLab and Jenkins' JUnit step read it too.
func (d Document) MarshalXMLFile() ([]byte, error) {
	d.Name = xmlToken(d.Name)
	host, at := xmlToken(cmp.Or(strings.TrimSpace(d.Host), "localhost")), d.At.UTC()
	seen := map[[2]string]bool{}
	for i := range d.Suites {
		s := &d.Suites[i]
		s.Name, s.Package, s.ID, s.Host = xmlToken(s.Name), "gateassay", i, host
		s.At, s.Tests = at.Format("2006-01-02T15:04:05"), len(s.Cases)
		s.Properties = slices.Concat(s.Properties, d.Properties)
		for j, p := range s.Properties {
			s.Properties[j] = Property{xmlToken(p.Name), replaceUnprintable(p.Value)}
		}
		s.Time = 0
		for j := range s.Cases {
			c := &s.Cases[j]
			c.Class, c.Name = xmlToken(c.Class), xmlToken(c.Name)
			for name, n := c.Name, 2; seen[[2]string{c.Class, c.Name}]; n++ {
				c.Name = fmt.Sprintf("%s (%d)", name, n)
			}
			seen[[2]string{c.Class, c.Name}] = true
			s.Time += c.Time
			s.Failures += c.Failure.shortened()
			s.Errors += c.Error.shortened()
			s.Skipped += c.Skipped.shortened()
			if c.Output != nil {
				c.Output.Text = truncateOnLines(c.Output.Text)
			}
		}
		d.Tests, d.Failures, d.Errors = d.Tests+s.Tests, d.Failures+s.Failures, d.Errors+s.Errors
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("cannot write JUnit XML: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// shortened shortens a result to the limits of the file and returns 1, or 0 for nil.
func (r *CaseResult) shortened() int {
	if r == nil {
		return 0
	}
	r.Type, r.Message = xmlToken(r.Type), replaceUnprintable(r.Message)
	if strings.TrimSpace(r.Message) == "" {
		r.Message = "no reason is recorded"
	}
	if r.Text = truncateOnLines(r.Text); r.Text == "" { // GitLab shows the text alone
		r.Text = r.Message
	}
	return 1
}

// truncateOnLines returns a shortened text on separate lines; empty: there is none.
func truncateOnLines(text string) string {
	if text = printable.Truncate(strings.Trim(printable.CleanLines(text), "\n"),
		maxTextChars); text == "" {
		return ""
	}
	return "\n" + text + "\n"
}

func replaceUnprintable(s string) string {
	return printable.Truncate(printable.Clean(s), maxMessageChars)
}

// xmlToken returns a text as xs:token requires: single spaces between words, none around them,
// never empty.
func xmlToken(s string) string {
	if s = strings.Join(strings.Fields(replaceUnprintable(s)), " "); s == "" {
		return "unnamed"
	}
	return s
}
