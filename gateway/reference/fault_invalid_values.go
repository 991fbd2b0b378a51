package reference

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// invalidValueFaults declares faults that accept a class of invalid values in every field.
func invalidValueFaults() changes {
	const (
		texts = "name document_number document_country_of_issue qualification birth_date " +
			"relationship_start_date relationship_end_date registration_update_date"
		numbers  = "income patrimony participation_percentage"
		required = "shareholder_id mother_name phone_number email"
	)
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
		"create.response.own_fields_taken":            takeFromRequest("id"),
		"create.response.own_fields_created_at_taken": takeFromRequest("created_at"),
		"create.person_type.echoed":                   takeFromRequest("person_type"),
	}
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
