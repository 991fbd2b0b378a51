package deployment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint returns 16 hexadecimal digits that identify a deployment by its address, the names
// in both operations, and the fixtures. Credentials, headers, limits and waivers do not count.
func (f *File) Fingerprint() string {
	lr, x := f.LegalRepresentative, f.Export
	data, _ := json.Marshal(
		[]any{f.BaseURL, lr.Path, lr.Headers, lr.Fields, lr.FieldTypes, x.Path, x.CSV, f.Fixtures})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
