package actionlint

import (
	"slices"
	"strconv"
	"strings"

	upstream "github.com/rhysd/actionlint"
)

const (
	kindNeeds = "job-needs"
	cyclic    = "cyclic dependencies"
)

// cycles finds the first circle of jobs that wait for each other. The library
// finds one of them, and not always the same one.
func cycles(w *upstream.Workflow) []*upstream.Error {
	g := graph{jobs: map[string]*upstream.Job{}, state: map[string]int{}}
	var order []*upstream.Job
	for _, j := range w.Jobs {
		if j == nil || j.ID == nil {
			continue
		}
		g.jobs[strings.ToLower(j.ID.Value)] = j
		order = append(order, j)
	}
	slices.SortFunc(order, func(a, b *upstream.Job) int { return before(a.ID.Pos, b.ID.Pos) })
	for _, j := range order {
		for _, need := range j.Needs {
			if g.jobs[strings.ToLower(need.Value)] == nil {
				return nil // reported, and the library looks no further
			}
		}
	}
	for _, j := range order {
		if g.visit(strings.ToLower(j.ID.Value)) {
			return []*upstream.Error{g.report()}
		}
	}
	return nil
}

func before(a, b *upstream.Pos) int {
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Col - b.Col
}

// graph walks from jobs to what they need.
type graph struct {
	jobs  map[string]*upstream.Job
	state map[string]int // 1: on the path, 2: done
	path  []string
	again string // the job on the path that is needed again
}

func (g *graph) visit(id string) bool {
	g.state[id] = 1
	g.path = append(g.path, id)
	for _, need := range g.jobs[id].Needs {
		next := strings.ToLower(need.Value)
		if g.state[next] == 1 {
			g.again = next
			return true
		}
		if g.state[next] == 0 && g.visit(next) {
			return true
		}
	}
	g.path = g.path[:len(g.path)-1]
	g.state[id] = 2
	return false
}

// report tells the circle from its first job in the file on.
func (g *graph) report() *upstream.Error {
	ring := g.path[slices.Index(g.path, g.again):]
	first := 0
	for i := range ring {
		if before(g.jobs[ring[i]].ID.Pos, g.jobs[ring[first]].ID.Pos) < 0 {
			first = i
		}
	}
	var b strings.Builder
	b.WriteString(cyclic + " in \"needs\": ")
	for i := range ring {
		b.WriteString(strconv.Quote(ring[(first+i)%len(ring)]) + " -> ")
	}
	b.WriteString(strconv.Quote(ring[first]))
	pos := g.jobs[ring[first]].ID.Pos
	return &upstream.Error{Message: b.String(), Line: pos.Line, Column: pos.Col, Kind: kindNeeds}
}
