//go:build !unix

package transport

import "net"

// direct is empty where the sockets of the system cannot be reached: the ordinary calls serve.
type direct struct{}

func newWire(conn, _ net.Conn) *wire { return &wire{conn: conn} }

func (w *wire) send(x *Exchange, out []byte, in *buffer) (stale bool, err error) {
	return false, w.write(x, out, in)
}
