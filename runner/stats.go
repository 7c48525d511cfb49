package runner

import (
	"time"

	"poly/internal/diag"
)

// ran notes what an engine did for the file at hand, for --debug.
func (w *worker) ran(e *planned, d time.Duration) {
	if w.run.req.Debug {
		w.runs = append(w.runs, diag.EngineRun{Engine: e.eng.Name, Version: e.eng.Wrapped, Micros: d.Microseconds()})
	}
}

// engineRuns tells for each engine of an entry whether it ran or was answered
// by the cache.
func (r *run) engineRuns(e *entry) []diag.EngineRun {
	if !r.req.Debug || e.plan == nil {
		return nil
	}
	out := append([]diag.EngineRun(nil), e.runs...)
	for i := range e.plan.engines {
		eng := e.plan.engines[i].eng
		ran := false
		for _, x := range e.runs {
			ran = ran || x.Engine == eng.Name
		}
		if !ran && e.wanted(i) {
			out = append(out, diag.EngineRun{Engine: eng.Name, Version: eng.Wrapped, CacheHit: true})
		}
	}
	return out
}
