package dialects_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/transport"
)

// begun is an answer of each family that has said "Hel".
var begun = map[dialects.Family]string{
	dialects.FamilyChat: `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n",
	dialects.FamilyResponses: "event: response.output_text.delta\n" +
		`data: {"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"Hel","sequence_number":1}` + "\n\n",
	dialects.FamilyAnthropic: "event: message_start\n" + `data: {"type":"message_start","message":{"id":"m"}}` + "\n\n" +
		`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}` + "\n\n",
	dialects.FamilyGemini:       `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hel"}]}}]}` + "\n\n",
	dialects.FamilyInteractions: `data: {"event_type":"step.delta","index":0,"delta":{"type":"text","text":"Hel"}}` + "\n\n",
	dialects.FamilyCohere: "event: content-delta\n" +
		`data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hel"}}}}` + "\n\n",
	dialects.FamilyCohereV1: `{"is_finished":false,"event_type":"text-generation","text":"Hel"}` + "\n",
	dialects.FamilyOllama:   `{"model":"m","message":{"role":"assistant","content":"Hel"},"done":false}` + "\n",
	dialects.FamilyConverse: dialects.AWSSend("messageStart", `{"role":"assistant"}`) +
		dialects.AWSSend("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Hel"}}`),
	dialects.FamilyInvoke:    dialects.AWSChunk(`{"outputText":"Hel"}`),
	dialects.FamilyReplicate: "event: output\nid: 1:0\ndata: Hel\n\n",
}

// opener opens a stream.
type opener func() (endwell.Stream, error)

func decoding(d *dialects.Dialect, body string) opener {
	return func() (endwell.Stream, error) { return d.Stream(strings.NewReader(body), dialects.Options{}), nil }
}

func detecting(contentType, body string) opener {
	return func() (endwell.Stream, error) {
		return dialects.Detecting(strings.NewReader(body), contentType, "", dialects.Options{}), nil
	}
}

// stack is the whole stack over an opener, which is the request's payload.
var stack = middleware.Standard(middleware.Config{})(endwell.NextFunc(
	func(_ context.Context, req *endwell.Request) (endwell.Stream, error) { return req.Payload.(opener)() }))

// ending reads what a stream says above the whole stack, and the error it ends in.
func ending(t *testing.T, open opener) (said string, e *endwell.Error) {
	t.Helper()
	st, err := stack.Open(t.Context(), &endwell.Request{Payload: open})
	for err == nil {
		var c endwell.Chunk
		c, err = st.Recv()
		said += c.Text
	}
	if st != nil {
		require.NoError(t, st.Close())
	}
	require.ErrorAs(t, err, &e)
	return said, e
}

// everyError returns an error of every fault and category, transient and not.
func everyError() []*endwell.Error { return everyCategory(endwell.Faults()...) }

func everyCategory(faults ...endwell.Fault) (all []*endwell.Error) {
	for _, c := range endwell.Categories() {
		for _, f := range faults {
			all = append(all, &endwell.Error{Fault: f, Category: c, Transient: true}, &endwell.Error{Fault: f, Category: c})
		}
	}
	return all
}

// everyDialect calls do with every dialect, and with one of somebody else's.
func everyDialect(t *testing.T, do func(t *testing.T, d *dialects.Dialect)) {
	for _, name := range dialects.Names() {
		t.Run(name, func(t *testing.T) { do(t, dialects.MustByName(name)) })
	}
	t.Run("one of one's own", func(t *testing.T) { do(t, dialects.Chat(dialects.ChatConfig{Name: "house"})) })
}

// nearest is the category that the wire has for one: there is none for a network, nor
// for what nobody knows.
func nearest(c endwell.Category) endwell.Category {
	switch c {
	case endwell.Network, endwell.Unclassified:
		return endwell.ServerError
	default:
		return c
	}
}

// nearestInBand is nearest in a stream that has said something. A bad request of the
// engines that call everything so is believed to be the server's then.
func nearestInBand(d *dialects.Dialect, c endwell.Category) endwell.Category {
	switch d.Name() {
	case "vllm", "sglang", "nim":
		if c == endwell.RequestInvalid {
			return endwell.ServerError
		}
	}
	return nearest(c)
}

// nearestInBody is nearest in the body of a response. Workers AI's codes are numbers.
func nearestInBody(d *dialects.Dialect, c endwell.Category) endwell.Category {
	if d.Name() == "workersai" {
		switch c {
		case endwell.AuthMissing:
			return endwell.AuthInvalid
		case endwell.ContentBlocked:
			return endwell.RequestInvalid
		case endwell.MalformedResponse:
			return endwell.ServerError
		}
	}
	return nearest(c)
}

// What was written is read as what it was, after an answer that had begun.
func TestErrorFrameIsReadBack(t *testing.T) {
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		for _, e := range everyError() {
			got := judged(t, d, begun[d.Family()]+string(d.ErrorFrame(e)))
			requireNearest(t, d, e, got)
		}
		for _, e := range everyCategory(endwell.Stalled) {
			said, got := ending(t, decoding(d, begun[d.Family()]+string(d.ErrorFrame(e))))
			require.Equal(t, "Hel", said, e)
			requireNearest(t, d, e, got)
		}
	})
}

// judged is the error that a body ends in, without a stack.
func judged(t *testing.T, d *dialects.Dialect, body string) *endwell.Error {
	t.Helper()
	call := classify.Call{Opened: true}
	for st := d.Stream(strings.NewReader(body), dialects.Options{}); ; {
		c, err := st.Recv()
		if err != nil {
			return classify.Error(err, call)
		}
		call.Emitted = call.Emitted || c.Emission()
	}
}

// requireNearest checks what was read of e. Only a header could say that Transient is an
// exception to its category, but for one category.
func requireNearest(t *testing.T, d *dialects.Dialect, e, got *endwell.Error) {
	t.Helper()
	want := nearestInBand(d, e.Category)
	transient := want.Transient()
	if e.Category == endwell.ServerError {
		transient = e.Transient
	}
	require.Equal(t, endwell.Faulted, got.Fault, e)
	require.Equal(t, want, got.Category, e)
	require.Equal(t, transient, got.Transient, e)
	require.False(t, got.Retryable, e)
}

// So it is by somebody who does not know the dialect, as far as codes are no numbers
// that mean something at home only.
func TestErrorFrameIsDetected(t *testing.T) {
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		for _, e := range everyCategory(endwell.Stalled) {
			frame := string(d.ErrorFrame(e))
			_, ok := dialects.Detect("", "", []byte(frame))
			require.True(t, ok, e)
			said, got := ending(t, detecting("", begun[d.Family()]+frame))
			require.Equal(t, "Hel", said, e)
			require.Equal(t, endwell.Faulted, got.Fault, e)
			if d.Name() != "zai" && e.Category != endwell.RequestInvalid {
				require.Equal(t, nearestInBand(d, e.Category), got.Category, e)
			}
			said, got = ending(t, detecting("", frame))
			require.Empty(t, said, e)
			require.Equal(t, endwell.Faulted, got.Fault, e)
		}
	})
}

// Families of their own are recognised by the frame alone.
func TestErrorFrameTellsItsFamily(t *testing.T) {
	for _, name := range []string{
		"anthropic", "responses", "gemini", "interactions", "cohere", "cohere-v1", "bedrock-converse", "minimax",
	} {
		e := &endwell.Error{Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true}
		d, ok := dialects.Detect("", "", dialects.MustByName(name).ErrorFrame(e))
		require.True(t, ok, name)
		require.Equal(t, name, d.Name())
	}
}

func TestErrorBodyIsReadBack(t *testing.T) {
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		for _, e := range everyError() {
			w := httptest.NewRecorder()
			d.WriteError(w, e)
			require.Equal(t, e.HTTPStatus(), w.Code)
			contentType, body := d.ErrorBody(e)
			require.Equal(t, contentType, w.Header().Get("Content-Type"))
			require.Equal(t, string(body), w.Body.String())

			got := classify.Error(d.Refusal(w.Code, w.Header(), body), classify.Call{})
			require.Equal(t, endwell.Refused, got.Fault, e)
			require.Equal(t, nearestInBody(d, e.Category), got.Category, e)
			require.Equal(t, e.Transient, got.Transient, e)

			// The body alone tells as much, but for what only a header says.
			if e.Fault != endwell.Stalled {
				continue
			}
			got = classify.Error(d.Refusal(w.Code, nil, body), classify.Call{})
			require.Equal(t, nearestInBody(d, e.Category), got.Category, e)
		}
	})
}

// The same over the whole stack.
func TestWriteErrorIsReadBack(t *testing.T) {
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		for _, e := range everyCategory(endwell.Unreachable) {
			w := httptest.NewRecorder()
			d.WriteError(w, e)
			_, got := ending(t, func() (endwell.Stream, error) { return transport.Decode(w.Result(), d, dialects.Options{}) })
			require.Equal(t, endwell.Refused, got.Fault, e)
			require.Equal(t, nearestInBody(d, e.Category), got.Category, e)
			require.Equal(t, e.Transient, got.Transient, e)
		}
	})
}

func TestWriteErrorKeepsTheWait(t *testing.T) {
	for _, row := range []struct {
		name         string
		wait         time.Duration
		seconds      string // Retry-After
		exact, round time.Duration
	}{
		{"none", 0, "", 0, 0},
		{"negative", -time.Second, "", 0, 0},
		{"whole seconds", 3 * time.Second, "3", 3 * time.Second, 3 * time.Second},
		{"a fraction is rounded up", 2500 * time.Millisecond, "3", 2500 * time.Millisecond, 3 * time.Second},
		{"below a second", time.Millisecond, "1", time.Millisecond, time.Second},
		{"below a millisecond", time.Microsecond, "1", time.Second, time.Second},
		{"as long as can be", 1<<63 - 1, "9223372037", 31 * 24 * time.Hour, 31 * 24 * time.Hour},
	} {
		t.Run(row.name, func(t *testing.T) {
			everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
				w := httptest.NewRecorder()
				d.WriteError(w, &endwell.Error{Category: endwell.Overloaded, Transient: true, RetryAfter: row.wait})
				resp := w.Result()
				require.Equal(t, row.seconds, resp.Header.Get("Retry-After"))
				want := row.round
				switch d.Family() {
				case dialects.FamilyChat, dialects.FamilyResponses, dialects.FamilyAnthropic, dialects.FamilyGemini:
					want = row.exact
				}
				_, got := ending(t, func() (endwell.Stream, error) { return transport.Decode(resp, d, dialects.Options{}) })
				if d.Family() == dialects.FamilyGemini {
					want = row.round // the header is asked first
				}
				require.Equal(t, want, got.RetryAfter)
			})
		})
	}
}

// In a stream the wait has a place in three dialects; otherwise the sentence for a rate
// limit has it.
func TestErrorFrameKeepsTheWait(t *testing.T) {
	exact := map[string]time.Duration{
		"gemini": 2500 * time.Millisecond, "responses": 2500 * time.Millisecond, "openrouter": 3 * time.Second,
	}
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		for _, c := range []endwell.Category{endwell.RateLimited, endwell.Overloaded} {
			e := &endwell.Error{Fault: endwell.Faulted, Category: c, Transient: true, RetryAfter: 2500 * time.Millisecond}
			_, got := ending(t, decoding(d, begun[d.Family()]+string(d.ErrorFrame(e))))
			want, ok := exact[d.Name()]
			if !ok && c == endwell.RateLimited {
				want = 3 * time.Second
			}
			require.Equal(t, want, got.RetryAfter, c)
		}
	})
}

func TestWriteErrorKeepsTheRequestID(t *testing.T) {
	everyDialect(t, func(t *testing.T, d *dialects.Dialect) {
		w := httptest.NewRecorder()
		d.WriteError(w, &endwell.Error{Category: endwell.ServerError, RequestID: "req_0f8e"})
		_, got := ending(t, func() (endwell.Stream, error) { return transport.Decode(w.Result(), d, dialects.Options{}) })
		require.Equal(t, "req_0f8e", got.RequestID)
	})
}
