package cmd

import (
	"net"
	"slices"
	"testing"
)

func TestReportServeAnswersOnlyToItsNames(t *testing.T) {
	for asked, c := range map[string]struct {
		at   string
		want []string
	}{
		"127.0.0.1:8090": {"127.0.0.1", []string{"127.0.0.1:8090", "127.0.0.1:8090", "localhost:8090"}},
		"localhost:0":    {"::1", []string{"[::1]:8090", "localhost:8090", "localhost:8090"}},
		"10.0.0.7:8090":  {"10.0.0.7", []string{"10.0.0.7:8090", "10.0.0.7:8090"}},
		":8090":          {"::", nil},
		"0.0.0.0:8090":   {"0.0.0.0", nil},
	} {
		if hosts := hostsOfListener(&net.TCPAddr{IP: net.ParseIP(c.at), Port: 8090},
			asked); !slices.Equal(hosts, c.want) {
			t.Errorf("%s: %q", asked, hosts)
		}
	}
}
