package record

import "strings"

// Place shortens the place of an assertion, "/home/me/src/suites/create/records.go:132", to what is the same on every
// machine: its path within this module. What lies elsewhere keeps its last two parts.
func Place(location string) string {
	for _, root := range []string{"/suites/", "/gateway/", "/reports/"} {
		if i := strings.LastIndex("/"+location, root); i >= 0 {
			return location[i:]
		}
	}
	if i := strings.LastIndexByte(location, '/'); i > 0 {
		return location[strings.LastIndexByte(location[:i], '/')+1:]
	}
	return location
}
