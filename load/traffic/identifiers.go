package traffic

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"

	"github.com/google/uuid"
)

// The identifiers of a request.
const (
	nonceIdentifier       byte = 1
	transactionIdentifier byte = 2
)

type identifierKeys struct {
	mix  uint64       // of the seed
	ids  cipher.Block // of the seed and the run
	salt uint64       // of the seed and the run: start of the unique bounds
}

func newIdentifierKeys(seed int64, runID string) identifierKeys {
	label := binary.BigEndian.AppendUint64([]byte("gateassay load traffic\x00"), uint64(seed))
	ofSeed := sha256.Sum256(label)
	ofRun := sha256.Sum256(append(label, runID...))
	ids, err := aes.NewCipher(ofRun[:16])
	if err != nil {
		panic("traffic: " + err.Error()) // only for a key of another length
	}
	return identifierKeys{
		mix: binary.BigEndian.Uint64(ofSeed[:]), ids: ids, salt: binary.BigEndian.Uint64(ofRun[16:]),
	}
}

func (s *identifierKeys) identifier(k int64, which byte) string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(k))
	binary.BigEndian.PutUint64(id[8:], uint64(which))
	s.ids.Encrypt(id[:], id[:])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}
