// Package junit writes a recorded run as JUnit XML that Jenkins, GitLab and Ant's schema all accept.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// Texts longer than this many characters are cut; run.json has them whole.
const textLimit = 4000

type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Package    string     `xml:"package,attr"`
	ID         int        `xml:"id,attr"`
	Hostname   string     `xml:"hostname,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testcase `xml:"testcase"`
	Out        string     `xml:"system-out"`
	Err        string     `xml:"system-err"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Name      string  `xml:"name,attr"`
	Classname string  `xml:"classname,attr"`
	Time      string  `xml:"time,attr"`
	Failure   *detail `xml:"failure"`
	Error     *detail `xml:"error"`
	Skipped   *detail `xml:"skipped"`
}

type detail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// Write renders a run: a test suite for each operation, a test case for each rule. A violated rule is a failure, an
// inconclusive one an error; one that was not verified, is waived or is only observed is skipped, with the reason:
// nothing that was not judged counts as passed.
func Write(run record.Run) ([]byte, error) {
	var all suites
	for i, op := range digest.Operations(run) {
		all.Suites = append(all.Suites, operation(run, op, i))
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

func operation(run record.Run, op digest.Operation, id int) suite {
	host := "localhost"
	if run.Run.Deployment != "" {
		host = token(run.Run.Deployment)
	}
	name := token(op.Name)
	s := suite{
		Name: name, Package: "gateassay", ID: id, Hostname: host, Timestamp: run.Run.StartedAt.UTC().Format("2006-01-02T15:04:05"),
		Properties: []property{
			{"base_url", digest.Clean(run.Run.BaseURL)},
			{"run", digest.Clean(run.Run.ID)},
			{"seed", strconv.FormatInt(run.Run.Seed, 10)},
			{"verdict", digest.Clean(string(run.Verdict))},
			{"partial", strconv.FormatBool(run.Run.Partial)},
			{"observed", strconv.Itoa(op.Counts.Observed)},
		},
	}
	var took int64
	for _, r := range op.Rules {
		c := testcase{Name: token(r.ID), Classname: token(op.Name + "." + digest.Topic(r.ID)), Time: seconds(digest.Took(r))}
		took += digest.Took(r)
		s.Tests++
		switch r.Verdict {
		case record.Pass:
		case record.Fail:
			s.Failures++
			c.Failure = &detail{Message: message(r, r.Reason), Type: token("violated." + r.Level), Text: card(run, r)}
		case record.NotVerified:
			s.Skipped++
			why := "not verified: " + r.Reason
			if need := digest.Need(r); need != "" {
				why = "not verified: add " + need + " to the deployment file"
			}
			c.Skipped = &detail{Message: digest.Clean(digest.Clip(why, textLimit)), Type: "not_verified"}
		case record.Observed:
			s.Skipped++
			c.Skipped = &detail{Message: "observed, not judged: the document leaves it open", Type: "observed"}
		case record.Waived:
			s.Skipped++
			c.Skipped = &detail{Message: waiver(r), Type: "waived", Text: card(run, r)}
		default:
			s.Errors++
			c.Error = &detail{Message: message(r, r.Reason), Type: "inconclusive", Text: card(run, r)}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Time = seconds(took)
	return s
}

func waiver(r record.Rule) string {
	if r.Waiver == nil {
		return "waived"
	}
	return digest.Clean(digest.Clip(fmt.Sprintf("waived by %s until %s: %s", r.Waiver.Rule, r.Waiver.Until, r.Waiver.Reason), textLimit))
}

func message(r record.Rule, why string) string {
	if why == "" {
		why = r.Statement
	}
	return digest.Clean(digest.Clip(why, textLimit))
}

// card is what a person needs to see what is wrong and to see it again.
func card(run record.Run, r record.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s (%s, section %q)\n", digest.CleanLines(digest.Clip(r.Statement, textLimit)), digest.Clean(r.Level), digest.Clean(r.Section))
	for _, c := range digest.Deciding(r) {
		b.WriteByte('\n')
		for _, line := range digest.Card(c) {
			b.WriteString(digest.CleanLines(digest.Clip(line, textLimit)))
			b.WriteByte('\n')
		}
	}
	fmt.Fprintf(&b, "\nrerun     %s\n", digest.Rerun(r.ID, run.Run.File))
	return b.String()
}

// token is a text as xs:token wants it: one space between words, none around them, never empty.
func token(s string) string {
	s = strings.Join(strings.Fields(digest.Clean(s)), " ")
	if s == "" {
		return "unnamed"
	}
	return s
}

func seconds(ms int64) string {
	return strconv.FormatFloat((time.Duration(ms) * time.Millisecond).Seconds(), 'f', 3, 64)
}
