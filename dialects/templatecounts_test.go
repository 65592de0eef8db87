package dialects

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// geminiCounted is a frame of Gemini that counts tokens, as all do.
const geminiCounted = `{"candidates":[{"content":{"parts":[{"text":"%[1]s"}],"role":"model"},"index":0}],` +
	`"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":%[2]d,"totalTokenCount":1%[2]d,` +
	`"promptTokensDetails":[{"modality":"TEXT","tokenCount":7}]},"modelVersion":"g","responseId":"r"}`

// Frames that count tokens, of which a template says what they say, or which only look
// like the last one.
func TestTemplateOfCounts(t *testing.T) {
	gemini := func(text, counts, rest string) string {
		return `{"candidates":[{"content":{"parts":[{"text":"` + text + `"}]}}],"usageMetadata":{` + counts + `},"responseId":"r"` + rest + `}`
	}
	chat := func(text, usage string) string {
		return `{"id":"c","choices":[{"index":0,"delta":{"content":"` + text + `"}}],"usage":` + usage + `}`
	}
	const prompt = `"promptTokenCount":7,`
	for _, row := range []struct {
		name, dialect string
		first, next   string
		meets         bool
		counts        endwell.Usage // of next
	}{
		{
			"other counts", "gemini", gemini("a", prompt+`"candidatesTokenCount":1,"totalTokenCount":8`, ""),
			gemini("b", prompt+`"candidatesTokenCount":12,"totalTokenCount":19`, ""), true,
			endwell.Usage{Input: 7, Output: 12, Total: 19},
		},
		{
			"a longer prompt", "gemini", gemini("a", prompt+`"totalTokenCount":8`, ""),
			gemini("b", `"promptTokenCount":8,"totalTokenCount":8`, ""), false,
			endwell.Usage{Input: 8, Total: 8},
		},
		{
			"another id", "gemini", gemini("a", `"totalTokenCount":8`, ""),
			strings.Replace(gemini("b", `"totalTokenCount":8`, ""), `"r"`, `"s"`, 1), false,
			endwell.Usage{},
		},
		{"counts that become none", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":0`, ""), true, endwell.Usage{}},
		{"counts that were none", "gemini", gemini("a", `"totalTokenCount":0`, ""), gemini("b", `"totalTokenCount":9`, ""), true, endwell.Usage{Total: 9}},
		{"a count that is negative", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":-3`, ""), true, endwell.Usage{}},
		{"a count with an exponent", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":1.2e1`, ""), true, endwell.Usage{Total: 12}},
		{"a count that is too large", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":99999999999999999999`, ""), true, endwell.Usage{}},
		{"the largest count", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":9223372036854775807`, ""), true, endwell.Usage{Total: 9223372036854775807}},
		{"a count that is none", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":null`, ""), false, endwell.Usage{}},
		{"a count as a text", "gemini", gemini("a", `"totalTokenCount":"8"`, ""), gemini("b", `"totalTokenCount":"9"`, ""), true, endwell.Usage{}},
		{"a count more", "gemini", gemini("a", `"totalTokenCount":8`, ""), gemini("b", `"totalTokenCount":8,"thoughtsTokenCount":2`, ""), false, endwell.Usage{Total: 8, Reasoning: 2}},
		{
			"a count of something else", "gemini", gemini("a", `"totalTokenCount":8,"x":[{"n":1,"s":"a"}]`, ""),
			gemini("b", `"totalTokenCount":9,"x":[{"n":2,"s":"bb"}]`, ""), true,
			endwell.Usage{Total: 9},
		},
		{
			"a finish word", "gemini", gemini("a", `"totalTokenCount":8`, ""),
			strings.Replace(gemini("b", `"totalTokenCount":9`, ""), `]}}]`, `]},"finishReason":"STOP"}]`, 1), false,
			endwell.Usage{Total: 9},
		},
		{
			"a second record", "gemini", gemini("a", `"totalTokenCount":8`, `,"usageMetadata":{"totalTokenCount":1}`),
			gemini("b", `"totalTokenCount":9`, `,"usageMetadata":{"totalTokenCount":1}`), true,
			endwell.Usage{Total: 9},
		},
		{
			"a second record that varies", "gemini", gemini("a", `"totalTokenCount":8`, `,"usageMetadata":{"totalTokenCount":1}`),
			gemini("b", `"totalTokenCount":9`, `,"usageMetadata":{"totalTokenCount":2}`), false,
			endwell.Usage{Total: 9},
		},

		{"the same count twice", "vllm", chat("a", `{"total_tokens":1,"total_tokens":2}`), chat("b", `{"total_tokens":4,"total_tokens":3}`), true, endwell.Usage{Total: 3}},
		{"a count, and none of that name", "vllm", chat("a", `{"total_tokens":1,"total_tokens":null}`), chat("b", `{"total_tokens":4,"total_tokens":null}`), false, endwell.Usage{}},
		{"none, and a count of that name", "vllm", chat("a", `{"total_tokens":"x","total_tokens":1}`), chat("b", `{"total_tokens":"y","total_tokens":4}`), false, endwell.Usage{Total: 4}},
		{
			"details", "vllm", chat("a", `{"prompt_tokens_details":{"cached_tokens":1,"audio_tokens":0}}`),
			chat("b", `{"prompt_tokens_details":{"cached_tokens":2,"audio_tokens":9}}`), true,
			endwell.Usage{Cached: 2},
		},
		{
			"details that are none", "vllm", chat("a", `{"prompt_tokens_details":[1],"total_tokens":1}`),
			chat("b", `{"prompt_tokens_details":[2],"total_tokens":2}`), true,
			endwell.Usage{Total: 2},
		},
		{"a longer prompt that nobody keeps", "vllm", chat("a", `{"prompt_tokens":7}`), chat("b", `{"prompt_tokens":8}`), true, endwell.Usage{Input: 8}},
		{"no record", "vllm", chat("a", `{"total_tokens":1}`), chat("b", `null`), false, endwell.Usage{}},
		{"an empty record", "vllm", chat("a", `{}`), chat("b", `{}`), true, endwell.Usage{}},
		{
			"another record first", "vllm", `{"x":{"total_tokens":1},` + chat("a", `{"total_tokens":1}`)[1:],
			`{"x":{"total_tokens":2},` + chat("b", `{"total_tokens":3}`)[1:], true,
			endwell.Usage{Total: 3},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := MustByName(row.dialect)
			before := frames(row.first, row.first, row.first)
			requireNoDifference(t, d, before+frames(row.next, row.first, row.next), Options{}, rand.New(rand.NewPCG(3, 4)))
			require.Equal(t, row.meets, len(meets(d, before+frames(row.next))) == 2)
			var last endwell.Usage
			for _, c := range hear(d.Stream(bodyOf(before+frames(row.next)), Options{})).chunks {
				switch {
				case c.Text == "b":
					last = endwell.Usage{}
				case c.Usage != nil:
					last = *c.Usage
				}
			}
			if row.name != "another id" { // which is another answer
				require.Equal(t, row.counts, last)
			}
		})
	}
}

// A gateway that makes up an id for each frame tells nothing by it, and two frames of an
// id in a row do: a template must not take the second one's place.
func TestTemplatesCountIDs(t *testing.T) {
	frame := func(id, text string) string {
		return `{"candidates":[{"content":{"parts":[{"text":"` + text + `"}]}}],"responseId":"` + id + `"}`
	}
	for _, ids := range []string{"aab", "aaab", "abab", "aabb", "abbba", "aabaa", "abbb", "abcdd", "aaaabb"} {
		var docs []string
		for i, id := range ids {
			docs = append(docs, frame(string(id), fmt.Sprint(i)))
		}
		requireNoDifference(t, MustByName("gemini"), frames(docs...), Options{}, rand.New(rand.NewPCG(3, 4)))
	}
}

// A record of usage is its receiver's, who may change it and keep it.
func TestUsageIsTheReceivers(t *testing.T) {
	var docs []string
	for i := range 60 {
		docs = append(docs, fmt.Sprintf(geminiCounted, "a", 10+i))
	}
	st := MustByName("gemini").Stream(bodyOf(frames(docs...)), Options{})
	var kept []*endwell.Usage
	for {
		c, err := st.Recv()
		if err != nil {
			break
		}
		if u := c.Usage; u != nil {
			i := len(kept)
			require.Equal(t, endwell.Usage{Input: 7, Output: int64(10 + i), Total: int64(110 + i)}, *u)
			*u = endwell.Usage{Cached: int64(1 + i)}
			kept = append(kept, u)
		}
	}
	require.Len(t, kept, 60)
	for i, u := range kept {
		require.Equal(t, endwell.Usage{Cached: int64(1 + i)}, *u)
	}
}

// Text whose frames can be no template is not looked at for ever.
func TestTemplatesInVain(t *testing.T) {
	const doc = `{"choices":[{"index":0,"delta":{"reasoning":"a","content":"b"}}]}`
	s := MustByName("openrouter").Stream(bodyOf(strings.Repeat(frames(doc), 3*maxMisses)), Options{}).(*reader)
	for range 2 * 3 * maxMisses {
		_, err := s.Recv()
		require.NoError(t, err)
	}
	require.False(t, s.teach)
	require.Nil(t, s.tmpl)
}

// Records that a later one replaces are left out where nobody asks for them, and cost
// nothing; the one that ends the answer is not.
func TestTemplateLastUsage(t *testing.T) {
	var body strings.Builder
	for n := 1; n < 40; n++ {
		body.WriteString(frames(fmt.Sprintf(geminiCounted, "a", n)))
	}
	body.WriteString(frames(strings.Replace(fmt.Sprintf(geminiCounted, "b", 40), `"index":0`, `"finishReason":"STOP","index":0`, 1)))
	d := MustByName("gemini")
	all := hear(d.Stream(bodyOf(body.String()), Options{}))
	last := hear(d.Stream(bodyOf(body.String()), Options{LastUsage: true}))
	require.Equal(t, uncounted(all.chunks), uncounted(last.chunks))
	require.Equal(t, usages(all.chunks)[39], usages(last.chunks)[len(usages(last.chunks))-1])
	require.Len(t, usages(all.chunks), 40)
	require.Less(t, len(usages(last.chunks)), 5)
}

// usages are the usage records that are said.
func usages(cs []endwell.Chunk) (all []endwell.Usage) {
	for _, c := range cs {
		if c.Kind == endwell.KindUsage {
			all = append(all, *c.Usage)
		}
	}
	return all
}
