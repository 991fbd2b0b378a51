package transport

// buffer holds what was read and not yet handed out: data[from:to]. What came before from may still be in use as the
// head or body of the answer at hand.
type buffer struct {
	data     []byte
	from, to int
}

const (
	smallBuffer = 1 << 10  // most answers fit; thousands of connections that wait cost little
	keptBuffer  = 64 << 10 // a larger one is given back before the next request
)

// begin empties the buffer for the next answer.
func (b *buffer) begin() {
	if b.data == nil || len(b.data) > keptBuffer {
		b.data = make([]byte, smallBuffer)
	}
	b.from, b.to = 0, 0
}

// pending is the number of bytes that nobody asked for yet.
func (b *buffer) pending() int { return b.to - b.from }

// room returns where the next bytes go; it grows the buffer when it is full.
func (b *buffer) room() []byte {
	if b.to == len(b.data) {
		grown := make([]byte, 2*len(b.data))
		copy(grown, b.data[:b.to])
		b.data = grown
	}
	return b.data[b.to:]
}
