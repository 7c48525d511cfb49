package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"poly/hooks"
	"poly/internal/report"
	"poly/store"
)

func (a *app) cacheCommand() *cobra.Command {
	var format, dir string
	cmd := &cobra.Command{
		Use:     "cache",
		Short:   "Show, trim or empty the result cache",
		Example: "  poly cache stats\n  poly cache gc --max-size 100M",
	}
	cmd.PersistentFlags().StringVar(&format, "format", report.Pretty, "output format: pretty, json or toon")
	cmd.PersistentFlags().StringVar(&dir, "cache-dir", "", "use the cache in this `DIR`")
	with := func(fn func(context.Context, *session) (report.Object, error)) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, _ []string) error {
			out, err := report.Find(format)
			if err != nil {
				return err
			}
			s, err := a.openPlace(cmd.Context(), dir)
			if err != nil {
				return err
			}
			defer s.Close()
			o, err := fn(cmd.Context(), s)
			for _, w := range s.cache.Warnings() {
				fmt.Fprintln(a.stderr, "poly: warning:", w)
			}
			if err != nil {
				return err
			}
			return a.object(out, o)
		}
	}
	stats := with(cacheStats)
	cmd.RunE = stats
	cmd.Args = cobra.NoArgs
	cmd.AddCommand(
		&cobra.Command{Use: "stats", Short: "Entries and bytes of each namespace", Example: "  poly cache stats\n  poly cache stats --format json", Args: cobra.NoArgs, RunE: stats},
		&cobra.Command{Use: "clean", Short: "Forget every result", Example: "  poly cache clean\n  poly cache clean --format json", Args: cobra.NoArgs, RunE: with(cacheClean)},
		a.cacheGC(with),
	)
	return cmd
}

type cacheFunc = func(context.Context, *session) (report.Object, error)

func (a *app) cacheGC(with func(cacheFunc) func(*cobra.Command, []string) error) *cobra.Command {
	var maxAge int
	var maxSize string
	cmd := &cobra.Command{Use: "gc", Short: "Forget results that are old or too many", Example: "  poly cache gc\n  poly cache gc --max-age 7 --max-size 100M", Args: cobra.NoArgs}
	cmd.Flags().IntVar(&maxAge, "max-age", 0, "forget configurations not used for this many `DAYS`; 0: 30")
	cmd.Flags().StringVar(&maxSize, "max-size", "", "keep at most this `SIZE`: bytes, or with K, M, G or T")
	cmd.RunE = with(func(ctx context.Context, s *session) (report.Object, error) {
		size, err := parseSize(maxSize)
		if err != nil {
			return nil, err
		}
		if maxAge < 0 {
			return nil, wrongUse("--max-age must not be negative", "")
		}
		if !s.cached {
			return report.Object{}.With("freed_bytes", 0), nil
		}
		f, err := s.cache.GC(ctx, store.GCOptions{MaxAge: time.Duration(maxAge) * 24 * time.Hour, MaxSize: size})
		return report.Object{}.With("freed_bytes", f.FreedBytes), err
	})
	return cmd
}

func cacheStats(ctx context.Context, s *session) (report.Object, error) {
	st, err := s.cache.Stats(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]report.Object, 0, len(st.PerNamespace))
	for _, n := range st.PerNamespace {
		rows = append(rows, report.Object{}.
			With("namespace", n.Namespace).With("entries", n.Entries).With("bytes", n.Bytes).With("format_version", n.FormatVersion))
	}
	return report.Object{}.With("format_version", st.FormatVersion).With("total_bytes", st.TotalBytes).With("per_namespace", rows), nil
}

func cacheClean(ctx context.Context, s *session) (report.Object, error) {
	f, err := s.cache.Clean(ctx)
	if err != nil {
		return nil, err
	}
	n, err := hooks.CleanSnapshots(ctx, s.dirs.Cache)
	f.FreedBytes += n
	return report.Object{}.With("freed_bytes", f.FreedBytes), err
}

// parseSize reads digits with an optional suffix K, M, G or T (powers of 1024).
func parseSize(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	digits, shift := s, 0
	if i := strings.IndexByte("KMGT", s[len(s)-1]&^0x20); i >= 0 {
		digits, shift = s[:len(s)-1], 10*(i+1)
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n<<shift>>shift != n {
		return 0, wrongUse(fmt.Sprintf("%q is not a size", s), "write bytes, or a number with K, M, G or T, such as 100M")
	}
	return n << shift, nil
}
