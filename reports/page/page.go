// Package page writes a recorded run as one self-contained HTML page: it loads nothing, works from a file and
// without JavaScript, and shows every text of the run escaped.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

//go:embed report.gohtml
var layout string

//go:embed report.css
var styles string

//go:embed report.js
var script string

// Bounds that keep the page small enough to open.
const (
	textLimit     = 8_000     // characters of a head, a body or another text
	exchangeLimit = 2_000_000 // bytes of all exchanges
	perCheck      = 4         // exchanges shown with a check
)

// Exchange is one request and its answer as they may be shown: without secrets.
type Exchange struct {
	Method, URL                string
	Status                     int // 0: no answer
	RequestHead, RequestBody   string
	ResponseHead, ResponseBody string
}

// Exchanges finds the exchanges of a run by their number; nil stands for one that is not known.
type Exchanges interface {
	Exchange(seq int) *Exchange
}

// Write renders report.html. exchanges may be nil: the page then names exchanges by their number only.
func Write(run record.Run, exchanges Exchanges) ([]byte, error) {
	t, err := template.New("report").Funcs(template.FuncMap{
		"clean":     func(s string) string { return digest.Clean(digest.Clip(s, textLimit)) },
		"lines":     func(s string) string { return digest.CleanLines(digest.Clip(s, textLimit)) },
		"word":      digest.Word,
		"quantity":  digest.Quantity,
		"exchanges": digest.Exchanges,
		"repeats":   digest.Repeats,
		"state":     digest.WaiverState,
		"rerun":     func(id string) string { return digest.Rerun(id, run.Run.File) },
		"utc":       func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	}).Parse(layout)
	if err != nil {
		return nil, fmt.Errorf("the page's template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, newView(run, exchanges)); err != nil {
		return nil, fmt.Errorf("cannot write the page: %w", err)
	}
	return out.Bytes(), nil
}

// view is what the template shows.
type view struct {
	Run          record.Run
	Headline     string
	Why          string
	Created      string
	Took         string
	Tone         string // ok, bad or unsure
	Failed       []card
	Inconclusive []group
	Needs        []group
	Unverified   []group
	Operations   []operation
	Styles       template.CSS
	Script       template.JS
	Policy       string // hashes that the content security policy allows
}

type group struct {
	Cause string
	Cards []card
}

type card struct {
	record.Rule
	Deciding []check
}

type check struct {
	record.Check
	Shown []numbered
	Left  int // exchanges that are not shown
}

type numbered struct {
	Seq int
	*Exchange
}

type operation struct {
	digest.Operation
	Topics []topic
}

type topic struct {
	Name  string
	Rules []record.Rule
}

func newView(run record.Run, exchanges Exchanges) view {
	v := view{
		Run: run, Headline: digest.Headline(run), Why: digest.Why(run), Created: digest.Created(run), Tone: "unsure",
		Styles: template.CSS(styles), Script: template.JS(script),
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hash(styles), hash(script)),
	}
	switch run.Verdict {
	case record.Conformant:
		v.Tone = "ok"
	case record.Violations:
		v.Tone = "bad"
	}
	if d := run.Run.FinishedAt.Sub(run.Run.StartedAt); d > 0 && !run.Run.FinishedAt.IsZero() {
		v.Took = d.Round(time.Millisecond).String()
	}
	shelf := &shelf{from: exchanges}
	for _, r := range digest.With(run, record.Fail) {
		v.Failed = append(v.Failed, shelf.card(r))
	}
	for _, r := range digest.With(run, record.Waived) {
		v.Failed = append(v.Failed, shelf.card(r))
	}
	v.Inconclusive = shelf.groups(digest.ByReason(digest.With(run, record.Inconclusive)))
	needs, others := digest.ByNeed(digest.With(run, record.NotVerified))
	v.Needs, v.Unverified = shelf.groups(needs), shelf.groups(others)
	for _, op := range digest.Operations(run) {
		v.Operations = append(v.Operations, operation{Operation: op, Topics: topics(op.Rules)})
	}
	return v
}

// topics groups rules by topic in the order of the catalogue.
func topics(list []record.Rule) []topic {
	at := map[string]int{}
	var found []topic
	for _, r := range list {
		name := digest.Topic(r.ID)
		i, known := at[name]
		if !known {
			i = len(found)
			at[name] = i
			found = append(found, topic{Name: name})
		}
		found[i].Rules = append(found[i].Rules, r)
	}
	return found
}

// shelf hands out exchanges until the page holds enough of them.
type shelf struct {
	from  Exchanges
	bytes int
}

func (s *shelf) groups(list []digest.Group) []group {
	var found []group
	for _, g := range list {
		one := group{Cause: g.Cause}
		for _, r := range g.Rules {
			one.Cards = append(one.Cards, s.card(r))
		}
		found = append(found, one)
	}
	return found
}

func (s *shelf) card(r record.Rule) card {
	c := card{Rule: r}
	for _, k := range digest.Deciding(r) {
		one := check{Check: k}
		if s.from != nil {
			for _, seq := range k.Exchanges {
				if len(one.Shown) == perCheck || s.bytes > exchangeLimit {
					one.Left++
					continue
				}
				if x := s.from.Exchange(seq); x != nil {
					s.bytes += min(textLimit, len(x.RequestBody)) + min(textLimit, len(x.ResponseBody)) + len(x.RequestHead) + len(x.ResponseHead)
					one.Shown = append(one.Shown, numbered{seq, x})
				}
			}
		}
		c.Deciding = append(c.Deciding, one)
	}
	return c
}

// hash names a text in a content security policy.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
