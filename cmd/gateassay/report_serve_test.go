package main

import (
	"net"
	"slices"
	"testing"
)

func TestReportServeAnswersOnlyToItsNames(t *testing.T) {
	tcp := func(address string, port int) net.Addr { return &net.TCPAddr{IP: net.ParseIP(address), Port: port} }
	for _, c := range []struct {
		at       net.Addr
		host     string
		more     []string
		want     []string
		loopback bool
	}{
		{tcp("127.0.0.1", 8090), "127.0.0.1", nil, []string{"127.0.0.1:8090", "localhost:8090"}, true},
		{tcp("127.0.0.1", 41000), "localhost", nil, []string{"127.0.0.1:41000", "localhost:41000"}, true},
		{tcp("::1", 8090), "::1", nil, []string{"[::1]:8090", "localhost:8090"}, true},
		{
			tcp("10.0.0.7", 8090), "10.0.0.7",
			[]string{"reports.example"},
			[]string{"reports.example", "10.0.0.7:8090"},
			false,
		},
		{tcp("::", 8090), "", []string{"reports.example:8090"}, []string{"reports.example:8090"}, false},
		{tcp("0.0.0.0", 8090), "0.0.0.0", []string{"reports.example"}, []string{"reports.example"}, false},
	} {
		hosts, loopback := answering(c.at, c.host, c.more)
		if !slices.Equal(hosts, c.want) || loopback != c.loopback {
			t.Errorf("%s: %q, loopback %t", c.at, hosts, loopback)
		}
	}
}
