package report

// change says that the lines [a0, a1) were replaced by [b0, b1) of the other text.
type change struct{ a0, a1, b0, b1 int }

// diffLines returns the changes between two texts in order; lines between them
// are equal. The script is shortest, by Myers' linear-space algorithm, unless
// the texts differ in more than about maxCost lines: then each stretch is
// cut at the furthest point reached, which keeps the time near linear.
func diffLines(a, b []string) []change {
	ids := make(map[string]int32, len(a))
	d := differ{
		a: intern(ids, a), b: intern(ids, b),
		gone: make([]bool, len(a)), added: make([]bool, len(b)),
	}
	n := len(a) + len(b) + 3
	d.forward, d.backward = make([]int, 2*n), make([]int, 2*n)
	d.compare(0, len(a), 0, len(b))
	var changes []change
	for i, j := 0, 0; i < len(a) || j < len(b); {
		c := change{a0: i, b0: j}
		for i < len(a) && d.gone[i] {
			i++
		}
		for j < len(b) && d.added[j] {
			j++
		}
		if i > c.a0 || j > c.b0 {
			c.a1, c.b1 = i, j
			changes = append(changes, c)
			continue
		}
		i++
		j++
	}
	return changes
}

func intern(ids map[string]int32, lines []string) []int32 {
	out := make([]int32, len(lines))
	for i, l := range lines {
		id, ok := ids[l]
		if !ok {
			id = int32(len(ids))
			ids[l] = id
		}
		out[i] = id
	}
	return out
}

const maxCost = 1000

// differ marks the lines of a that are gone and those of b that are added.
// forward and backward hold the furthest x on each diagonal x-y.
type differ struct {
	a, b              []int32
	gone, added       []bool
	forward, backward []int
}

func (d *differ) compare(a0, a1, b0, b1 int) {
	for {
		for a0 < a1 && b0 < b1 && d.a[a0] == d.b[b0] {
			a0++
			b0++
		}
		for a0 < a1 && b0 < b1 && d.a[a1-1] == d.b[b1-1] {
			a1--
			b1--
		}
		if a0 == a1 || b0 == b1 {
			for ; a0 < a1; a0++ {
				d.gone[a0] = true
			}
			for ; b0 < b1; b0++ {
				d.added[b0] = true
			}
			return
		}
		x, y := d.split(a0, a1, b0, b1)
		d.compare(a0, x, b0, y)
		a0, b0 = x, y
	}
}

// split returns a point of a good path through the box, neither its start nor
// its end. The box is not empty, and its first and last lines differ, so that
// at least two lines must change.
func (d *differ) split(a0, a1, b0, b1 int) (x, y int) {
	s := search{a: d.a[a0:a1], b: d.b[b0:b1], forward: d.forward, backward: d.backward, mid: len(d.forward) / 2}
	for cost := 0; ; cost++ {
		var k int
		if x, k = s.ahead(cost); x == unreached {
			x, k = s.back(cost)
		}
		if x == unreached && cost >= maxCost {
			x, k = s.furthest(cost)
		}
		if x != unreached {
			return a0 + x, b0 + x - k
		}
	}
}

// search looks for the middle of a shortest path from both ends. forward and
// backward hold, at mid+k, the x reached on diagonal k = x-y.
type search struct {
	a, b              []int32
	forward, backward []int
	mid               int
}

const (
	unreached     = -1
	unreachedBack = 1 << 40
)

// ahead takes one more step on all diagonals from the start. It returns the
// point at which it meets the search from the end, or unreached.
func (s *search) ahead(cost int) (x, k int) {
	n, m := len(s.a), len(s.b)
	delta := n - m
	for k := -cost; k <= cost; k += 2 {
		if k < -m || k > n {
			continue
		}
		x := s.enter(k, cost)
		for x != unreached && x < n && x-k < m && s.a[x] == s.b[x-k] {
			x++
		}
		s.forward[s.mid+k] = x
		if delta&1 != 0 && k > delta-cost && k < delta+cost && x >= s.backward[s.mid+k] {
			return x, k
		}
	}
	return unreached, 0
}

// enter returns where the search from the start enters diagonal k: from the one
// below by dropping a line, or from the one above by adding one.
func (s *search) enter(k, cost int) int {
	if cost == 0 {
		return 0
	}
	n, m := len(s.a), len(s.b)
	x, f := unreached, s.forward
	if i := s.mid + k - 1; k > -cost && k > -m && f[i] != unreached && f[i] < n {
		x = f[i] + 1
	}
	if i := s.mid + k + 1; k < cost && k < n && f[i] > x && f[i]-k <= m {
		x = f[i]
	}
	return x
}

// back is ahead from the end.
func (s *search) back(cost int) (x, k int) {
	n, m := len(s.a), len(s.b)
	delta := n - m
	for k := delta - cost; k <= delta+cost; k += 2 {
		if k < -m || k > n {
			continue
		}
		x := s.enterBack(k, cost)
		for x != unreachedBack && x > 0 && x-k > 0 && s.a[x-1] == s.b[x-k-1] {
			x--
		}
		s.backward[s.mid+k] = x
		if delta&1 == 0 && k >= -cost && k <= cost && x <= s.forward[s.mid+k] {
			return x, k
		}
	}
	return unreached, 0
}

// enterBack is enter for the search from the end.
func (s *search) enterBack(k, cost int) int {
	n, m := len(s.a), len(s.b)
	if cost == 0 {
		return n
	}
	delta := n - m
	x, r := unreachedBack, s.backward
	if i := s.mid + k + 1; k < delta+cost && k < n && r[i] != unreachedBack && r[i] > 0 {
		x = r[i] - 1
	}
	if i := s.mid + k - 1; k > delta-cost && k > -m && r[i] < x && r[i]-k >= 0 {
		x = r[i]
	}
	return x
}

// furthest returns the point from the start that has most lines behind it.
func (s *search) furthest(cost int) (x, k int) {
	x = unreached
	for d := -cost; d <= cost; d += 2 {
		if d < -len(s.b) || d > len(s.a) {
			continue
		}
		if fx := s.forward[s.mid+d]; fx != unreached && (x == unreached || 2*fx-d > 2*x-k) {
			x, k = fx, d
		}
	}
	return x, k
}
