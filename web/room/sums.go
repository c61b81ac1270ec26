package room

// The CRC-32 of a text that is put together of two follows from those of its parts: the first one's is moved over the length of the second,
// which is a multiplication of polynomials over GF(2), and the second's is added. (Mark Adler's crc32_combine in zlib; the same bit order.)

const polynomial = 0xedb88320 // of CRC-32, as hash/crc32 has it

// joinSums is the check sum of a text followed by one with the sum next, whose length shift moves over.
func joinSums(sum, next, shift uint32) uint32 { return multiply(shift, sum) ^ next }

// shiftOver is what moves a check sum over n bytes: x to the power of 8n.
func shiftOver(n int) uint32 {
	product := uint32(1) << 31 // one
	for power := 3; n > 0; n, power = n>>1, power+1 {
		if n&1 != 0 {
			product = multiply(squares[power&31], product)
		}
	}
	return product
}

// squares are x to the powers of 1, 2, 4, 8, …; the 32nd is the first again.
var squares = func() (t [32]uint32) {
	t[0] = 1 << 30
	for i := 1; i < len(t); i++ {
		t[i] = multiply(t[i-1], t[i-1])
	}
	return t
}()

// multiply multiplies two polynomials, modulo that of the check sum.
func multiply(a, b uint32) (product uint32) {
	for bit := uint32(1) << 31; ; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
			if a&(bit-1) == 0 {
				return product
			}
		}
		if bit == 1 {
			return product
		}
		if b&1 != 0 {
			b = b>>1 ^ polynomial
		} else {
			b >>= 1
		}
	}
}
