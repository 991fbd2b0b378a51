package record

import "encoding/json"

// UnmarshalJSON reads run.json. Versions that did not tell warnings from violations wrote no counts.warn: their runs
// are judged again by the levels of their rules. One whose counts or verdict are not those of its rules is left as it
// is.
func (r *Run) UnmarshalJSON(data []byte) error {
	type fields Run
	read := struct {
		*fields
		Counts struct {
			Counts
			Warn *int `json:"warn"`
		} `json:"counts"`
	}{fields: (*fields)(r)}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	r.Counts = read.Counts.Counts
	if read.Counts.Warn != nil {
		r.Counts.Warn = *read.Counts.Warn
		return nil
	}
	now := count(r.Rules)
	older := now
	older.Fail, older.Warn = now.Fail+now.Warn, 0
	if older == r.Counts && (r.Verdict == Violations) == (older.Fail > 0) {
		r.Counts = now
		r.Verdict, r.Reason = Conclude(r.Rules, r.Run.Partial)
	}
	return nil
}
