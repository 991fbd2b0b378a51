package record

import (
	"fmt"
	"time"
)

// nameDatesAlike groups the dates of a creation that now and then come back changed by as many
// days. Where only some days move, such as those that began at 1:00 in a time zone, not all dates
// that a run sends are among them. The finding on a masked date does not say which way it moved.
func (s defectGrouping) nameDatesAlike() {
	shown, masked := map[int][]RuleResult{}, map[int][]RuleResult{} // by number of days
	for _, r := range s.failed {
		c, _ := DecisiveCheck(r)
		id, _ := idWithoutField(r.ID)
		if id != "create.echo.*" || s.hasHeadline(r.ID) || c.Failed >= c.Attempts {
			continue
		}
		var was, is string
		var days int
		if _, err := fmt.Sscanf(c.Got, "another date, off by %d day", &days); err == nil {
			masked[days] = append(masked[days], r)
		} else if _, err = fmt.Sscanf(c.Got, "sent %q, got %q", &was, &is); err == nil {
			before, notBefore := time.Parse(time.DateOnly, was)
			after, notAfter := time.Parse(time.DateOnly, is)
			if days = int(after.Sub(before).Hours() / 24); notBefore == nil && notAfter == nil {
				shown[days] = append(shown[days], r)
			}
		}
	}
	for days, group := range shown {
		if shown[-days] == nil {
			group = append(group, masked[max(days, -days)]...)
		}
		for _, r := range group {
			if len(group) > 1 {
				s.headlines[r.ID] = fmt.Sprintf("%s, %d fields alike", Headline(group[0]), len(group))
			}
		}
	}
}
