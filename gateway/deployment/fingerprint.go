package deployment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint returns 16 hexadecimal digits that tell deployments apart by what their files say of
// them: the address, the spelling of both operations, and the fixtures. Credentials, headers,
// limits and waivers are no part of it.
func (f *File) Fingerprint() string {
	lr, x := f.LegalRepresentative, f.Export
	data, _ := json.Marshal(
		[]any{f.BaseURL, lr.Path, lr.Headers, lr.Fields, lr.FieldTypes, x.Path, x.CSV, f.Fixtures})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
