package reference

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// invalidValueFaults declares faults that accept a class of invalid values in every field.
func invalidValueFaults() changes {
	const (
		texts = "name document_number document_country_of_issue qualification birth_date " +
			"relationship_start_date relationship_end_date registration_update_date"
		numbers  = "income patrimony participation_percentage"
		required = "shareholder_id mother_name phone_number email"
		choices  = "sort order filter_type type_extension"
	)
	flags, dates := strings.Join(booleanFields, " "), strings.Join(dateFields, " ")
	return changes{
		"create.value.wrapped_object_read":         readFieldsAs(required, unwrapObject),
		"create.value.wrapped.optional_array_read": readFieldsAs(texts+" "+numbers, unwrapArray),
		"create.value.large_body_unchecked": when(func(q *request) bool { return len(q.raw) > 4<<10 },
			ignoreDefects(opCreate, "*")),
		"create.value.key_twice_first_checked": filterDefects(opCreate,
			[]string{"qualification.*", "participation_percentage.*"}, func(q *request, i *defect) bool {
				key := i.Field[strings.LastIndexByte(i.Field, '.')+1:]
				return strings.Count(string(q.raw), strconv.Quote(key)) < 2
			}),
		"create.value.unreadable_empty": filterDefects(opCreate, keysOf(texts+" "+numbers+" "+flags),
			leaveEmpty),
		"create.required.nothing_checked": ignoreDefects(opCreate,
			append(keysOf(texts+" "+numbers+" "+required+" "+flags), "address.*", "required.*")...),
		"create.value.texts_converted":      readFieldsAs(numbers+" "+flags, convertText),
		"create.dates.unreadable_empty":     filterDefects(opCreate, keysOf(dates), leaveEmpty),
		"create.dates.read_in_any_notation": readFieldsAs(dates, dayInAnyNotation),
		"export.body.unreadable_ignored": filterDefects(opExport,
			keysOf(choices+" date_start date_end"), leaveEmpty),
		"export.body.number_as_default":               readFieldsAs(choices, omitNumber),
		"create.response.own_fields_taken":            takeFromRequest("id"),
		"create.response.own_fields_created_at_taken": takeFromRequest("created_at"),
		"create.person_type.echoed":                   takeFromRequest("person_type"),
	}
}

// keysOf returns patterns of the keys of all defects of some fields.
func keysOf(fields string) (keys []string) {
	for field := range strings.FieldsSeq(fields) {
		keys = append(keys, field+".*")
	}
	return keys
}

// leaveEmpty takes a field with a defect for one that was not sent.
func leaveEmpty(q *request, i *defect) bool {
	for field := range q.values {
		if strings.HasPrefix(i.Key, field+".") {
			delete(q.values, field)
		}
	}
	return false
}

// dayInAnyNotation returns the day that a text or a number of milliseconds names, moving days over
// the end of a month as JavaScript and PHP do.
func dayInAnyNotation(value any) any {
	text, _ := value.(string)
	if ms, err := toJSONNumber(value).Int64(); err == nil {
		return time.UnixMilli(ms).UTC().Format(time.DateOnly)
	}
	parts := lenientDatePattern.FindStringSubmatch(text)
	if parts == nil {
		return value
	}
	year, _ := strconv.Atoi(parts[1])
	month, _ := strconv.Atoi(parts[2])
	day, _ := strconv.Atoi(parts[3])
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

var lenientDatePattern = regexp.MustCompile(`^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})`)

// convertText returns the number or the flag that a text spells, as JSON spells it.
func convertText(value any) any {
	switch text, _ := value.(string); text {
	case "true", "false":
		return text == "true"
	}
	return parseSpelledNumber(value)
}

// omitNumber returns null in place of a number.
func omitNumber(value any) any {
	if toJSONNumber(value) != "" {
		return nil
	}
	return value
}

// unwrapArray returns the only element of an array, and unwrapObject the only value of an
// object. Other values stay as they are.
func unwrapArray(value any) any {
	if list, _ := value.([]any); len(list) == 1 {
		return list[0]
	}
	return value
}

func unwrapObject(value any) any {
	if fields, _ := value.(jsonObject); len(fields) == 1 {
		return unwrapArray(slices.Collect(maps.Values(fields)))
	}
	return value
}

// takeFromRequest returns an effect that accepts a field which only the service may set.
func takeFromRequest(field string) effect {
	return combine(func(q *request, r jsonObject) {
		if value, sent := q.body[field]; sent {
			r[field] = value
		}
	})
}
