//go:build race

package protocol

func init() { underRace = true }
