package token

import (
	"crypto/rand"
	"strings"

	"github.com/google/uuid"
)

// Indexes of NotUUIDs.
const (
	NotUUIDText      = iota // text unlike a UUID
	NotUUIDTruncated        // one digit short
	NotUUIDHex              // the right length and dashes, but no hexadecimal digits
	NotUUIDInText           // longer text that holds a UUID
	// longer text that starts with a UUID, which a pattern without an end accepts
	NotUUIDBeforeText
	// longer text that ends with a UUID, which a pattern without a start accepts
	NotUUIDAfterText
)

// NotUUIDs returns fresh values that are not UUIDs by any reading of RFC 9562. All are valid in a
// header.
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

// toNonHexDigit maps a hexadecimal digit to a letter that is not one.
func toNonHexDigit(digit rune) rune {
	if digit == '-' {
		return digit
	}
	return 'g' + digit%16
}

// NilUUID is the nil UUID, which has no version.
const NilUUID = "00000000-0000-0000-0000-000000000000"

// UUIDv1 returns a fresh UUID v1 with a random node, so that it does not reveal this machine's
// address.
func UUIDv1() string {
	u := uuid.Must(uuid.NewUUID()) // it never fails, nor does rand.Read
	_, _ = rand.Read(u[10:])
	u[10] |= 0x01 // the multicast bit marks a node that is not a hardware address
	return u.String()
}

// UUIDOtherVariant returns a fresh UUID of version 4 whose variant is not that of RFC 9562.
func UUIDOtherVariant() string {
	u := uuid.New()
	u[8] = u[8]&0x1f | 0xc0
	return u.String()
}

// UUIDWithoutDashes returns a fresh UUID v4 without dashes.
func UUIDWithoutDashes() string { return strings.ReplaceAll(uuid.NewString(), "-", "") }

// UUIDv7 returns a fresh UUID v7.
func UUIDv7() string { return uuid.Must(uuid.NewV7()).String() }
