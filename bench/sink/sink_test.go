package sink_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
)

func start(t *testing.T, o sink.Options) *sink.Server {
	t.Helper()
	srv := testmust.Get(sink.Start(o))(t)
	t.Cleanup(func() { srv.Close() })
	return srv
}

func TestEveryAnswerIsASoundExportOfItsOwn(t *testing.T) {
	srv := start(t, sink.Options{})
	client := &http.Client{
		Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true},
	}
	seen := map[string]bool{}
	for range 3 {
		resp := testmust.Get(client.Post(srv.URL+"/v1/exports", "application/json",
			strings.NewReader(`{}`)))(t)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 201 || len(body) != 150 ||
			judge.FindDefect(body) != judge.DefectNone {
			t.Fatalf("%d %s %v", resp.StatusCode, body, err)
		}
		seen[string(body)] = true
	}
	testmust.Equal(t, len(seen), 3)
	testmust.Equal(t, srv.Requests(), 3)
}

func TestRequestsAreFoundHoweverTheyArrive(t *testing.T) {
	srv := start(t, sink.Options{Log: true})
	c := testmust.Get(net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://")))(t)
	defer c.Close()
	req := "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
	for _, part := range []string{req[:7], req[7:40], req[40:] + req[:len(req)-2], "lo" +
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n"} {
		testmust.Get(io.WriteString(c, part))(t)
		time.Sleep(5 * time.Millisecond)
	}
	got := make([]byte, 3*230)
	c.SetReadDeadline(time.Now().Add(5 * time.Second))
	n, err := io.ReadFull(c, got[:len(got)-30])
	if err != nil || bytes.Count(got[:n], []byte("HTTP/1.1 201")) != 3 {
		t.Fatalf("%v: %s", err, got[:n])
	}
	c.Close()
	if log := srv.Close(); len(log) != 3 || log[2].Answered < log[2].Arrived {
		t.Errorf("log %v", log)
	}
}
