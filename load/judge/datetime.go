package judge

// isDateTime tells an RFC 3339 date-time with its zone: a date that exists, a time of 00:00:00 to 23:59:59, any fraction
// after a dot, and Z or an offset as far as package time takes it. T and Z may be lower case.
func isDateTime(t []byte) bool {
	const shape = "dddd-dd-ddTdd:dd:dd"
	if len(t) < len(shape)+1 {
		return false
	}
	for i := range len(shape) {
		switch want := shape[i]; want {
		case 'd':
			if !isDigit(t[i]) {
				return false
			}
		case 'T':
			if t[i]|0x20 != 't' {
				return false
			}
		default:
			if t[i] != want {
				return false
			}
		}
	}
	two := func(i int) int { return int(t[i]-'0')*10 + int(t[i+1]-'0') }
	year, month, day := two(0)*100+two(2), two(5), two(8)
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || two(11) > 23 || two(14) > 59 || two(17) > 59 {
		return false
	}
	at := len(shape)
	if t[at] == '.' {
		from := at + 1
		for at++; at < len(t) && isDigit(t[at]); at++ {
		}
		if at == from || at == len(t) {
			return false
		}
	}
	if t[at]|0x20 == 'z' {
		return at == len(t)-1
	}
	return len(t)-at == len("+00:00") && (t[at] == '+' || t[at] == '-') && isDigit(t[at+1]) && isDigit(t[at+2]) && t[at+3] == ':' &&
		isDigit(t[at+4]) && isDigit(t[at+5]) && two(at+1) <= 24 && two(at+4) <= 60
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
