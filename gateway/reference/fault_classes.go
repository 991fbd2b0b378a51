package reference

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// classFaults take the wrong values of a class for right ones, in every field.
func classFaults() faults {
	const (
		texts = "name document_number document_country_of_issue qualification birth_date relationship_start_date " +
			"relationship_end_date registration_update_date"
		numbers  = "income patrimony participation_percentage"
		required = "shareholder_id mother_name phone_number email"
	)
	return slices.Concat(
		mishandled("classes"),
		fault("create.value.wrapped_object_read", reads(required, inObjectOfOne)),
		fault("create.value.wrapped.optional_array_read", reads(texts+" "+numbers, inArray)),
		fault("create.value.large_body_unchecked",
			when(func(q *call) bool { return len(q.raw) > 4<<10 }, ignoring(creating, "*"))),
		fault("create.value.key_twice_first_checked",
			onDefects(creating, []string{"qualification.*", "participation_percentage.*"}, func(q *call, i *issue) bool {
				key := i.Field[strings.LastIndexByte(i.Field, '.')+1:]
				return strings.Count(string(q.raw), strconv.Quote(key)) < 2
			})),
		fault("create.response.own_fields_taken", fromRequest("id")),
		fault("create.response.own_fields_created_at_taken", fromRequest("created_at")),
		fault("create.person_type.echoed", fromRequest("person_type")),
	)
}

// inArray and inObjectOfOne are what an array or object holds, where that is one value.
func inArray(value any) any {
	if list, _ := value.([]any); len(list) == 1 {
		return list[0]
	}
	return value
}

func inObjectOfOne(value any) any {
	if fields, _ := value.(object); len(fields) == 1 {
		return inArray(slices.Collect(maps.Values(fields)))
	}
	return value
}

// fromRequest takes from a request a field that only the service sets.
func fromRequest(field string) any {
	return func(q *call, r object) {
		if value, sent := q.body[field]; sent {
			r[field] = value
		}
	}
}
