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

// Bounds in characters, so that a file with a failure for each rule stays below the 30 MB that
// GitLab takes; Jenkins cuts texts of 100,000.
const (
	maxMessageChars = 4000
	maxTextChars    = 50_000
)

// Document is a JUnit XML file. Its texts may hold anything; writing it escapes and counts.
type Document struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	// seconds on the clock; that of the suites is the sum of their cases
	Time   Seconds     `xml:"time,attr"`
	Suites []TestSuite `xml:"testsuite"`
	// of all suites: a deployment, empty: localhost; when it was tested; behind their own properties
	Host       string     `xml:"-"`
	At         time.Time  `xml:"-"`
	Properties []Property `xml:"-"`
}

// TestSuite is a group of test cases. Whoever makes one gives its name, its cases, and properties
// of its own; writing it fills in the rest.
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

// TestCase is a test case. Class and name together are what CI follows from run to run; a second
// one of the same gets a number, since GitLab drops it otherwise. At most one of the results is
// there, which CI shows in red but for Skipped; of a passed case what it has to say, if anything.
type TestCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Time    Seconds     `xml:"time,attr"`
	Failure *CaseResult `xml:"failure"`
	Error   *CaseResult `xml:"error"`
	Skipped *CaseResult `xml:"skipped"`
	Output  *CaseResult `xml:"system-out"`
}

// CaseResult is why a test case did not pass: in a word, in one line, and all of it; empty: the
// line says it all. Of a passed case it is the text alone.
type CaseResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr,omitempty"`
	Text    string `xml:",cdata"`
}

// Seconds have three decimals, whatever the locale.
type Seconds float64

// MarshalText writes them.
func (s Seconds) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.3f", max(0, float64(s))), nil
}

// MarshalXMLFile writes the document within the schema of Jenkins' xUnit plugin, which is the
// strictest in use; GitLab and Jenkins' JUnit step read it as well.
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

// shortened makes a result fit the file, and counts it.
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

// truncateOnLines is a text on its own lines; empty where there is none.
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

// xmlToken is a text as xs:token wants it: one space between words, none around them, never empty.
func xmlToken(s string) string {
	if s = strings.Join(strings.Fields(replaceUnprintable(s)), " "); s == "" {
		return "unnamed"
	}
	return s
}
