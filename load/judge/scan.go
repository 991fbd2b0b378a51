package judge

// scan is Inspect without allocation. ok is false where it leaves the judgement to encoding/json.
func scan(body []byte) (d Defect, ok bool) { return Sound, false }
