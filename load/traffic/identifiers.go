package traffic

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
)

// The identifiers of a request.
const (
	nonce       byte = 1
	transaction byte = 2
	trace       byte = 3
)

// keys are what everything about a request is made from.
type keys struct {
	mix  uint64       // of the seed
	ids  cipher.Block // of the seed and the run
	salt uint64       // of the seed and the run: where the unique bounds begin
}

func newKeys(seed int64, runID string) keys {
	label := binary.BigEndian.AppendUint64([]byte("gateassay load traffic\x00"), uint64(seed))
	ofSeed := sha256.Sum256(label)
	ofRun := sha256.Sum256(append(label, runID...))
	ids, err := aes.NewCipher(ofRun[:16])
	if err != nil {
		panic("traffic: " + err.Error()) // only for a key of another length
	}
	return keys{mix: binary.BigEndian.Uint64(ofSeed[:]), ids: ids, salt: binary.BigEndian.Uint64(ofRun[16:])}
}

// Identifiers are those of request k of a run, when it is fresh: what to look for in the logs of a deployment.
func Identifiers(seed int64, runID string, k int64) (nonceID, transactionID string) {
	keys := newKeys(seed, runID)
	var text [36]byte
	var block [16]byte
	keys.identifier(&text, &block, k, nonce)
	nonceID = string(text[:])
	keys.identifier(&text, &block, k, transaction)
	return nonceID, string(text[:])
}

// identifier writes a UUID v4 made from k. block is scratch.
func (s *keys) identifier(into *[36]byte, block *[16]byte, k int64, which byte) {
	s.encrypt(block[:], k, which)
	block[6] = block[6]&0x0f | 0x40
	block[8] = block[8]&0x3f | 0x80
	hexadecimal(into[:], block[:], 1<<4|1<<6|1<<8|1<<10)
}

// encrypt fills a block with what belongs to k.
func (s *keys) encrypt(block []byte, k int64, which byte) {
	binary.BigEndian.PutUint64(block[:8], uint64(k))
	binary.BigEndian.PutUint64(block[8:], uint64(which))
	s.ids.Encrypt(block, block)
}

// hexadecimal writes bytes, with a hyphen before byte i where bit i of hyphens is set.
func hexadecimal(into, bytes []byte, hyphens uint) {
	const digits = "0123456789abcdef"
	at := 0
	for i, b := range bytes {
		if hyphens>>i&1 == 1 {
			into[at] = '-'
			at++
		}
		into[at], into[at+1] = digits[b>>4], digits[b&15]
		at += 2
	}
}

// Traceparent writes the W3C trace context of request k: a trace of its own, also for a repeat, and sampled.
func (g *Generator) Traceparent(k int64, into *[55]byte) {
	var block [24]byte
	g.keys.encrypt(block[:16], k, trace)
	g.keys.encrypt(block[8:], k, trace+1)
	copy(into[:], "00-")
	hexadecimal(into[3:52], block[:], 1<<16)
	copy(into[52:], "-01")
}
