package invalidvalues

import (
	"crypto/rand"
	"strings"

	"github.com/google/uuid"
)

// Text is a kind of text, with a fresh one for each attempt at a request.
type Text struct {
	Description string // "a UUID cut short"
	New         func() string
}

// MalformedUUIDs returns near misses of UUIDs, which RFC 9562 does not allow. A deployment that
// accepts arbitrary text accepts these, too, or looks up what the text names. All can stand in a
// header.
func MalformedUUIDs() []Text {
	fresh := uuid.NewString
	return []Text{
		// a pattern without a start accepts it
		{"text before a UUID", func() string { return "id-" + fresh() }},
		// a pattern without an end accepts it
		{"text after a UUID", func() string { return fresh() + "-" + fresh()[:8] }},
		{"a UUID cut short", func() string { return fresh()[:35] }},
	}
}

// Texts in the place of a UUID of version 4.
var (
	// NonHexUUID has the length and the dashes of a UUID.
	NonHexUUID = Text{"36 characters without hexadecimal digits", func() string {
		return strings.Map(toNonHexDigit, uuid.NewString())
	}}
	UUIDv1 = Text{"a UUID of version 1", newUUIDv1}
	UUIDv7 = Text{"a UUID of version 7", func() string { return uuid.Must(uuid.NewV7()).String() }}
	// UUIDOtherVariant has a variant other than that of RFC 9562.
	UUIDOtherVariant = Text{"a UUID of another variant", func() string {
		u := uuid.New()
		u[8] = u[8]&0x1f | 0xc0
		return u.String()
	}}
	UUIDWithoutDashes = Text{"a UUID without dashes", func() string {
		return strings.ReplaceAll(uuid.NewString(), "-", "")
	}}
	UUIDInBraces = Text{"a UUID in braces", func() string { return "{" + uuid.NewString() + "}" }}
	// NilUUID has no version. It is the same for each attempt.
	NilUUID = Text{"the nil UUID", uuid.Nil.String}
)

// toNonHexDigit maps a hexadecimal digit to a letter that is not one.
func toNonHexDigit(digit rune) rune {
	if digit == '-' {
		return digit
	}
	return 'g' + digit%16
}

// newUUIDv1 returns a fresh UUID v1 with a random node, so that it does not reveal this machine's
// address.
func newUUIDv1() string {
	u := uuid.Must(uuid.NewUUID()) // it never fails, nor does rand.Read
	_, _ = rand.Read(u[10:])
	u[10] |= 0x01 // the multicast bit marks a node that is not a hardware address
	return u.String()
}
