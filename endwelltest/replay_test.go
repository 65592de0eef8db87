package endwelltest_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/tape"
)

const helloTape = `{"at_ms":0,"data":"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n"}
`

func replay(t *testing.T, lines string, d *dialects.Dialect, c clock.Clock) endwell.Next {
	t.Helper()
	tp, err := tape.Read(strings.NewReader(lines))
	require.NoError(t, err)
	return endwelltest.Replay(tp, d, c)
}

func TestReplay(t *testing.T) {
	finish := `{"at_ms":60000,"data":"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}
{"at_ms":60000,"end":"eof"}
`
	for _, tc := range []struct {
		name, lines string
		dialect     *dialects.Dialect
		end         error
	}{
		{"the tape's dialect", `{"tape":1,"dialect":"openai"}` + "\n" + helloTape + finish, nil, nil},
		{"another dialect", `{"tape":1,"dialect":"nonesuch"}` + "\n" + helloTape + finish, dialects.MustByName("groq"), nil},
		{"no dialect, which is found", `{"tape":1}` + "\n" + helloTape + finish, nil, nil},
		{"cut short", `{"tape":1,"dialect":"openai"}` + "\n" + helloTape + `{"at_ms":60000,"end":"unexpected_eof"}`, nil, io.ErrUnexpectedEOF},
		{"hanging, and nothing to end it", `{"tape":1,"dialect":"openai"}` + "\n" + helloTape + `{"at_ms":60000,"end":"hang"}`, nil, tape.ErrNeverEnds},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clk := new(clock.Fake)
			next := replay(t, tc.lines, tc.dialect, clk)
			for i := range 2 {
				s, err := next.Open(t.Context(), &endwell.Request{})
				require.NoError(t, err)
				tr, err := endwell.Collect(s)
				require.ErrorIs(t, err, tc.end)
				require.Equal(t, "hello", tr.Text)
				require.Equal(t, time.Duration(i+1)*time.Minute, clk.Now().Sub(clock.Epoch))
			}
		})
	}
}

func TestReplayRefuses(t *testing.T) {
	next := replay(t, `{"tape":1,"dialect":"openai","status":429,"header":{"Retry-After":"7"}}
{"at_ms":0,"data":"{\"error\":{\"code\":\"rate_limit_exceeded\"}}"}
{"at_ms":0,"end":"eof"}`, nil, nil)
	s, err := next.Open(t.Context(), &endwell.Request{})
	require.Nil(t, s)
	var ev *endwell.Evidence
	require.ErrorAs(t, err, &ev)
	require.Equal(t, 429, ev.Status)
	require.Equal(t, "rate_limit_exceeded", ev.Code)
}

func TestReplayObeysItsContext(t *testing.T) {
	next := replay(t, `{"tape":1,"dialect":"openai"}`+"\n"+`{"at_ms":0,"end":"cancel"}`, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := next.Open(ctx, &endwell.Request{})
	require.NoError(t, err)
	cancel()
	_, err = s.Recv()
	require.Equal(t, context.Canceled, err)
	require.NoError(t, s.Close())
	_, err = next.Open(ctx, &endwell.Request{})
	require.Equal(t, context.Canceled, err)
}
