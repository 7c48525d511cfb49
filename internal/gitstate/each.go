package gitstate

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// each calls f with 0 to n-1, batch by batch, in up to jobs goroutines, and
// returns the first error. Where one is enough it starts none.
func each(ctx context.Context, jobs, batch, n int, f func(ctx context.Context, i int) error) error {
	part := func(ctx context.Context, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	if jobs == 1 || n <= batch {
		return part(ctx, 0, n)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for lo := 0; lo < n; lo += batch {
		g.Go(func() error { return part(ctx, lo, min(lo+batch, n)) })
	}
	return g.Wait()
}
