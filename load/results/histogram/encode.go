package histogram

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// HdrHistogram V2: a header and the counts as zig-zag LEB128, runs of zeros as one negative number; compressed with
// zlib behind a header of its own; in base64.
const (
	plainCookie      = 0x1c849303 | 0x10
	compressedCookie = 0x1c849304 | 0x10
	plainHeader      = 40
	compressedHeader = 8
	longestPlain     = plainHeader + pages*pageSize*10
)

// Encoder writes histograms; it keeps its buffers. It is for one goroutine. The zero value is ready.
type Encoder struct {
	plain  []byte
	packed bytes.Buffer
	zip    *zlib.Writer
}

// Encode returns the base64 text of a histogram as HdrHistogram logs hold it.
func (e *Encoder) Encode(h *Histogram) string {
	e.fill(h)
	e.packed.Reset()
	var head [compressedHeader]byte
	e.packed.Write(head[:])
	if e.zip == nil {
		e.zip, _ = zlib.NewWriterLevel(&e.packed, zlib.BestSpeed) // the level is valid
	} else {
		e.zip.Reset(&e.packed)
	}
	_, _ = e.zip.Write(e.plain) // into memory: cannot fail
	_ = e.zip.Close()
	all := e.packed.Bytes()
	binary.BigEndian.PutUint32(all[0:], compressedCookie)
	binary.BigEndian.PutUint32(all[4:], uint32(len(all)-compressedHeader))
	return base64.StdEncoding.EncodeToString(all)
}

func (e *Encoder) fill(h *Histogram) {
	var head [plainHeader]byte
	e.plain = append(e.plain[:0], head[:]...)
	b := e.plain
	zeros := int64(0)
	for _, page := range h.pages {
		if page == nil {
			zeros += pageSize
			continue
		}
		for _, n := range page {
			if n == 0 {
				zeros++
				continue
			}
			if zeros > 0 {
				b = binary.AppendVarint(b, -zeros)
				zeros = 0
			}
			b = binary.AppendVarint(b, n)
		}
	}
	binary.BigEndian.PutUint32(b[0:], plainCookie)
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)-plainHeader))
	binary.BigEndian.PutUint32(b[8:], 0) // no index offset
	binary.BigEndian.PutUint32(b[12:], Digits)
	binary.BigEndian.PutUint64(b[16:], uint64(Lowest))
	binary.BigEndian.PutUint64(b[24:], uint64(Highest))
	binary.BigEndian.PutUint64(b[32:], math.Float64bits(1))
	e.plain = b
}

// Decode adds what Encode wrote to h. It fails on text that is not a histogram of this package's range; h is then left
// as it was.
func (h *Histogram) Decode(text string) error { return new(Decoder).Add(h, text) }

// Decoder reads many histograms; it keeps its buffers. It is for one goroutine. The zero value is ready.
type Decoder struct {
	raw   []byte
	plain bytes.Buffer
	unzip io.ReadCloser
}

// Add adds what Encode wrote to h. It fails on text that is not a histogram of this package's range; h is then left as
// it was.
func (d *Decoder) Add(h *Histogram, text string) error {
	var err error
	if d.raw, err = base64.StdEncoding.AppendDecode(d.raw[:0], []byte(strings.TrimSpace(text))); err != nil {
		return fmt.Errorf("not a histogram: %w", err)
	}
	if len(d.raw) < compressedHeader || binary.BigEndian.Uint32(d.raw) != compressedCookie {
		return fmt.Errorf("not a compressed HdrHistogram of version 2")
	}
	packed := bytes.NewReader(d.raw[compressedHeader:])
	if again, ok := d.unzip.(zlib.Resetter); ok {
		err = again.Reset(packed, nil)
	} else {
		d.unzip, err = zlib.NewReader(packed)
	}
	if err != nil {
		d.unzip = nil
		return fmt.Errorf("not a histogram: %w", err)
	}
	d.plain.Reset()
	if _, err := d.plain.ReadFrom(io.LimitReader(d.unzip, longestPlain+1)); err != nil {
		return fmt.Errorf("not a histogram: %w", err)
	}
	plain := d.plain.Bytes()
	if len(plain) < plainHeader || len(plain) > longestPlain || binary.BigEndian.Uint32(plain) != plainCookie {
		return fmt.Errorf("not an HdrHistogram of version 2")
	}
	if binary.BigEndian.Uint32(plain[12:]) != Digits || binary.BigEndian.Uint64(plain[16:]) != uint64(Lowest) ||
		binary.BigEndian.Uint64(plain[24:]) != uint64(Highest) {
		return fmt.Errorf("a histogram of another range than 1 µs to 10 min with 3 digits in nanoseconds")
	}
	if err := counts(plain[plainHeader:], func(int, int, int64) {}); err != nil {
		return err
	}
	return counts(plain[plainHeader:], h.add)
}

// counts walks the counts of a histogram.
func counts(b []byte, found func(page, slot int, n int64)) error {
	index, total := int64(0), int64(0)
	for len(b) > 0 {
		n, size := binary.Varint(b)
		if size <= 0 {
			return fmt.Errorf("a histogram with a broken count")
		}
		b = b[size:]
		if n <= 0 {
			zeros := int64(1) // a single zero may be written as 0
			if n < 0 {
				zeros = -max(n, -pages*pageSize-1)
			}
			if index += zeros; index > pages*pageSize {
				return fmt.Errorf("a histogram with more counts than its range has")
			}
			continue
		}
		if index >= pages*pageSize || n > math.MaxInt64/4 || total > math.MaxInt64/4 {
			return fmt.Errorf("a histogram with more counts than its range has")
		}
		total += n
		found(int(index>>halfBits), int(index&(pageSize-1)), n)
		index++
	}
	return nil
}
