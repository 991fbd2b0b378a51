package reference

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// faultySighting is what a request without a replay value looks like to a gateway that compares too little, or too much.
func (g *Gateway) faultySighting(r *http.Request, c sighting, body object) sighting {
	if len(g.broken.names) == 0 || r.Header.Get(schemaHeader) != "" {
		return c
	}
	const none = "replay.none."
	forget := func(compared func(field string) bool) {
		kept := object{}
		for field, value := range body {
			if compared(field) {
				kept[field] = value
			}
		}
		if text, err := json.Marshal(kept); err == nil {
			c.body = string(text)
		}
	}
	switch {
	case g.fault(none + "body_dates_only"):
		forget(func(field string) bool { return strings.HasPrefix(field, "date_") })
	case g.fault(none + "body_without_text"):
		forget(func(field string) bool { return field != "filter_text" })
	case g.fault(none + "body_without_sort"):
		forget(func(field string) bool { return field != "sort" })
	case g.fault(none + "body_without_order"):
		forget(func(field string) bool { return field != "order" })
	case g.fault(none + "body_without_end"):
		forget(func(field string) bool { return field != "date_end" })
	case g.fault(none + "body_in_lower_case"):
		c.body = strings.ToLower(c.body)
	case g.fault(none + "query_keys"):
		c.query = strings.Join(slices.Sorted(maps.Keys(r.URL.Query())), "&")
	case g.fault(none + "language_compared"):
		c.body += "\n" + r.Header.Get("x-lang")
	case g.fault(none + "agent_compared"):
		c.body += "\n" + r.UserAgent()
	}
	return c
}

// faultyMemory tells whether a gateway that keeps too little of a group takes a request for a repeat; ok is false where
// no such fault is switched on. The memory is locked.
func (m *memory) faultyMemory(g *Gateway, c sighting, s spelling) (repeated, ok bool) {
	if len(g.broken.names) == 0 {
		return false, false
	}
	mode, compared := "replay."+spellingNames[s], g.partsOf(s)
	switch {
	case g.fault(mode + ".last_only"):
		whole, own := c.fingerprint(compared&^(withNonce|withTransaction)), c.fingerprint(compared)
		repeated = m.last[whole] == own
		m.last[whole] = own
		return repeated, true
	case g.fault(mode + ".last_nonce_only"):
		whole, own := c.fingerprint(compared&^withNonce), c.fingerprint(compared)
		repeated = m.last[whole] == own
		m.last[whole] = own
		return repeated, true
	case g.fault(mode + ".identifiers_apart"):
		_, nonce := m.seen[c.fingerprint(compared&^withTransaction)]
		_, transaction := m.seen[c.fingerprint(compared&^withNonce)]
		return nonce && transaction, true
	}
	return false, false
}
