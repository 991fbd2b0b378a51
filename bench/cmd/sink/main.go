// Command sink runs the server that load generators are measured against, until it is interrupted or its input ends.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gateassay/gateassay/load/sink"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sink:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout io.Writer) error {
	flags := flag.NewFlagSet("sink", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "address to listen on; port 0 takes a free one")
	delay := flags.Duration("delay", 0, "before each answer, such as 20ms")
	stallAt := flags.Duration("stall", 0, "stall this long after the first request, such as 5s")
	stallFor := flags.Duration("stall-for", time.Second, "how long a stall lasts")
	log := flags.String("log", "", "file for nonce, arrival and answer of each request, written at the end")
	ca := flags.String("tls", "", "serve TLS, and write the certificate to trust to this file")
	wait := flags.Bool("until-eof", false, "end when standard input ends, as it does with the parent process")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o := sink.Options{Delay: *delay, Log: *log != ""}
	if *stallAt > 0 {
		o.StallAt, o.StallFor = *stallAt, *stallFor
	}
	if *ca != "" {
		conf, pem, err := sink.SelfSigned()
		if err != nil {
			return err
		}
		if err := os.WriteFile(*ca, pem, 0o644); err != nil { // #nosec: a certificate is public
			return err
		}
		o.TLS = conf
	}
	t, err := sink.Start(*addr, o)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, t.URL())
	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM)
	if *wait {
		go func() {
			_, _ = io.Copy(io.Discard, stdin)
			end <- os.Interrupt
		}()
	}
	<-end
	t.Close()
	fmt.Fprintf(stdout, "%d requests over %d connections\n", t.Requests(), t.Connections())
	if *log == "" {
		return nil
	}
	file, err := os.Create(*log)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	if err := t.WriteLog(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}
