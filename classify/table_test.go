package classify

import (
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/stretchr/testify/require"
)

// No two tables may disagree about a word, since a gateway may hand one on under
// another dialect's name.
func TestTablesAgree(t *testing.T) {
	first := map[string]string{}
	for _, name := range names() {
		for word, v := range rulesOf(name).codes {
			if word[0] >= '0' && word[0] <= '9' {
				continue
			}
			require.NotEmpty(t, word)
			require.Equal(t, v, anyones[word], "%s: %s", name, word)
			if s, ok := shared[word]; ok {
				require.Equal(t, s, v, "%s: %s differs from the shared meaning", name, word)
			}
			first[word] = name
		}
	}
	require.Greater(t, len(first), 100)
	for word := range shared {
		_, weak := generic[word]
		require.False(t, weak, "%s is both a token that decides and one that says little", word)
	}
}

// Every name of dialects.ByName that speaks of its own has rules, and the others
// are known to have none.
func TestEveryDialectHasRules(t *testing.T) {
	for _, name := range []string{
		"openai", "azure", "groq", "mistral", "deepseek", "openrouter", "together", "copilot", "xai", "fireworks",
		"perplexity", "cerebras", "dashscope", "moonshot", "zai", "minimax", "nim", "workersai", "vllm", "sglang",
		"llamacpp", "lmstudio", "litellm", "ollama-openai", "responses", "anthropic", "gemini", "interactions",
		"cohere", "cohere-v1", "ollama", "bedrock-converse", "bedrock-invoke", "completions",
	} {
		require.NotSame(t, &noRules, rulesOf(name), name)
	}
	for _, name := range []string{"", "compatible", "huggingface", "vercel"} {
		require.Same(t, &noRules, rulesOf(name), name)
	}
}

func TestPhrasesAreInTheFormInWhichTheyAreSearched(t *testing.T) {
	all := append([]phrase(nil), phrases...)
	for _, name := range names() {
		all = append(all, rulesOf(name).phrases...)
	}
	for _, p := range wrappers {
		require.Equal(t, fold(p)+" ", p)
	}
	for _, p := range all {
		require.Equal(t, fold(p.pattern), p.pattern)
		require.NotEqual(t, undecided, p.then, p.pattern)
	}
	for _, list := range [][]string{overflows, missing, routes} {
		for _, p := range list {
			require.Equal(t, fold(p), p)
			require.GreaterOrEqual(t, len(p), 10, "too short to be anybody's own phrase: %s", p)
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range endwell.Categories() {
		v := verdict(c)
		require.Equal(t, c, v.category())
		require.Equal(t, c.Transient(), v.transient())
		require.Equal(t, c, (v | final).category())
		require.False(t, (v | final).transient())
	}
}

func names() []string {
	var all []string
	for name := range byDialect {
		all = append(all, name)
	}
	return all
}

func TestStartsLike(t *testing.T) {
	for _, row := range []struct {
		s, pattern string
		want       bool
	}{
		{"prompt is too long: 5 > 3", "prompt is too long", true},
		{"the prompt is too long", "prompt is too long", false},
		{"request (12,000 tokens) exceeds", "request (# tokens) exceeds", true},
		{"request (many tokens) exceeds", "request (# tokens) exceeds", false},
		{"model 'x' not found", "model * not found", true},
		{"model 'x' found", "model * not found", false},
		{"too large: 16384. this", "too large: #. this", true},
		{"too large: 16,384.5. this", "too large: #. this", true},
		{"too large: 16384", "too large: #", true},
		{"too large: 16384.", "too large: #.", true},
		{"too large: .5", "too large: #", false},
		{"a/b is not", "@ is not", true},
		{"a b is not", "@ is not", false},
		{"teams have", "team@ have", true},
		{"team have", "team@ have", true},
		{"a", "a@", true},
		{"not found", "not found$", true},
		{"not found: x", "not found$", false},
		{"", "a", false},
		{"", "#", false},
		{"", "*", true},
	} {
		require.Equal(t, row.want, startsLike(row.s, row.pattern), "%q %q", row.s, row.pattern)
	}
}

func TestNormal(t *testing.T) {
	for token, want := range map[string]string{
		"RateLimitReached": "ratelimitreached",
		"rate_limited:x":   "ratelimited",
		"ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/": "throttlingexception",
		"com.amazon.coral#ValidationException":                                     "validationexception",
		"urn:nvcf-worker-service:problem-details:internal-server-error":            "internalservererror",
		"None": "",
		"null": "",
		"":     "",
		"400":  "400",
	} {
		require.Equal(t, want, normal(token), token)
	}
}
