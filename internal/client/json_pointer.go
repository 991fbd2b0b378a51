package client

import "github.com/go-openapi/jsonpointer"

// LookupPointer returns the value that a JSON pointer (RFC 6901) refers to, and whether there
// is one.
func LookupPointer(doc any, pointer string) (any, bool) {
	at, err := jsonpointer.New(pointer)
	if err != nil {
		return nil, false
	}
	value, _, err := at.Get(doc)
	return value, err == nil
}
