package token

import (
	"crypto/rand"
	"strings"

	"github.com/google/uuid"
)

// Kinds of what is not a UUID, as places in NotUUIDs.
const (
	NotUUIDText      = iota // text that is nothing like one
	NotUUIDTruncated        // one digit short
	NotUUIDHex              // the length and the dashes, but no digits
	NotUUIDInText           // longer text that holds a UUID
	// longer text that begins with one, which a pattern without an end takes for one
	NotUUIDBeforeText
	// longer text that ends with one, which a pattern without a beginning takes for one
	NotUUIDAfterText
)

// NotUUIDs gives fresh values that no reading of RFC 9562 takes for a UUID. All of them may stand
// in a header.
func NotUUIDs() []string {
	fresh := uuid.NewString
	return []string{
		NotUUIDText:       "not-a-uuid-" + fresh()[:8],
		NotUUIDTruncated:  fresh()[:35],
		NotUUIDHex:        strings.Map(toNonHexDigit, fresh()),
		NotUUIDInText:     "id-" + fresh() + "-id",
		NotUUIDBeforeText: fresh() + "-" + fresh()[:8],
		NotUUIDAfterText:  "id-" + fresh(),
	}
}

// toNonHexDigit turns a digit of a UUID into a letter that is none.
func toNonHexDigit(digit rune) rune {
	if digit == '-' {
		return digit
	}
	return 'g' + digit%16
}

// NilUUID has no version at all.
const NilUUID = "00000000-0000-0000-0000-000000000000"

// UUIDv1 is a fresh UUID of version 1: the time, and a random node instead of an address of this
// machine.
func UUIDv1() string {
	u := uuid.Must(uuid.NewUUID()) // it never fails, nor does the other
	_, _ = rand.Read(u[10:])
	u[10] |= 0x01 // the multicast bit marks a node that is not a hardware address
	return u.String()
}

// UUIDOtherVariant is a fresh UUID that claims version 4 and a variant other than that of RFC 9562.
func UUIDOtherVariant() string {
	u := uuid.New()
	u[8] = u[8]&0x1f | 0xc0
	return u.String()
}

// UUIDWithoutDashes is a fresh UUID v4 without its dashes.
func UUIDWithoutDashes() string { return strings.ReplaceAll(uuid.NewString(), "-", "") }

// UUIDv7 is a fresh UUID of version 7.
func UUIDv7() string { return uuid.Must(uuid.NewV7()).String() }
