package threshold

import "github.com/gateassay/gateassay/load/judge"

// Count names requests that ended in one way: those of a class, by what judge calls their number, or one of these.
type Count string

// The counts beside those of the classes.
const (
	Errors       Count = "errors" // whatever was neither accepted nor blocked as meant: throttled requests too
	FileFailures Count = "file_failures"
)

// shares are the counts of which a share (%) is of what was judged in the same way, and so can be of nothing; one of
// every other is of the requests sent.
var shares = map[Count]struct {
	with judge.Class // makes up the whole, together with the class itself
	none string
}{
	Count(judge.FalseBlock.Counted()):  {judge.Accepted, "no fresh request was judged"},
	Count(judge.MissedBlock.Counted()): {judge.Blocked, "no repeat was judged"},
	FileFailures:                       {none: "no file was tracked"},
}

// counts lists all of them.
func counts() []string {
	names := []string{string(Errors)}
	for _, c := range judge.Classes() {
		names = append(names, c.Counted())
	}
	return append(names, string(FileFailures))
}

// Numbers are what counts are read from.
type Numbers struct {
	Classes                 [judge.NumClasses]int64
	FilesFailed, FilesReady int64
}

// Sent is how many requests there were.
func (n Numbers) Sent() (sent int64) {
	for _, c := range n.Classes {
		sent += c
	}
	return sent
}

// of returns how many requests ended in the way that a count names, and of how many; both are 0 for an unknown one.
func (c Count) of(n Numbers) (count, all int64) {
	sent := n.Sent()
	switch c {
	case Errors:
		return sent - n.Classes[judge.Accepted] - n.Classes[judge.Blocked], sent
	case FileFailures:
		return n.FilesFailed, n.FilesFailed + n.FilesReady
	}
	for _, class := range judge.Classes() {
		if class.Counted() != string(c) {
			continue
		}
		if share, special := shares[c]; special {
			return n.Classes[class], n.Classes[class] + n.Classes[share.with]
		}
		return n.Classes[class], sent
	}
	return 0, 0
}

// none says that a count is of nothing.
func (c Count) none() string {
	if share, special := shares[c]; special {
		return share.none
	}
	return "no request was sent"
}
