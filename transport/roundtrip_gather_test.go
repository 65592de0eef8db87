package transport_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/transport"
)

// piecewise is a body of which a read gets the next piece.
type piecewise []string

func (b *piecewise) Read(p []byte) (int, error) {
	if len(*b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, (*b)[0])
	if (*b)[0] = (*b)[0][n:]; (*b)[0] == "" {
		*b = (*b)[1:]
	}
	return n, nil
}

func (*piecewise) Close() error { return nil }

// One Read gets what has come, as it does without a chain: some clients take each read
// of the body for whole events.
func TestRoundTripGathers(t *testing.T) {
	crlf := strings.ReplaceAll(hel, "\n", "\r\n")
	for _, row := range []struct {
		name string
		sent piecewise
		room int
		got  []string
		end  error
	}{
		{"three events at once", piecewise{hel + hel + hel, hel, stop + done}, 4 << 10, []string{hel + hel + hel, hel, stop + done}, nil},
		{"half an event behind one", piecewise{hel + hel[:9], hel[9:], stop + done}, 4 << 10, []string{hel, hel, stop + done}, nil},
		{"no room for the second", piecewise{hel + hel, stop + done}, len(hel) + 1, []string{hel + hel[:1], hel[1:], (stop + done)[:len(hel)+1], (stop + done)[len(hel)+1:]}, nil},
		{"a cut behind two events", piecewise{hel + hel}, 4 << 10, []string{hel + hel}, endwell.Truncated},
		{"a fault behind an event", piecewise{hel + "data: {\"error\":{\"message\":\"x\"}}\n\n" + hel}, 4 << 10, []string{hel}, endwell.Faulted},
		{"half a field behind an event", piecewise{hel + "event: x"}, 4 << 10, []string{hel}, endwell.Truncated},
		{"a field without data", piecewise{hel + "event: x\n"}, 4 << 10, []string{hel}, endwell.Truncated},
		{"half a comment behind the last event", piecewise{hel + stop + ": p"}, 4 << 10, []string{hel + stop}, nil},
		{"half a comment behind a split line end", piecewise{crlf[:len(crlf)-1], "\n: p"}, 4 << 10, []string{crlf[:len(crlf)-1], "\n"}, endwell.Truncated},
		{"nothing usable", piecewise{stop + done}, 4 << 10, []string{stop}, endwell.Empty},
	} {
		t.Run(row.name, func(t *testing.T) {
			base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(&row.sent), nil })
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, transport.WrapConfig{Dialect: openai}).RoundTrip(req)
			require.NoError(t, err)
			var got []string
			buf := make([]byte, row.room)
			for err == nil {
				var n int
				if n, err = resp.Body.Read(buf); n > 0 {
					got = append(got, string(buf[:n]))
				}
			}
			require.Equal(t, row.got, got)
			if row.end == nil {
				require.Equal(t, io.EOF, err)
			} else {
				require.ErrorIs(t, err, row.end)
			}
			require.NoError(t, resp.Body.Close())
		})
	}
}

// What has come is handed over before anything is waited for, also when the frame says
// more than its bytes.
func TestRoundTripGathersWithoutWaiting(t *testing.T) {
	counted := `data: {"choices":[{"index":0,"delta":{"content":"hel"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}` + "\n\n"
	for _, sent := range []string{hel, hel + hel, counted, counted + hel + counted, hel + ": ping\n\n", ": ping\n\n" + hel, hel + hel[:9]} {
		synctest.Test(t, func(t *testing.T) {
			body, provider := io.Pipe()
			base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(body), nil })
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, transport.WrapConfig{Dialect: openai}).RoundTrip(req)
			require.NoError(t, err)
			go func() { _, _ = io.WriteString(provider, sent) }()
			got := make(chan string)
			go func() {
				buf := make([]byte, 4<<10)
				whole := sent[:strings.LastIndex(sent, "\n\n")+2]
				for text := ""; ; {
					n, err := resp.Body.Read(buf)
					if text += string(buf[:n]); text == whole || err != nil {
						got <- text
						return
					}
				}
			}()
			synctest.Wait()
			select {
			case text := <-got:
				require.Equal(t, sent[:strings.LastIndex(sent, "\n\n")+2], text)
			default:
				t.Errorf("waits with bytes in hand: %q", sent)
			}
			_ = resp.Body.Close()
			_ = provider.Close()
			select {
			case <-got:
			default:
			}
		})
	}
}
