package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// modest is what poly may take of memory while that is enough, in bytes.
const modest = 320 << 20

// keepModest sets how garbage is collected. A warm run allocates little and
// ends soon: collecting its garbage early would cost more than it gives back.
// A long run stays below modest, or below twice what it really uses, so that a
// very large repository is not slowed down by a collector that finds nothing.
func keepModest() {
	debug.SetGCPercent(1600)
	debug.SetMemoryLimit(modest)
	afterNextGC()
}

// afterNextGC sets the limit anew after each collection.
func afterNextGC() {
	token := new([64]byte) // garbage at once
	runtime.AddCleanup(token, func(live []metrics.Sample) {
		metrics.Read(live)
		if live[0].Value.Kind() == metrics.KindUint64 {
			debug.SetMemoryLimit(max(modest, 2*int64(live[0].Value.Uint64())))
		}
		afterNextGC()
	}, []metrics.Sample{{Name: "/gc/heap/live:bytes"}})
}

// keepSmall collects garbage early: a command that looks at each file once, and
// keeps nothing of it, needs little.
func keepSmall() { debug.SetGCPercent(40) }
