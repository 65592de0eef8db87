package dialects

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// openBody is a body that goes on behind what it has until it is closed, and notes what
// is asked of it.
type openBody struct {
	rest   io.Reader
	closed chan struct{}
	log    []string // for whoever reads, drains or closes it, which are one at a time
}

func (b *openBody) Read(p []byte) (int, error) {
	if n, _ := b.rest.Read(p); n > 0 {
		return n, nil
	}
	b.log = append(b.log, "read")
	<-b.closed
	return 0, io.ErrClosedPipe
}

func (b *openBody) Drain() { b.log = append(b.log, "drain") }

func (b *openBody) Close() error {
	close(b.closed)
	return nil
}

// A body is drained behind the sentinel, when nobody reads it, and not read after that.
func TestDrainIsAlone(t *testing.T) {
	for _, row := range []struct {
		name  string
		sent  string
		reads bool // when the stream is closed
		want  []string
	}{
		{"closed behind the sentinel", frames(chatText("a"), "[DONE]"), false, []string{"drain"}},
		{"closed while a read waits behind the sentinel", frames(chatText("a"), "[DONE]"), true, []string{"read"}},
		{"closed before the sentinel", frames(chatText("a")), false, nil},
		{"closed while a read waits for the sentinel", frames(chatText("a")), true, []string{"read"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body := &openBody{rest: strings.NewReader(row.sent), closed: make(chan struct{})}
				st := MustByName("openai").Stream(body, Options{})
				for range strings.Count(row.sent, "\n\n") {
					_, err := st.Recv()
					require.NoError(t, err)
				}
				got := make(chan error, 1)
				if row.reads {
					go func() { _, err := st.Recv(); got <- err }()
					synctest.Wait()
				}
				require.NoError(t, st.Close())
				if row.reads {
					require.Equal(t, endwell.ErrClosed, <-got)
				} else if row.want != nil {
					_, err := st.Recv()
					require.Equal(t, endwell.ErrClosed, err)
				}
				require.Equal(t, row.want, body.log)
			})
		})
	}
}
