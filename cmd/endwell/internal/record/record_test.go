package record_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/cmd/endwell/internal/record"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/internal/leaktest"
	"github.com/endwell-go/endwell/tape"
)

const key = "sk-test-not-a-real-key-0123456789"

func run(ctx context.Context, stdin string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = record.Run(ctx, strings.NewReader(stdin), &o, &e, args)
	return code, o.String(), e.String()
}

func TestRecord(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	for name, row := range map[string]struct {
		script endwelltest.Step
		args   []string
		code   int
		says   string
	}{
		"whole":           {w.Answer("hello"), nil, 0, "WHOLE"},
		"cut":             {endwelltest.Script(w.Begin(), w.Text("hel")), nil, 1, "FAILED, truncated"},
		"broken":          {endwelltest.Script(w.Begin(), w.Text("hel"), endwelltest.Flush(), endwelltest.Abort()), nil, 1, "FAILED, broken"},
		"stalled":         {endwelltest.Script(w.Begin(), w.Text("hel"), endwelltest.Flush(), endwelltest.Hang()), []string{"-idle", "30ms"}, 1, "nothing arrived for 30ms"},
		"refused":         {w.Refuse(401, "invalid_api_key", "wrong key: "+key), nil, 1, "FAILED, refused (auth_invalid)"},
		"the key in text": {w.Answer(key), nil, 0, "xxxxxx"},
		"dialect":         {w.Answer("hello"), []string{"-dialect", "groq"}, 0, "[groq]"},
		"packed":          {endwelltest.Script(endwelltest.Gzip(), w.Answer("hello")), nil, 0, "WHOLE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("ENDWELL_TEST_KEY", key)
			g := endwelltest.NewGateway(row.script)
			defer g.Close()
			body := filepath.Join(t.TempDir(), "body.json")
			require.NoError(t, os.WriteFile(body, []byte(`{"stream":true}`), 0o600))
			file := filepath.Join(t.TempDir(), "folder", "that is not there", "a.tape")
			args := append(row.args, g.URL+"/v1/chat/completions", "-H", "Authorization: Bearer ${ENDWELL_TEST_KEY}", "-d", "@"+body, "-o", file)
			code, out, errs := run(t.Context(), "", args...)
			require.Equal(t, row.code, code, errs)
			require.Contains(t, out, row.says)
			require.Contains(t, out, file)
			tp, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NotContains(t, string(tp), "sk-test")
			asked := g.Requests()[0]
			require.Equal(t, "POST", asked.Method)
			require.Equal(t, `{"stream":true}`, string(asked.Body))
			require.Equal(t, "(secret)", asked.Header.Get("Authorization"))
			require.Equal(t, "application/json", asked.Header.Get("Content-Type"))

			code, _, errs = run(t.Context(), "", args...)
			require.Equal(t, 2, code, "a tape is not written over")
			require.Contains(t, errs, "is there already: name another file with -o")
			require.Len(t, g.Requests(), 1, "and nobody is asked")
		})
	}
}

func TestRecordNamesTheTape(t *testing.T) {
	leaktest.Check(t)
	t.Chdir(t.TempDir())
	g := endwelltest.NewGateway(endwelltest.OpenAI.Answer("hello"))
	defer g.Close()
	for n := range 2 {
		code, _, errs := run(t.Context(), `{"stream":true}`, "-d", "@-", g.URL)
		require.Equal(t, 0, code, errs)
		require.Equal(t, `{"stream":true}`, string(g.Requests()[n].Body))
	}
	found, err := filepath.Glob("*.tape")
	require.NoError(t, err)
	require.Len(t, found, 2)
}

// Who interrupts a stream that hangs has its tape, which says that he did.
func TestRecordInterrupted(t *testing.T) {
	leaktest.Check(t)
	w := endwelltest.OpenAI
	sent := make(chan struct{})
	// More than connections buffer: when it is sent, the header has been read.
	large := endwelltest.Repeat(200, 0, w.Text(strings.Repeat("x", 64<<10)))
	g := endwelltest.NewGateway(endwelltest.Script(w.Begin(), large, endwelltest.Wait(sent), endwelltest.Hang()))
	defer g.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		select {
		case sent <- struct{}{}:
			cancel()
		case <-ctx.Done():
		}
	}()
	code, out, errs := run(ctx, "", g.URL, "-o", filepath.Join(t.TempDir(), "a.tape"))
	require.Equal(t, 1, code, errs)
	require.Contains(t, out, "CANCELED")
}

// Who interrupts before an answer has come has no tape.
func TestRecordInterruptedTooEarly(t *testing.T) {
	leaktest.Check(t)
	g := endwelltest.NewGateway(endwelltest.Hang())
	defer g.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	file := filepath.Join(t.TempDir(), "a.tape")
	said := make(chan string, 1)
	go func() {
		_, _, errs := run(ctx, "", g.URL, "-o", file)
		said <- errs
	}()
	require.Eventually(t, func() bool { return g.Active() == 1 }, 2*time.Minute, time.Millisecond)
	cancel()
	require.Contains(t, <-said, "interrupted")
	require.NoFileExists(t, file)
}

func TestRecordUsage(t *testing.T) {
	leaktest.Check(t)
	t.Chdir(t.TempDir())
	t.Setenv("ENDWELL_TEST_LINES", "one\ntwo")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, row := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no URL":                  {nil, 2, "Usage"},
		"two":                     {[]string{"http://a", "http://b"}, 2, `unexpected argument "http://b"; endwell record -h explains`},
		"a flag behind the URL":   {[]string{"http://a", "-x"}, 2, "not defined"},
		"no scheme":               {[]string{"api.openai.com/v1"}, 2, "none of http"},
		"no header":               {[]string{"http://a", "-H", "x"}, 2, "Name: value"},
		"a variable that is not":  {[]string{"http://a", "-H", "X: $ENDWELL_TEST_UNSET"}, 2, "ENDWELL_TEST_UNSET is not set"},
		"no such body":            {[]string{"http://a", "-d", "@/no/such/file"}, 2, "no such file"},
		"no such dialect":         {[]string{"http://a", "-dialect", "nobody"}, 2, "not supported"},
		"no such method":          {[]string{"http://a", "-X", "A B"}, 2, `-X "A B" is no method`},
		"no unit":                 {[]string{"http://a", "-idle", "5"}, 2, "it wants a unit, such as 5s"},
		"a header with a space":   {[]string{"http://a", "-H", "X Y: 1"}, 2, `-H "X Y" is no name`},
		"a value of two lines":    {[]string{"http://a", "-H", "X: $ENDWELL_TEST_LINES"}, 2, "-H X has a value of more than one line"},
		"nobody there":            {[]string{"http://127.0.0.1:1"}, 2, "could not be reached"},
		"nobody there, in detail": {[]string{"http://127.0.0.1:1"}, 2, "\n    details    dial tcp 127.0.0.1:1: connect: "},
		"a folder that is a file": {[]string{"-o", file + "/a.tape", "http://127.0.0.1:1"}, 2, "not a directory"},
		"a folder for a tape":     {[]string{"-o", "new/", "http://127.0.0.1:1"}, 2, "-o new/ is a folder"},
		"standard output":         {[]string{"-o", "-", "http://127.0.0.1:1"}, 2, "no file"},
		"a tape that is there":    {[]string{"-o", file, "http://127.0.0.1:1"}, 2, file + " is there already: name another file with -o"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t.Context(), "", row.args...)
			require.Equal(t, row.code, code)
			require.Empty(t, out)
			require.Contains(t, errs, row.says)
		})
	}
}

// A server that speaks no HTTP is a matter of the network, and is heard in its own
// words, without the request's keys.
func TestRecordNoHTTP(t *testing.T) {
	leaktest.Check(t)
	g := endwelltest.NewGateway(endwelltest.Raw("SSH-2.0-\x1b[31m" + key + "\r\n"))
	defer g.Close()
	code, out, errs := run(t.Context(), "", g.URL, "-H", "Authorization: Bearer "+key, "-o", filepath.Join(t.TempDir(), "a.tape"))
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Contains(t, errs, "could not be reached")
	require.Contains(t, errs, "SSH-2.0")
	require.NotContains(t, errs, "sk-test")
	require.NotContains(t, errs, "\x1b")
	_, err := g.Client().Get(g.URL)
	require.ErrorContains(t, err, "malformed HTTP", "it is no server of HTTP")
}

func TestSecrets(t *testing.T) {
	u, err := url.Parse("http://u:pass-word-9@h/v1?key=AIzaTestNotReal&alt=sse&api-version=2024-10-21&x=abcdefghijklmnop1234")
	require.NoError(t, err)
	r := &http.Request{URL: u, Header: http.Header{
		"Authorization":       {"AWS4-HMAC-SHA256 Credential=AKIATESTNOTREAL00000/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host, Signature=0123456789abcdef0123456789abcdef"},
		"X-Api-Key":           {"secret-1"},
		"Proxy-Authorization": {"Basic dXNlcjpwYXNzd29yZDEy"},
		"Cookie":              {"theme=dark; id=0123456789abcdefg"},
		"Api-Key":             {"short"},
		"Content-Type":        {"application/json; charset=utf-8"},
		"User-Agent":          {"OpenAI/Python 2.0 reasoning_content"},
		"X-Custom":            {"0123456789abcdefXYZ"},
		"X-Stainless-Arch":    {"x64"},
		"Openai-Organization": {"org-TestNotARealOne1"},
		"Anthropic-Beta":      {"tools-2024, prompt"},
	}}
	require.ElementsMatch(t, []string{
		"AKIATESTNOTREAL00000", "0123456789abcdef0123456789abcdef", "secret-1", "dXNlcjpwYXNzd29yZDEy", "password12",
		"0123456789abcdefg", "0123456789abcdefXYZ", "org-TestNotARealOne1", "AIzaTestNotReal", "abcdefghijklmnop1234", "pass-word-9",
	}, record.Secrets(r))
}

// Keys in a body count too: servers echo what they were sent.
func TestSecretsOfABody(t *testing.T) {
	r, err := http.NewRequest(http.MethodPost, "http://h/", strings.NewReader(
		`{"model":"small","api_key":"sk-test-not-a-real-key","max_tokens":12345678,"tools":[{"type":"mcp","headers":{"Authorization":"Bearer abcdefghijk"}}],"text":"token 1"}`))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"sk-test-not-a-real-key", "abcdefghijk"}, record.Secrets(r))
	r.Body = http.NoBody
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(`{"api_key":`)), nil }
	require.Empty(t, record.Secrets(r))
}

func TestClean(t *testing.T) {
	for name, row := range map[string]struct{ secret, in, want string }{
		"the whole":            {"0123456789abcdef", "a|0123456789abcdef|b", "a|xxxxxxxxxxxxxxxx|b"},
		"across reads":         {"0123456789abcdef", "a01234|56789a|bcdefb", "axxxxx|xxxxxx|xxxxxb"},
		"twice, touching":      {"0123456789abcdef", "0123456789abcdef|0123456789abcdef", "xxxxxxxxxxxxxxxx|xxxxxxxxxxxxxxxx"},
		"a fragment":           {"0123456789abcdef", "key 23456789abcd***", "key xxxxxxxxxxxx***"},
		"too short a fragment": {"0123456789abcdef", "key 23456789ab***", "key 23456789ab***"},
		"a short one":          {"secret-1", "secret-1 secret-2", "xxxxxxxx secret-2"},
		"nothing":              {"0123456789abcdef", "plain|text", "plain|text"},
	} {
		t.Run(name, func(t *testing.T) {
			tp := &tape.Tape{Head: tape.Head{Header: tape.Header{"X-Request-Id": row.secret + "!"}}}
			for _, s := range strings.Split(row.in, "|") {
				tp.Arrivals = append(tp.Arrivals, tape.Arrival{Data: []byte(s)})
			}
			record.Clean(tp, []string{row.secret})
			var got []string
			for _, a := range tp.Arrivals {
				got = append(got, string(a.Data))
			}
			require.Equal(t, row.want, strings.Join(got, "|"))
			require.Equal(t, strings.Repeat("x", len(row.secret))+"!", tp.Header["X-Request-Id"])
		})
	}
}

// The tape's head has an allow-list of the response's header.
func TestHeaderOfATape(t *testing.T) {
	resp := &http.Response{StatusCode: 200, Body: http.NoBody, Header: http.Header{
		"Content-Type": {"text/event-stream"}, "Set-Cookie": {"s=1"}, "Openai-Organization": {"org"},
		"X-Ratelimit-Limit-Requests": {"1"}, "X-Request-Id": {"req"}, "Authorization": {"no"},
	}}
	got := make(chan *tape.Tape, 1)
	b := record.NewBody(t.Context(), nil, resp, "groq", func(tp *tape.Tape) { got <- tp })
	_, err := io.Copy(io.Discard, b)
	require.NoError(t, err)
	tp := <-got
	require.Equal(t, tape.Header{"Content-Type": "text/event-stream", "X-Ratelimit-Limit-Requests": "1", "X-Request-Id": "req"}, tp.Header)
	require.Equal(t, "groq", tp.Dialect)
	require.Equal(t, tape.EndEOF, tp.End)
	require.NoError(t, b.Close())
}

// Whose end it was: a body that this side closes hangs on the tape, unless the caller
// has gone.
func TestEndOfATape(t *testing.T) {
	for name, row := range map[string]struct {
		gone  bool
		close bool
		end   error
		want  tape.End
	}{
		"closed":                 {close: true, want: tape.EndHang},
		"closed, caller gone":    {gone: true, close: true, want: tape.EndCancel},
		"canceled by a guard":    {end: context.Canceled, want: tape.EndHang},
		"canceled by the caller": {gone: true, end: context.Canceled, want: tape.EndCancel},
		"reset":                  {end: errors.New("reset"), want: tape.EndReset},
		"cut":                    {end: io.ErrUnexpectedEOF, want: tape.EndUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if row.gone {
				cancel()
			}
			var tapes []*tape.Tape
			resp := httptest.NewRecorder().Result()
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("x"), failing{row.end}))
			b := record.NewBody(ctx, nil, resp, "", func(tp *tape.Tape) { tapes = append(tapes, tp) })
			_, err := b.Read(make([]byte, 1))
			require.NoError(t, err)
			if !row.close {
				_, err = b.Read(make([]byte, 1))
				require.ErrorIs(t, err, row.end)
			}
			require.NoError(t, b.Close())
			require.Len(t, tapes, 1)
			require.Equal(t, row.want, tapes[0].End)
		})
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A body that is longer than a tape takes passes, and is not recorded.
func TestLongBody(t *testing.T) {
	const size = record.MaxBody + 100
	resp := httptest.NewRecorder().Result()
	resp.Body = io.NopCloser(io.LimitReader(zeros{}, size))
	calls := 0
	b := record.NewBody(t.Context(), nil, resp, "", func(tp *tape.Tape) { calls++; require.Nil(t, tp) })
	n, err := io.Copy(io.Discard, b)
	require.NoError(t, err)
	require.Equal(t, int64(size), n)
	require.NoError(t, b.Close())
	require.Equal(t, 1, calls)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestSaveLeavesFilesAlone(t *testing.T) {
	dir := t.TempDir()
	at := time.Unix(0, 0)
	one, err := record.SaveIn(dir, at, 1, 1, &tape.Tape{})
	require.NoError(t, err)
	two, err := record.SaveIn(dir, at, 1, 1, &tape.Tape{})
	require.NoError(t, err)
	five, err := record.SaveIn(dir, at, 1, 5, &tape.Tape{})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "19700101-000000.000-000001-01.tape"), one)
	require.Equal(t, filepath.Join(dir, "19700101-000000.000-000001-02.tape"), two)
	require.Equal(t, filepath.Join(dir, "19700101-000000.000-000001-05.tape"), five)
	require.Error(t, record.Save(one, &tape.Tape{}))
	bad := filepath.Join(dir, "bad.tape")
	require.Error(t, record.Save(bad, &tape.Tape{EndAt: -1}))
	require.NoFileExists(t, bad)
}
