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
		reading("create.value.wrapped_object_read", "value.wrapped", "an object with one required value as it", required, inObjectOfOne),
		reading("create.value.wrapped.optional_array_read", "value.wrapped.optional",
			"an array of one right value as that value", texts+" "+numbers, inArray),
		fault("create.value.large_body_unchecked", "value.large_body", "checks nothing in a body of more than 4 KiB",
			when(func(q *call) bool { return len(q.raw) > 4<<10 }, ignoring(creating, "*"))),
		fault("create.value.key_twice_first_checked", "value.key_twice",
			"checks the first of two values of a key, and takes the last",
			onDefects(creating, []string{"qualification.*", "participation_percentage.*"}, func(q *call, i *issue) bool {
				key := i.Field[strings.LastIndexByte(i.Field, '.')+1:]
				return strings.Count(string(q.raw), strconv.Quote(key)) < 2
			})),
		ownField("create.response.own_fields_taken", "response.own_fields", "the ID of a record", "id"),
		ownField("create.response.own_fields_created_at_taken", "response.own_fields", "the date of creation", "created_at"),
		ownField("create.person_type.echoed", "person_type", "the person type", "person_type"),
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

// ownField takes from a request what only the service sets.
func ownField(name, rule, what, field string) faults {
	return fault(name, rule, "takes "+what+" from the request", func(q *call, r object) {
		if given, sent := q.body[field]; sent {
			r[field] = given
		}
	})
}
