//go:build race

package web

// raceOn says that the race detector watches. It makes all ten times slower, and finds in ten runs what it finds in a hundred.
const raceOn = true
