package classify

// byDialect holds what is special about each dialect; the names are those of
// dialects.ByName.
var byDialect = map[string]*rules{
	"openai":           &openaiRules,
	"responses":        &openaiRules,
	"completions":      &openaiRules,
	"azure":            &azureRules,
	"groq":             &groqRules,
	"mistral":          &mistralRules,
	"deepseek":         &deepseekRules,
	"openrouter":       &openrouterRules,
	"together":         &togetherRules,
	"copilot":          &copilotRules,
	"xai":              &xaiRules,
	"fireworks":        &fireworksRules,
	"perplexity":       &perplexityRules,
	"cerebras":         &cerebrasRules,
	"dashscope":        &dashscopeRules,
	"moonshot":         &moonshotRules,
	"zai":              &zaiRules,
	"minimax":          &minimaxRules,
	"nim":              &nimRules,
	"workersai":        &workersaiRules,
	"vllm":             &engineRules,
	"sglang":           &engineRules,
	"llamacpp":         &llamacppRules,
	"lmstudio":         &lmstudioRules,
	"litellm":          &litellmRules,
	"ollama":           &ollamaRules,
	"ollama-openai":    &ollamaRules,
	"anthropic":        &anthropicRules,
	"gemini":           &googleRules,
	"interactions":     &googleRules,
	"cohere":           &cohereRules,
	"cohere-v1":        &cohereRules,
	"bedrock-converse": &bedrockRules,
	"bedrock-invoke":   &bedrockRules,
}

// noRules are the rules of a dialect of which nothing special is known.
var noRules rules

func rulesOf(dialect string) *rules {
	if r := byDialect[dialect]; r != nil {
		return r
	}
	return &noRules
}

// anyones holds the words of all dialects, for gateways that hand a token of
// another family through. Numbers are left out: they mean something at home only.
// A test holds that no two tables disagree about a word of it.
var anyones = merge(byDialect)

func merge(all map[string]*rules) table {
	t := table{}
	for _, r := range all {
		for k, v := range r.codes {
			if k[0] < '0' || k[0] > '9' {
				t[k] = v
			}
		}
	}
	return t
}

// lookup finds a token's meaning: the dialect's own, then what it means
// everywhere, then what any other dialect means by it.
func (r *rules) lookup(token string) verdict {
	if v, ok := r.codes[token]; ok {
		return v
	}
	if r.pattern != nil {
		if v := r.pattern(token); v != undecided {
			return v
		}
	}
	if v, ok := shared[token]; ok {
		return v
	}
	if generic[token] != undecided {
		return undecided
	}
	return anyones[token]
}
