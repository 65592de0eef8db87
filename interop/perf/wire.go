package perf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"github.com/endwell-go/endwell/interop/decode"
)

// wire is one of the five families of the report.
type wire struct {
	decode.Pair
	host string // where its answers are asked for, as far as transports that reach no network go
	path string
	head int // pieces before the first one with text
	// vary changes what differs from frame to frame on a real wire besides the text.
	vary func(piece []byte, i int) []byte
	// payload is the JSON of a piece.
	payload func(piece []byte) []byte
	fields  fields
	peers   []peer
	// goal is how many times cheaper than the SDK bytes to text shall be; 0 for none.
	goal float64
}

// wires are the five families. They are shared: nobody changes them.
var wires = sync.OnceValue(func() []wire {
	return []wire{
		{
			Pair: pair("openai"), host: "https://api.openai.com", path: "/v1/chat/completions", head: 1,
			vary: swap(`"a1B2c3D4"`, padding), payload: data, fields: chatFields, goal: 50, peers: chatPeers(),
		},
		{
			Pair: pair("responses"), host: "https://api.openai.com", path: "/v1/responses", head: 3,
			vary: swap(`"a1B2c3D4e5"`, padding), payload: data, fields: responsesFields, goal: 50,
		},
		{
			Pair: pair("anthropic"), host: "https://api.anthropic.com", path: "/v1/messages", head: 2,
			vary: swap("}\n\n", blanks), payload: data, fields: anthropicFields, goal: 18, peers: anthropicPeers(),
		},
		{
			Pair: pair("gemini"), host: "https://generativelanguage.googleapis.com", path: "/v1beta/models/m:streamGenerateContent",
			vary: swap(geminiCounts, counts), payload: data, fields: geminiFields,
		},
		{
			Pair: pair("bedrock-converse"), host: "https://bedrock-runtime.us-east-1.amazonaws.com", path: "/model/m/converse-stream", head: 1,
			vary: repad, payload: eventPayload, fields: converseFields,
		},
	}
})

func pair(dialect string) decode.Pair {
	all := decode.Pairs()
	return all[slices.IndexFunc(all, func(p decode.Pair) bool { return p.Dialect == dialect })]
}

// body is an answer whose frames with text, n of them but for the last, come that many
// times. They share their memory. They are handed over one a read, or, when the body is
// ahead, as many as there is room for.
func (w wire) body(n, times int, ahead bool) *decode.Body {
	b := w.Body(n, decode.Long)
	most := w.Body(n-1, decode.Long).Text
	for i := range b.Pieces {
		b.Pieces[i] = w.vary(b.Pieces[i], i)
	}
	last := w.head + n - 1
	again := b.Pieces[w.head:last]
	if ahead {
		again = [][]byte{bytes.Join(again, nil)}
	}
	pieces := slices.Concat(b.Pieces[:w.head], slices.Repeat(again, times), b.Pieces[last:])
	return &decode.Body{
		Pieces: pieces, ContentType: b.ContentType, Frames: (n-1)*times + 1,
		Text: strings.Repeat(most, times) + b.Text[len(most):],
	}
}

// frames are those of a body that have text.
func (w wire) frames(n int) [][]byte {
	b := w.body(n, 1, false)
	return b.Pieces[w.head : w.head+n]
}

// swap returns a vary that replaces old.
func swap(old string, with func(i int) string) func([]byte, int) []byte {
	return func(piece []byte, i int) []byte {
		return bytes.Replace(piece, []byte(old), []byte(with(i)), 1)
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// padding is a string of 1 to 16 letters, as OpenAI's obfuscation is.
func padding(i int) string { return `"` + letters[i%36:][:1+i*7%16] + `"` }

// blanks are up to 14 spaces before the last brace, as in Anthropic's frames.
func blanks(i int) string { return strings.Repeat(" ", i*11%15) + "}\n\n" }

const geminiCounts = `"candidatesTokenCount": 18,"totalTokenCount": 27`

// counts grow, as Gemini's do.
func counts(i int) string {
	return fmt.Sprintf(`"candidatesTokenCount": %d,"totalTokenCount": %d`, 2*i, 2*i+9)
}

// repad changes the padding of an event of Bedrock.
func repad(piece []byte, i int) []byte {
	m, err := eventstream.NewDecoder().Decode(bytes.NewReader(piece), nil)
	if err != nil {
		panic(err) // the piece is this module's own
	}
	body, _, found := bytes.Cut(m.Payload, []byte(`,"p":"`))
	if !found {
		return piece
	}
	m.Payload = append(bytes.Clone(body), `,"p":"`+letters[:4+i*7%32]+`"}`...)
	var out bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&out, m); err != nil {
		panic(err) // a buffer takes everything
	}
	return out.Bytes()
}

// data is the payload of an event of SSE.
func data(piece []byte) []byte {
	_, piece, _ = bytes.Cut(piece, []byte("data: "))
	return bytes.TrimRight(piece, "\r\n")
}

func eventPayload(piece []byte) []byte {
	m, err := eventstream.NewDecoder().Decode(bytes.NewReader(piece), nil)
	if err != nil {
		panic(err) // the piece is this module's own
	}
	return m.Payload
}
