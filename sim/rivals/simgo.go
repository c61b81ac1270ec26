package main

import (
	"github.com/fschuetz04/simgo"

	"imscope/sim/im"
)

// simgoLoop plays s with simgo: whatever waits is a process. Its clock counts nanoseconds, which are exact in a float64 for a hundred
// days.
func simgoLoop(s *im.Scenario) im.Metrics {
	m := newModel(s)
	simulation := simgo.NewSimulation()
	var start func()
	start = func() {
		for _, e := range m.take() {
			simulation.Process(func(p simgo.Process) {
				p.Wait(p.Timeout(float64(e.at) - p.Now()))
				m.handle(&e)
				start()
			})
		}
	}
	start()
	simulation.RunUntil(float64(m.end + im.Overtime))
	simulation.Shutdown()
	return m.metrics
}
