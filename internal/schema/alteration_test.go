package schema

import (
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestAltered(t *testing.T) {
	for _, x := range [][3]string{
		{"José", "JOSÉ", "in another case"},
		{"José", "Jose", "without its accents"},
		{"José", "JosÃ©", "with UTF-8 read as Latin-1"},
		{"D'Ávila", "D&#39;Ávila", "with HTML escaped"},
		{"01310", "1310", "without its leading zeros"},
		{"Rua Azul", "Rua Az", "cut after 6 of 8 characters"},
		{"1990-01-31", "1990-01-30", "another date, off by 1 day"},
		{"José", "Maria", ""},
		{"José", "", ""},
	} {
		testmust.Equal(t, describeAlteration(x[0], x[1]), x[2], x[0], x[1])
	}
}
