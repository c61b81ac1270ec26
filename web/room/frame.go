package room

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"sync"
)

// frame is a piece of a stream as it goes over the wire, made once for all who get it.
//
// A stream that is compressed with gzip (RFC 1952) usually has a compressor of its own, of hundreds of kilobytes. Here every frame is
// compressed by itself, as blocks of deflate (RFC 1951) that refer to nothing before them and end on a byte; blocks in a row, whichever
// they are, are a valid stream. What a stream has to keep is the check sum and the length of all that went before.
type frame struct {
	plain  []byte
	zipped []byte // blocks of deflate
	crc    uint32 // of plain
	shift  uint32 // moves a check sum over the length of plain; see sums.go
}

// smallFrame is what is not worth compressing, in bytes: it is wrapped in a block as it is.
const smallFrame = 600

func newFrame(plain []byte) frame {
	f := frame{plain: plain, crc: crc32.ChecksumIEEE(plain), shift: shiftOver(len(plain))}
	if len(plain) < smallFrame {
		f.zipped = stored(plain)
	} else {
		f.zipped = deflated(plain)
	}
	return f
}

// emptyBlock is a block of no bytes (RFC 1951, 3.2.4). Readers hand on what they have when they meet it.
const emptyBlock = "\x00\x00\x00\xff\xff"

// stored wraps up to 65,535 bytes in a block that does not compress.
func stored(plain []byte) []byte {
	b := make([]byte, 0, len(plain)+10)
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(plain)))
	b = binary.LittleEndian.AppendUint16(b, ^uint16(len(plain)))
	return append(append(b, plain...), emptyBlock...)
}

// deflated compresses, up to and including an empty block.
func deflated(plain []byte) []byte {
	var b bytes.Buffer
	z := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(z)
	z.Reset(&b)
	_, _ = z.Write(plain) // a buffer takes all
	_ = z.Flush()
	return bytes.Clone(b.Bytes()) // without the room that the buffer had left
}

var deflaters = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, flate.DefaultCompression) // the level is valid
	return z
}}

const (
	gzipHeader = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" // deflate, no name, no time, any system (RFC 1952, 2.3)
	lastBlock  = "\x03\x00"                                 // the last block, of no bytes, which every stream must have
)

// gzipTrailer ends a stream with the check sum and the length of all its bytes.
func gzipTrailer(crc, length uint32) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(lastBlock), crc)
	return binary.LittleEndian.AppendUint32(b, length)
}

// shared is something that is drawn once for each way to see it, when the first asks.
type shared struct {
	since uint64 // the version that it belongs to
	mu    sync.Mutex
	drawn map[viewKey]*drawing
}

type viewKey struct{ kind, lang string }

// drawing is a frame that is there once ready is closed.
type drawing struct {
	ready chan struct{}
	frame frame
}

func newShared(since uint64) *shared { return &shared{since: since, drawn: make(map[viewKey]*drawing)} }

// frame returns the frame of a way to see it; the first who asks draws it, and the others wait.
func (s *shared) frame(key viewKey, draw func() []byte) *frame {
	s.mu.Lock()
	d := s.drawn[key]
	first := d == nil
	if first {
		d = &drawing{ready: make(chan struct{})}
		s.drawn[key] = d
	}
	s.mu.Unlock()
	if first {
		defer close(d.ready) // also if it panics: the others then get nothing
		if plain := draw(); len(plain) > 0 {
			d.frame = newFrame(plain)
		}
	} else {
		<-d.ready
	}
	return &d.frame
}
