package endwell_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func TestAll(t *testing.T) {
	fault := stalled()
	for _, row := range []struct {
		name string
		s    *script
		stop int // break after so many; 0 for never
		want []string
	}{
		{"whole", &script{chunks: texts("a", "b"), end: io.EOF}, 0, []string{"a <nil>", "b <nil>"}},
		{"nothing", &script{end: io.EOF}, 0, nil},
		{"a fault comes once, last", &script{chunks: texts("a"), end: fault}, 0, []string{"a <nil>", " " + fault.Error()}},
		{"a fault at once", &script{end: endwell.ErrClosed}, 0, []string{" " + endwell.ErrClosed.Error()}},
		{"a wrapped io.EOF is a fault", &script{end: fmt.Errorf("x: %w", io.EOF)}, 0, []string{" x: EOF"}},
		{"break", &script{chunks: texts("a", "b", "c"), end: io.EOF}, 2, []string{"a <nil>", "b <nil>"}},
		{"break at the fault", &script{end: fault}, 1, []string{" " + fault.Error()}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for c, err := range endwell.All(row.s) {
				got = append(got, fmt.Sprintf("%s %v", c.Text, err))
				if len(got) == row.stop {
					break
				}
			}
			require.Equal(t, row.want, got)
			require.Equal(t, 1, row.s.closes)
		})
	}
}

func TestAllClosesWhenTheLoopPanics(t *testing.T) {
	s := &script{chunks: texts("a"), end: io.EOF}
	require.PanicsWithValue(t, "mine", func() {
		for range endwell.All(s) {
			panic("mine")
		}
	})
	require.Equal(t, 1, s.closes)
}

func TestAllReadsNoFurtherThanTheBreak(t *testing.T) {
	s := &script{chunks: texts("a", "b"), end: io.EOF}
	for range endwell.All(s) {
		break
	}
	require.Equal(t, 1, s.recvs)
}
