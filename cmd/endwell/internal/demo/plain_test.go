package demo

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestPlainRead(t *testing.T) {
	const frame = `data: {"choices":[{"delta":{"content":"well"}}]}` + "\n\n"
	broken := errors.New("broken")
	for _, tc := range []struct {
		name string
		body io.Reader
		text string
		err  error
	}{
		{"sentinel", strings.NewReader(frame + "data: [DONE]\n\n" + frame), "well", nil},
		{"end of the body", strings.NewReader(frame + frame), "wellwell", nil},
		{"last line without its end", strings.NewReader(strings.TrimSpace(frame)), "well", nil},
		{"frame that cannot be read", strings.NewReader("data: {\n\n" + frame), "well", nil},
		{"failed read", io.MultiReader(strings.NewReader(frame), iotest.ErrReader(broken)), "well", broken},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var text string
			err := plainRead(tc.body, func(delta string, _ int) { text += delta })
			require.Equal(t, tc.err, err)
			require.Equal(t, tc.text, text)
		})
	}
}

func TestReason(t *testing.T) {
	refused := &url.Error{Op: "Post", URL: "http://127.0.0.1:1/", Err: &net.OpError{
		Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED),
	}}
	require.Equal(t, syscall.ECONNREFUSED.Error(), reason(refused))
	require.Equal(t, "inner", reason(fmt.Errorf("outer: %w", errors.New("inner"))))
	require.Equal(t, "HTTP 401", reason(statusError(401)))
}
