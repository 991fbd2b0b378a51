package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
)

// Bounds, so that a file stays below the 30 MB that GitLab takes; Jenkins cuts texts of 100,000 characters.
const (
	messageLimit = 4000     // characters
	textLimit    = 50_000   // characters
	textsLimit   = 15 << 20 // bytes of all texts; a case beyond it has its message only
)

// Document is what a JUnit XML file holds. Its texts may hold anything: XML makes them harmless.
type Document struct {
	Name   string
	Took   time.Duration // on the clock; that of the suites is the sum of their cases
	Suites []Suite
}

// Suite is a group of test cases.
type Suite struct {
	Name       string
	Host       string
	At         time.Time
	Properties []Property
	Cases      []Case
}

// Property is a fact about a suite.
type Property struct{ Name, Value string }

// Case is a test case. Class and Name together are what CI follows from run to run; a second one of the same gets a
// number, since GitLab drops it otherwise.
type Case struct {
	Class, Name string
	Took        time.Duration
	Result      Result
	Type        string // of a result that is not a pass: a word, such as inconclusive
	Message     string // the result in one line
	// all of it; the message where there is no more to say. Of a passed case what it has to say, if anything
	Text string
}

// Result of a test case.
type Result int

// The results. CI shows Failed and Errored in red.
const (
	Passed Result = iota
	Failed
	Errored
	Skipped
)

// XML writes the document within the schema of Jenkins' xUnit plugin, which is the strictest in use; GitLab and
// Jenkins' JUnit step read it as well.
func (d Document) XML() ([]byte, error) {
	root := suites{Name: token(d.Name), Time: seconds(d.Took)}
	left, seen := textsLimit, map[[2]string]bool{}
	for i, s := range d.Suites {
		out := suite{
			Name: token(s.Name), Package: "gateassay", ID: i, Host: token(s.Host),
			At: s.At.UTC().Format("2006-01-02T15:04:05"),
		}
		for _, p := range s.Properties {
			out.Properties = append(out.Properties, property{Name: token(p.Name), Value: clean(p.Value)})
		}
		var took time.Duration
		for _, c := range s.Cases {
			took += c.Took
			c.Class, c.Name = token(c.Class), token(c.Name)
			for name, n := c.Name, 2; seen[[2]string{c.Class, c.Name}]; n++ {
				c.Name = fmt.Sprintf("%s (%d)", name, n)
			}
			seen[[2]string{c.Class, c.Name}] = true
			out.add(c, &left)
		}
		out.Time = seconds(took)
		root.Tests += out.Tests
		root.Failures += out.Failures
		root.Errors += out.Errors
		root.Suites = append(root.Suites, out)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(root); err != nil {
		return nil, fmt.Errorf("cannot write JUnit XML: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// add takes what a text needs from left.
func (s *suite) add(c Case, left *int) {
	out := testcase{Name: c.Name, Class: c.Class, Time: seconds(c.Took)}
	s.Tests++
	if c.Result != Passed {
		d := &detail{Type: token(c.Type), Message: clean(c.Message)}
		if strings.TrimSpace(d.Message) == "" {
			d.Message = "no reason is recorded"
		}
		d.Text = d.Message // GitLab shows the text alone
		if text := printable.Clip(strings.Trim(printable.CleanLines(c.Text), "\n"), textLimit); text != "" &&
			*left >= len(text) {
			d.Text = "\n" + text + "\n"
			*left -= len(text)
		}
		switch c.Result {
		case Failed:
			out.Failure = d
			s.Failures++
		case Skipped:
			out.Skipped = d
			s.Skipped++
		default:
			out.Error = d
			s.Errors++
		}
	} else if text := printable.Clip(strings.Trim(printable.CleanLines(c.Text), "\n"), textLimit); text != "" &&
		*left >= len(text) {
		out.Output = &output{"\n" + text + "\n"}
		*left -= len(text)
	}
	s.Cases = append(s.Cases, out)
}

// What follows is how the schema calls it.

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     string   `xml:"time,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Package    string     `xml:"package,attr"`
	ID         int        `xml:"id,attr"`
	Host       string     `xml:"hostname,attr"`
	At         string     `xml:"timestamp,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testcase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Name    string  `xml:"name,attr"`
	Class   string  `xml:"classname,attr"`
	Time    string  `xml:"time,attr"`
	Failure *detail `xml:"failure"`
	Error   *detail `xml:"error"`
	Skipped *detail `xml:"skipped"`
	Output  *output `xml:"system-out"`
}

type output struct {
	Text string `xml:",cdata"`
}

type detail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

func clean(s string) string { return printable.Clip(printable.Clean(s), messageLimit) }

// token is a text as xs:token wants it: one space between words, none around them, never empty.
func token(s string) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	if s == "" {
		return "unnamed"
	}
	return s
}

// seconds has a point whatever the locale, and no exponent.
func seconds(t time.Duration) string { return strconv.FormatFloat(max(0, t).Seconds(), 'f', 3, 64) }
