package record

// nameDatesAlike groups the dates of a creation that now and then come back changed by as many
// days. Where only some days move, such as those that began at 1:00 in a time zone, not all dates
// that a run sends are among them.
func (s defectGrouping) nameDatesAlike() {
	alike := map[int][]RuleResult{} // by days
	for _, r := range s.failed {
		c, _ := DecisiveCheck(r)
		id, _ := idWithoutField(r.ID)
		if id == "create.echo.*" && c.DaysLate != 0 && !s.hasHeadline(r.ID) && c.Failed < c.Attempts {
			alike[c.DaysLate] = append(alike[c.DaysLate], r)
		}
	}
	for _, group := range alike {
		s.nameAlike(group)
	}
}
