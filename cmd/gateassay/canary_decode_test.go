package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
)

// decoder makes of a text what somebody may read out of it. It shares nothing with what redacts.
type decoder struct {
	runs map[string]bool
	seen map[string]bool
}

func newDecoder(secrets []string) *decoder {
	d := &decoder{runs: map[string]bool{}, seen: map[string]bool{}}
	for _, s := range secrets {
		if parts := strings.Split(s, "."); len(parts) == 3 {
			s = parts[1] + "." + parts[2] // the header of a token is the same everywhere
		}
		for i := 0; i+12 <= len(s); i++ {
			d.runs[strings.ToLower(s[i:i+12])] = true
		}
	}
	return d
}

var (
	base64Runs = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}`)
	hexRuns    = regexp.MustCompile(`[0-9A-Fa-f]{24,}`)
)

// find returns twelve signs of a credential in a row that the text holds, or "".
func (d *decoder) find(s string, depth int) string {
	if d.seen[s] {
		return ""
	}
	d.seen[s] = true
	plain := strings.ToLower(s)
	for i := 0; i+12 <= len(plain); i++ {
		if d.runs[plain[i:i+12]] {
			return plain[i : i+12]
		}
	}
	if depth == 0 {
		return ""
	}
	for _, next := range readingsOf(s) {
		if found := d.find(next, depth-1); found != "" {
			return found
		}
	}
	return ""
}

func readingsOf(s string) (all []string) {
	add := func(b []byte, _ error) { all = append(all, string(b)) }
	for _, run := range base64Runs.FindAllString(s, -1) {
		run = strings.NewReplacer("+", "-", "/", "_").Replace(run)
		for offset := range 4 {
			part := run[offset:]
			add(base64.RawURLEncoding.DecodeString(part[:len(part)-len(part)%4]))
		}
	}
	for _, run := range hexRuns.FindAllString(s, -1) {
		add(hex.DecodeString(run[:len(run)-len(run)%2]))
		add(hex.DecodeString(run[1 : len(run)-(len(run)+1)%2]))
	}
	return all
}

// texts are the strings of a JSON document, with its keys; of anything else its lines.
func texts(data []byte) []string {
	var all []string
	for _, line := range bytes.Split(data, []byte("\n")) {
		all = append(all, string(line))
		var v any
		if json.Unmarshal(bytes.Trim(line, ", "), &v) == nil {
			all = append(all, stringsOf(v)...)
		}
	}
	var whole any
	if json.Unmarshal(data, &whole) == nil {
		all = append(all, stringsOf(whole)...)
	}
	return all
}

func stringsOf(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			all = append(all, stringsOf(e)...)
		}
	case map[string]any:
		for k, e := range v {
			all = append(append(all, k), stringsOf(e)...)
		}
	}
	return all
}
