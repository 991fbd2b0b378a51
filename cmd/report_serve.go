package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/browse"
)

func reportServeCommand() *cobra.Command {
	var addr string
	var more []string
	c := &cobra.Command{
		Use: "serve [FOLDER]", Short: "Browse a folder of runs", Args: cobra.MaximumNArgs(1),
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		folder := filepath.Join("reports", "runs")
		if len(args) > 0 {
			folder = args[0]
		}
		return serveReports(c, folder, addr, more)
	}
	addressFlag(c, &addr, "127.0.0.1:8090")
	c.Flags().StringArrayVar(&more, "allow-host", nil,
		"answer to this `HOST[:PORT]` as well (repeatable)")
	return c
}

func serveReports(c *cobra.Command, folder, addr string, more []string) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return usageError{err}
	}
	listener, err := (&net.ListenConfig{}).Listen(c.Context(), "tcp", addr)
	if err != nil {
		return usageErrorf("cannot listen: %w; choose another address with --addr", err)
	}
	defer func() { _ = listener.Close() }()
	at := listener.Addr().(*net.TCPAddr) // the listener is TCP
	hosts := append(hostsOfListener(at, addr), more...)
	if len(hosts) == 0 {
		return usageErrorf("--addr %s listens on every address: name the hosts that browsers will ask "+
			"for with --allow-host HOST:PORT", addr)
	}
	handler, err := browse.Open(folder, browse.Options{Hosts: hosts, Title: absolute})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no folder %s; name the one that runs were written to (gateassay "+
			"conform and load write to reports/runs)", folder)
	}
	if err != nil {
		return usageError{err}
	}
	defer handler.Close()
	if !at.IP.IsLoopback() {
		fmt.Fprintln(c.ErrOrStderr(), "gateassay: other machines can read every run that is served here")
	}
	fmt.Fprintf(c.OutOrStdout(), "%s on http://%s/\nCtrl-C stops it\n", printable.Clean(absolute),
		hosts[0])
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 5 * time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
	}
	defer context.AfterFunc(c.Context(), func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("the server of the pages failed: %w", err)
	}
	return nil
}

// hostsOfListener returns the Host values of an address, the one to show first; nil if it listens
// on all addresses.
func hostsOfListener(at *net.TCPAddr, asked string) (hosts []string) {
	host, _, _ := net.SplitHostPort(asked)
	switch port := strconv.Itoa(at.Port); {
	case at.IP.IsLoopback():
		hosts = []string{"localhost:" + port}
		fallthrough
	case !at.IP.IsUnspecified():
		hosts = append([]string{at.String(), net.JoinHostPort(host, port)}, hosts...)
	}
	return hosts
}
