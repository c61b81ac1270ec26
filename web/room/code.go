package room

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
)

// codeLetters has no two that look alike on a bad projector (0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V), and no vowels, so that no code is a
// word.
const codeLetters = "23479CDFGHJKMNPRTVWXY"

// CodeLength is how many letters a code has. There are 21^5, about four million (22 bits). A code is no secret: it stands on the wall, and
// whoever guesses one may watch, no more. With ten rooms open, an address that tries as many wrong codes as Limits.WrongCodes allows, 150
// in ten minutes, meets one in three weeks on average.
const CodeLength = 5

// newCode draws a code.
func newCode() string {
	code := make([]byte, 0, CodeLength)
	const fair = 256 - 256%len(codeLetters) // bytes from here on would favour some letters
	for len(code) < CodeLength {
		var b [1]byte
		_, _ = rand.Read(b[:]) // it never fails
		if int(b[0]) < fair {
			code = append(code, codeLetters[int(b[0])%len(codeLetters)])
		}
	}
	return string(code)
}

// ParseCode reads a code as people type it: small letters, spaces and hyphens do not matter. ok is false if it can be no code.
func ParseCode(text string) (code string, ok bool) {
	if len(text) > 4*CodeLength {
		return "", false
	}
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "", " ", "").Replace(text))
	if len(code) != CodeLength {
		return "", false
	}
	for _, r := range code {
		if !strings.ContainsRune(codeLetters, r) {
			return "", false
		}
	}
	return code, true
}

// NewToken draws a token of 128 bits, for a browser that answers, and for a presenter's window.
func NewToken() string { return randomText(16) }

// randomText writes n random bytes as letters, digits, - and _.
func randomText(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// hash is what is kept of a secret. It has 128 random bits, so one round is enough.
func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

func sameSecret(kept []byte, secret string) bool {
	return subtle.ConstantTimeCompare(kept, hash(secret)) == 1
}

// isToken reports whether a token can be part of a key.
func isToken(text string, least, most int) bool {
	if len(text) < least || len(text) > most {
		return false
	}
	for _, r := range text {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return true
}
