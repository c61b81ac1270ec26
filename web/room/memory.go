package room

import (
	"os"
	"runtime/debug"
	"sync"
)

// A crowd's memory is connections, which are no garbage. With the usual setting the heap may grow to double before it is looked through for
// what little garbage there is, so that each follower takes almost twice what it needs.
const (
	crowdSize  = 1000 // followers in this process from which on it is a crowd
	crowdSpare = 40   // percent that the heap may then grow before it is looked through; usually it is 100
)

// crowds notes whether this process has a crowd. The setting is the process's, so there is one for all Rooms; it is left alone if the
// environment says what it is to be.
var crowds struct {
	sync.Mutex
	now    int // Rooms that have a crowd
	before int
}

func crowdCame() {
	crowds.Lock()
	defer crowds.Unlock()
	if crowds.now++; crowds.now == 1 && os.Getenv("GOGC") == "" {
		crowds.before = debug.SetGCPercent(crowdSpare)
	}
}

func crowdLeft() {
	crowds.Lock()
	defer crowds.Unlock()
	if crowds.now--; crowds.now == 0 && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(crowds.before)
	}
}

// come counts one follower of this process more; ok is false, and it is not counted, if there are as many as may be.
func (rs *Rooms) come() (ok bool) {
	rs.counting.Lock()
	defer rs.counting.Unlock()
	if rs.followers >= rs.config.Limits.Process {
		return false
	}
	if rs.followers++; rs.followers == crowdSize {
		crowdCame()
	}
	return true
}

// part counts one less.
func (rs *Rooms) part() {
	rs.counting.Lock()
	defer rs.counting.Unlock()
	if rs.followers--; rs.followers == crowdSize-1 {
		crowdLeft()
	}
}
