package dialects

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/endwell-go/endwell"
)

// ErrUnsupported is the ending of a detected stream whose wire family this version
// does not read.
var ErrUnsupported = errors.New("dialects: the stream is of a wire family that is not supported")

// Detect names the dialect of a body: by its content type and its first bytes, and
// by the host that sent it, each of which may be empty. It reports false as long as
// the bytes do not tell; once they hold a whole frame with a payload they do, and a
// chat stream that nothing tells apart is "compatible". The error is ErrUnsupported
// for a wire family that this version does not read.
func Detect(contentType, host string, first []byte) (*Dialect, bool, error) {
	if d := byHost(host); d != nil {
		return d, true, nil
	}
	if strings.HasPrefix(contentType, "application/vnd.amazon.eventstream") {
		return nil, false, ErrUnsupported
	}
	if foreign(first) {
		return nil, false, ErrUnsupported
	}
	for _, m := range marks {
		if bytes.Contains(first, []byte(m.mark)) {
			return byName[m.name], true, nil
		}
	}
	if payloadSeen(first) {
		return byName["compatible"], true, nil
	}
	return nil, false, nil
}

// marks are bytes that only one system writes.
var marks = []struct{ mark, name string }{
	{": OPENROUTER PROCESSING", "openrouter"},
	{`"native_finish_reason"`, "openrouter"},
	{`"x_groq"`, "groq"},
	{`"prompt_filter_results"`, "azure"},
	{`"content_filter_results"`, "azure"},
	{`"object":"chat.completion.done"`, "perplexity"},
	{`"base_resp"`, "minimax"},
	{`"timings":{`, "llamacpp"},
	{`"system_fingerprint":"fp_ollama"`, "ollama-openai"},
	{`"object":"text_completion"`, "completions"},
}

// hosts are the public hosts of systems, by suffix.
var hosts = []struct{ suffix, name string }{
	{"api.openai.com", "openai"},
	{".openai.azure.com", "azure"},
	{".services.ai.azure.com", "azure"},
	{"api.groq.com", "groq"},
	{"api.mistral.ai", "mistral"},
	{"api.deepseek.com", "deepseek"},
	{"openrouter.ai", "openrouter"},
	{"api.together.xyz", "together"},
	{"api.together.ai", "together"},
	{".githubcopilot.com", "copilot"},
	{"api.x.ai", "xai"},
	{"api.fireworks.ai", "fireworks"},
	{"api.perplexity.ai", "perplexity"},
	{"api.cerebras.ai", "cerebras"},
	{"dashscope.aliyuncs.com", "dashscope"},
	{"dashscope-intl.aliyuncs.com", "dashscope"},
	{"api.moonshot.ai", "moonshot"},
	{"api.moonshot.cn", "moonshot"},
	{"api.z.ai", "zai"},
	{"open.bigmodel.cn", "zai"},
	{"api.minimax.io", "minimax"},
	{"api.minimax.chat", "minimax"},
	{"integrate.api.nvidia.com", "nim"},
	{"router.huggingface.co", "huggingface"},
	{"ai-gateway.vercel.sh", "vercel"},
}

func byHost(host string) *Dialect {
	for _, h := range hosts {
		if host == strings.TrimPrefix(h.suffix, ".") || h.suffix[0] == '.' && strings.HasSuffix(host, h.suffix) {
			return byName[h.name]
		}
	}
	return nil
}

// foreign reports whether the first payload is of another wire family: Anthropic
// messages, OpenAI responses, Gemini, Cohere, Ollama, Interactions.
func foreign(first []byte) bool {
	s, f := new(sse), new(frame)
	for rest := first; s.next(rest, false, f); rest = rest[len(f.raw):] {
		if f.kind == frameData || f.kind == frameBare {
			return !bytes.Contains(f.data, []byte(`"choices"`)) && foreignPayload(f.data)
		}
	}
	return false
}

func foreignPayload(data []byte) bool {
	squeezed := bytes.ReplaceAll(data, []byte(`": "`), []byte(`":"`))
	for _, m := range [...]string{
		`"type":"message_start"`, `"type":"response.`, `"candidates"`, `"promptFeedback"`,
		`"type":"message-start"`, `"event_type"`, `"created_at"`,
	} {
		if bytes.Contains(squeezed, []byte(m)) {
			return true
		}
	}
	return false
}

// payloadSeen reports whether there is a whole frame with a payload.
func payloadSeen(first []byte) bool {
	s, f := new(sse), new(frame)
	for rest := first; s.next(rest, false, f); rest = rest[len(f.raw):] {
		if len(bytes.TrimSpace(f.data)) > 0 {
			return true
		}
	}
	return false
}

// Detecting decodes a body whose dialect is not known: it looks at the first bytes
// as they come, surfacing keep-alives, and then decodes as Dialect.Stream does. A
// body that never tells is read by the tolerant base.
func Detecting(body io.Reader, contentType, host string, opt Options) endwell.Stream {
	if d, ok, _ := Detect(contentType, host, nil); ok {
		return d.Stream(body, opt)
	}
	return &detecting{body: body, contentType: contentType, host: host, opt: opt}
}

// detectWithin is how many bytes are looked at before the tolerant base is taken.
const detectWithin = 64 << 10

type detecting struct {
	body              io.Reader
	contentType, host string
	opt               Options
	first             []byte
	end               error

	mu     sync.Mutex // guards what follows; taken until the dialect is known
	stream endwell.Stream
	closed bool

	known endwell.Stream // stream, for the goroutine of Recv
}

// Recv implements endwell.Stream.
func (d *detecting) Recv() (endwell.Chunk, error) {
	if d.known != nil {
		return d.known.Recv()
	}
	if d.end != nil {
		return endwell.Chunk{}, d.end
	}
	buf := make([]byte, firstBuffer)
	n, err := d.body.Read(buf)
	d.first = append(d.first, buf[:n]...)
	found, ok, unsupported := Detect(d.contentType, d.host, d.first)
	switch {
	case unsupported != nil:
		d.end = unsupported
		return endwell.Chunk{}, d.end
	case ok, err != nil, len(d.first) >= detectWithin:
		if !ok {
			found = byName["compatible"]
		}
		return d.decide(found, err)
	default:
		return endwell.Chunk{Kind: endwell.KindKeepAlive}, nil
	}
}

// decide begins to decode with what has been read so far.
func (d *detecting) decide(found *Dialect, err error) (endwell.Chunk, error) {
	rest := &replay{first: d.first, err: err, body: d.body}
	d.mu.Lock()
	d.stream = found.Stream(rest, d.opt)
	d.known = d.stream
	closed := d.closed
	d.mu.Unlock()
	if closed {
		_ = d.known.Close()
	}
	return d.known.Recv()
}

// Close implements endwell.Stream.
func (d *detecting) Close() error {
	d.mu.Lock()
	st, was := d.stream, d.closed
	d.closed = true
	d.mu.Unlock()
	switch {
	case was:
		return nil
	case st != nil:
		return st.Close()
	}
	if c, ok := d.body.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// replay is a body whose first bytes, and error, have been read already.
type replay struct {
	first []byte
	err   error
	body  io.Reader
}

// Read implements io.Reader.
func (r *replay) Read(p []byte) (int, error) {
	switch {
	case len(r.first) > 0:
		n := copy(p, r.first)
		r.first = r.first[n:]
		return n, nil
	case r.err != nil:
		return 0, r.err
	default:
		return r.body.Read(p)
	}
}

// Close implements io.Closer.
func (r *replay) Close() error {
	if c, ok := r.body.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Drain passes to the body.
func (r *replay) Drain() {
	if b, ok := r.body.(drainer); ok {
		b.Drain()
	}
}
