package record

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

var began = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// recorded writes a small journal and returns it with the expected run.
func recorded(t *testing.T) ([]byte, Run) {
	t.Helper()
	f := UnjudgedRun{
		Info: RunInfo{ID: "run", Deployment: "staging", StartedAt: began, Seed: 7},
		Catalogue: []rules.Rule{
			{ID: "a.x", Level: rules.Must, Section: "S", Statement: "X holds."},
			{ID: "a.y", Level: rules.Must},
			{ID: "a.z", Level: rules.Observe},
		},
		Waivers: []deployment.Waiver{{Rule: "a.y", Reason: "known", Until: began}},
		Checks: []CheckResult{
			{Rule: "a.x", Name: "one", Verdict: VerdictPass, Exchanges: []int{1, 2}},
			{Rule: "a.y", Name: "two\nlines", Verdict: VerdictFail, Message: "é ", Exchanges: []int{3}},
			{
				Rule: "a.z", Name: "three", Verdict: VerdictObserved, Message: "202",
				Values: []ObservedValue{{Values: []string{"202"}}}, Exchanges: []int{4},
			},
			{Rule: "a.z", Name: "four", Verdict: VerdictObserved, Message: "it varies", Exchanges: []int{5}},
		},
		Notes: []string{"one retry"},
	}
	dir := t.TempDir()
	j := testmust.Get(OpenJournal(dir, f.Info, f.Catalogue, f.Waivers))(t)
	if _, err := OpenJournal(dir, f.Info, nil, nil); err == nil {
		t.Fatal("a second journal in the same folder")
	}
	for i, c := range f.Checks {
		operation := []client.Operation{
			client.OperationCreate, client.OperationCreate, client.OperationExport, client.OperationCreate,
		}[i]
		j.WriteExchange(ExchangeNote{
			Seq: i + 1, Operation: operation, Status: 201, Attempt: 1 + i%2,
			Created: []string{"id-1", "id-2", "file-1", "id-2"}[i],
		})
		j.WriteCheck(c)
	}
	f.Info.FinishedAt, f.Info.Requests, f.Info.Retries = began.Add(time.Minute), 9, 1
	f.Info.Created = CreatedCounts{LegalRepresentatives: 2, Exports: 1}
	j.WriteEnd(f.Info, f.Notes)
	testmust.Succeed(t, j.Close())
	if info, err := os.Stat(filepath.Join(dir, runfolder.JournalName)); err != nil ||
		info.Mode().Perm() != 0o600 {
		t.Fatalf("journal: %v, %v", info.Mode(), err)
	}
	data := testmust.Get(os.ReadFile(filepath.Join(dir, runfolder.JournalName)))(t)
	return data, Assemble(f)
}

// rebuilt returns the run rebuilt from a journal.
func rebuilt(t *testing.T, journal string) Run {
	t.Helper()
	f := testmust.Get(ReadJournal(strings.NewReader(journal)))(t)
	return Assemble(f)
}

func asJSON(t *testing.T, run Run) string {
	t.Helper()
	data := testmust.Get(run.JSON())(t)
	return string(data)
}

func TestAJournalAloneGivesTheRun(t *testing.T) {
	journal, want := recorded(t)
	got := rebuilt(t, string(journal))
	testmust.Equal(t, asJSON(t, got), asJSON(t, want), "rebuilt")
	if o := want.Observations; want.Counts.Waived != 1 || len(o) != 1 ||
		o[0].Observed != "202; it varies" || len(o[0].Exchanges) != 2 {
		t.Errorf("the sample does not use its waiver, or what it saw: %+v, %+v", want.Counts, o)
	}
}

func TestATornJournalGivesWhatItHoldsAndIsPartial(t *testing.T) {
	journal, want := recorded(t)
	first := bytes.IndexByte(journal, '\n')
	last := bytes.LastIndexByte(journal[:len(journal)-1], '\n') // start of the end line
	for cut := range journal {
		for _, tail := range []string{"", "\x00\x00\x00\x00"} {
			if cut < first {
				if _, err := ReadJournal(strings.NewReader(string(journal[:cut]) + tail)); err == nil {
					t.Fatalf("cut at %d, inside the first line: no error", cut)
				}
				continue
			}
			run := rebuilt(t, string(journal[:cut])+tail)
			if cut < len(journal)-1 && !run.Run.Partial {
				t.Fatalf("cut at %d of %d: not partial", cut, len(journal))
			}
			if len(run.Rules) != 3 {
				t.Fatalf("cut at %d: %d rules", cut, len(run.Rules))
			}
			if cut > last && cut < len(journal)-1 && (run.Counts != want.Counts ||
				run.Run.Created != want.Run.Created || run.Run.Requests != 4 || run.Run.Retries != 2) {
				t.Fatalf("cut at %d, inside the end: %+v %+v", cut, run.Counts, run.Run)
			}
		}
	}
}

func TestDamageInsideAJournalIsToldAndMakesItPartial(t *testing.T) {
	journal, _ := recorded(t)
	lines := bytes.SplitAfter(journal, []byte{'\n'})
	for i := 1; i < len(lines)-2; i++ {
		damaged := append(append(bytes.Join(lines[:i], nil), "{\"type\":\"che\x00\x00\n"...),
			bytes.Join(lines[i+1:], nil)...)
		run := rebuilt(t, string(damaged))
		if !run.Run.Partial ||
			!strings.Contains(strings.Join(run.Notes, "\n"), "unreadable in the journal: 1 line") {
			t.Errorf("line %d: partial %v, notes %q", i, run.Run.Partial, run.Notes)
		}
	}
}

// An arbitrary journal takes no more memory or time than that of a long run.
func TestOfAVeryLongJournalAPartIsRead(t *testing.T) {
	data, _ := recorded(t)
	head, _, _ := bytes.Cut(data, []byte("\n"))
	for _, rest := range []string{
		strings.Repeat(`{"type":"exchange_note","exchange":{"seq":1}}`+"\n", maxLines+1000),
		strings.Repeat("x\n", maxLines+1000), strings.Repeat("x", maxLineBytes+1),
	} {
		left := strings.NewReader(rest + strings.Repeat("\n", 1<<20))
		f, err := ReadJournal(io.MultiReader(bytes.NewReader(append(head, '\n')), left))
		if err != nil || !f.Info.Partial || left.Len() == 0 ||
			!strings.Contains(strings.Join(f.Notes, "\n"), "could not be read to its end") {
			t.Errorf("%.30s: %v, partial: %v, %d bytes left", rest, err, f.Info.Partial, left.Len())
		}
	}
}

func TestWhatIsNoJournalIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "zeros": "\x00\x00\n\x00", "other": "hello\n",
		"another schema": `{"type":"run","schema":"gateassay/load/v1","run":{}}`,
		"no run":         `{"type":"run","schema":"gateassay/conformance/v1"}`, "null": "null\n",
		"deep": strings.Repeat("[", 100_000),
	} {
		if f, err := ReadJournal(strings.NewReader(text)); err == nil {
			t.Errorf("%s: read %+v", name, f)
		}
	}
}

func TestANilJournalTakesEverything(t *testing.T) {
	var j *Journal
	j.WriteCheck(CheckResult{})
	if j.Close() != nil {
		t.Fatal("a nil journal reports an error")
	}
}
