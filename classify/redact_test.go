package classify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/stretchr/testify/require"
)

var trials = flag.Int("redact.trials", 3000, "trials of the redaction test")

// Nothing of a secret or of the prompt is in any rendering, wherever a provider
// puts it.
func TestNothingSecretIsRendered(t *testing.T) {
	for seed := range *trials {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		plant := newPlant(r)
		call := classify.Call{Request: plant.req, Opened: r.IntN(2) == 0, Emitted: r.IntN(2) == 0, Now: newYear, Dialect: pick(r, dialects)}
		got := classify.Error(plant.failure(r), call)
		for name, text := range renderings(got) {
			if leak := plant.leak(text); leak != "" {
				t.Fatalf("seed %d: %s holds %q: %s", seed, name, leak, text)
			}
		}
	}
}

// The search can fail: it finds what is planted in the accessor that is allowed to
// hold it.
func TestTheSearchFindsWhatIsPlanted(t *testing.T) {
	found := 0
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		plant := newPlant(r)
		got := classify.Error(plant.failure(r), classify.Call{Request: plant.req})
		var ev *endwell.Evidence
		if errors.As(got.Unredacted(), &ev) {
			all, err := json.Marshal(struct{ A, B, C, D any }{ev.Type + ev.Code + ev.Reason + ev.RequestID, ev.Message, ev.Header, string(ev.Body)})
			require.NoError(t, err)
			if plant.leak(string(all)) != "" {
				found++
			}
		}
	}
	require.Greater(t, found, 150)
}

var dialects = []string{
	"", "openai", "azure", "groq", "mistral", "openrouter", "copilot", "xai", "zai", "minimax", "vllm", "ollama",
	"anthropic", "gemini", "cohere", "bedrock-converse", "compatible",
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// plant holds what must not appear. Its letters are such that no text of our own
// holds 8 of them in a row.
type plant struct {
	req      *endwell.Request
	key      string
	endpoint string
	prompt   string
}

func newPlant(r *rand.Rand) plant {
	letters := func(n int, from string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	p := plant{
		key:      pick(r, []string{"sk-", "gsk_", "AIza", "", "zq", "key-"}) + letters(20+r.IntN(40), "ZQXJKVWzqxjkvw"),
		endpoint: "https://" + letters(12, "qzjxkv") + ".invalid/" + letters(8, "qzjxkv"),
	}
	words := make([]string, 4+r.IntN(12))
	for i := range words {
		words[i] = letters(4+r.IntN(9), "zjqxkyvwbu")
	}
	p.prompt = strings.Join(words, pick(r, []string{" ", "_", "-", "."}))
	p.req = &endwell.Request{Provider: "acme", Model: "m", Secret: []string{p.key, p.endpoint}, Private: []string{p.prompt}}
	return p
}

// piece is a part of something secret, in one of the forms in which providers echo.
func (p plant) piece(r *rand.Rand) string {
	k := p.key
	switch r.IntN(11) {
	case 0:
		return k
	case 1:
		return k[:8] + "****" + k[len(k)-4:]
	case 2:
		return "key_" + k[len(k)-4:]
	case 3:
		return k[:8]
	case 4:
		return "Incorrect API key provided: " + k
	case 5:
		return p.endpoint
	case 6:
		i := r.IntN(len(k) - 8)
		return "x-" + k[i:i+8]
	case 7:
		return p.prompt
	case 8:
		i := r.IntN(len(p.prompt) - 10)
		return "err_" + p.prompt[i:i+10]
	case 9:
		i := r.IntN(len(p.prompt) - 4)
		return p.prompt[i:min(len(p.prompt), i+4+r.IntN(20))]
	default:
		return strings.ToUpper(p.prompt)
	}
}

func (p plant) maybe(r *rand.Rand, harmless ...string) string {
	if r.IntN(3) == 0 {
		return pick(r, harmless)
	}
	return p.piece(r)
}

func (p plant) failure(r *rand.Rand) error {
	header := map[string][]string{}
	for _, name := range []string{"X-Request-Id", "Request-Id", "Retry-After", "X-Amzn-Errortype", "Content-Type", "Cf-Ray", "X-Ratelimit-Reset", "Date"} {
		if r.IntN(3) == 0 {
			header[name] = []string{p.maybe(r, "7")}
		}
	}
	ev := &endwell.Evidence{
		Kind: endwell.EvidenceKind(r.IntN(7)), InBand: r.IntN(2) == 0, Status: []int{0, 200, 400, 401, 429, 500}[r.IntN(6)], Header: header,
		Type: p.maybe(r, "", "invalid_request_error"), Code: p.maybe(r, "", "429", "insufficient_quota"), Message: p.maybe(r, "", "slow down"),
		Reason: p.maybe(r, ""), RetryAfter: p.maybe(r, "2s"), RequestID: p.maybe(r, "", "req_1"), Body: p.body(r), Cause: errors.New(p.piece(r)),
	}
	if r.IntN(4) == 0 {
		ev.Type, ev.Code, ev.Message = "", "", ""
	}
	switch r.IntN(6) {
	case 0:
		return fmt.Errorf("%s: %w", p.piece(r), ev)
	case 1:
		return &url.Error{Op: "Post", URL: p.endpoint + "?key=" + p.key, Err: errors.Join(errors.New(p.piece(r)), io.EOF)}
	case 2:
		return (&endwell.Error{Fault: endwell.Faulted, Code: p.piece(r), Type: p.piece(r), RequestID: p.piece(r)}).WithOriginal(ev)
	default:
		return ev
	}
}

func (p plant) body(r *rand.Rand) []byte {
	b, _ := json.Marshal(map[string]any{"error": map[string]any{
		"message": p.piece(r), "type": p.piece(r), "code": p.piece(r), "param": p.piece(r),
		"metadata": map[string]any{"error_type": p.piece(r), "raw": p.piece(r), "flagged_input": p.piece(r)},
		"details":  []any{map[string]any{"reason": p.piece(r), "retryDelay": p.piece(r), "violations": []any{map[string]any{"quotaId": p.piece(r)}}}},
	}, "request_id": p.piece(r)})
	switch r.IntN(4) {
	case 0:
		return b[:r.IntN(len(b))]
	case 1:
		return []byte("<html>" + p.piece(r))
	default:
		return b
	}
}

// leak returns what of the secrets is in text: the ends of the key, or 8 characters
// in a row of anything.
func (p plant) leak(text string) string {
	text = strings.ToLower(text)
	for _, s := range []string{p.key, p.endpoint, p.prompt} {
		s = strings.ToLower(s)
		for i := 0; i+8 <= len(s); i++ {
			if part := s[i : i+8]; part != "https://" && strings.Contains(text, part) {
				return part
			}
		}
	}
	k := strings.ToLower(p.key)
	if end := k[len(k)-4:]; strings.Contains(text, end) {
		return end
	}
	return ""
}

func renderings(e *endwell.Error) map[string]string {
	all := map[string]string{
		"Error": e.Error(), "Message": e.Message(), "Key": e.Key(), "Params": fmt.Sprint(e.Params()),
		"%v": fmt.Sprintf("%v", e), "%+v": fmt.Sprintf("%+v", e), "%#v": fmt.Sprintf("%#v", e), "%s": fmt.Sprintf("%s", e), "%q": fmt.Sprintf("%q", e),
		"Localize": e.Localize(func(string) (string, bool) { return "{model} {provider} {code} {request_id} {retry_after}", true }),
	}
	var text, doc bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Error("x", "err", e)
	slog.New(slog.NewJSONHandler(&doc, nil)).Error("x", "err", e, "any", slog.AnyValue(e))
	all["slog text"], all["slog JSON"] = text.String(), doc.String()
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	all["JSON"] = string(b)
	var walk func(error)
	walk = func(err error) {
		all[fmt.Sprintf("cause %T", err)] = fmt.Sprintf("%v %+v %#v", err, err, err)
		switch u := err.(type) {
		case interface{ Unwrap() []error }:
			for _, c := range u.Unwrap() {
				walk(c)
			}
		case interface{ Unwrap() error }:
			if c := u.Unwrap(); c != nil {
				walk(c)
			}
		}
	}
	for _, c := range e.Unwrap() {
		walk(c)
	}
	return all
}

func TestProtocolWordsSurviveAPromptThatHasAPartOfThem(t *testing.T) {
	req := &endwell.Request{Private: []string{"the limit was exceeded by mounting_costs"}}
	ev := &endwell.Evidence{Status: 429, Code: "rate_limit_exceeded", Type: "mounting_error"}
	got := classify.Error(ev, classify.Call{Request: req})
	require.Equal(t, "rate_limit_exceeded", got.Code)
	require.Empty(t, got.Type)
	req.Private = []string{"rate_limit_exceeded, what is that?"}
	require.Empty(t, classify.Error(ev, classify.Call{Request: req}).Code)
}

func TestSecretsOfTheProcess(t *testing.T) {
	ev := &endwell.Evidence{Status: 400, Code: "zqjxkvwy_end"}
	require.Equal(t, "zqjxkvwy_end", classify.Error(ev, classify.Call{}).Code)
	release := classify.RegisterSecret("zqjxkvwyzqjxkvwy")
	require.Empty(t, classify.Error(ev, classify.Call{}).Code)
	release()
	release()
	require.Equal(t, "zqjxkvwy_end", classify.Error(ev, classify.Call{}).Code)
}
