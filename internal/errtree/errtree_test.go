package errtree_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/errtree"
)

func ExampleAs() {
	err := fmt.Errorf("open: %w", errors.Join((*url.Error)(nil), &fs.PathError{Op: "read", Path: "x", Err: io.ErrUnexpectedEOF}))
	e, ok := errtree.As[*fs.PathError](err)
	fmt.Println(e.Op, ok, errtree.Is(err, io.ErrUnexpectedEOF))
	_, ok = errtree.As[*url.Error](err)
	fmt.Println(ok)
	// Output:
	// read true true
	// false
}

// selfish wraps itself.
type selfish struct{ branches int }

func (*selfish) Error() string { return "selfish" }

func (s *selfish) Unwrap() []error {
	var all []error
	for range s.branches {
		all = append(all, s)
	}
	return all
}

// listed is an error that is a list.
type listed []error

func (listed) Error() string { return "listed" }

// wise says itself what it is.
type wise struct{}

func (wise) Error() string { return "wise" }

func (wise) Is(target error) bool { return target == io.EOF }

func (wise) As(target any) bool {
	at, ok := target.(**fs.PathError)
	if ok {
		*at = nil
	}
	return ok
}

func TestErrorsOfOthers(t *testing.T) {
	for name, row := range map[string]struct {
		err    error
		length int
	}{
		"none":                          {nil, 0},
		"a nil pointer":                 {(*url.Error)(nil), 0},
		"a nil pointer that is wrapped": {fmt.Errorf("x: %w", (*url.Error)(nil)), 1},
		"a nil list":                    {listed(nil), 0},
		"a list":                        {listed{io.EOF}, 1},
		"itself":                        {&selfish{1}, 4096},
		"itself, twice":                 {&selfish{2}, 4096},
		"two":                           {errors.Join(io.EOF, io.ErrClosedPipe), 3},
	} {
		t.Run(name, func(t *testing.T) {
			tree := errtree.Flatten(row.err)
			require.Len(t, tree, row.length)
			_, ok := errtree.Find[*fs.PathError](tree)
			require.False(t, ok)
			require.False(t, tree.Has(io.ErrNoProgress))
			var path *fs.PathError
			require.False(t, tree.As(&path))
		})
	}
}

func TestErrorsThatSayWhatTheyAre(t *testing.T) {
	tree := errtree.Flatten(fmt.Errorf("x: %w", wise{}))
	require.True(t, tree.Has(io.EOF))
	require.False(t, tree.Has(io.ErrUnexpectedEOF))
	_, ok := errtree.Find[*fs.PathError](tree)
	require.False(t, ok, "a nil pointer is none")
	var path *fs.PathError
	require.True(t, tree.As(&path))
	var w wise
	require.True(t, tree.As(&w))
	require.False(t, tree.As(nil))
	require.False(t, tree.As((*wise)(nil)))
	require.False(t, tree.As(w))
}

// Errors that cannot be compared are compared by nobody but themselves.
func TestErrorsThatCannotBeCompared(t *testing.T) {
	tree := errtree.Flatten(fmt.Errorf("x: %w", listed{io.EOF}))
	require.True(t, tree.Has(tree[0]))
	require.False(t, tree.Has(listed{io.EOF}))
	require.False(t, tree.Has(nil))
	var l listed
	require.True(t, tree.As(&l))
}

// An error is found behind as many as anybody joins.
func TestErrorsBehindMany(t *testing.T) {
	var all []error
	for range 1000 {
		all = append(all, errors.New("x"))
	}
	require.True(t, errtree.Is(errors.Join(append(all, io.EOF)...), io.EOF))
}
