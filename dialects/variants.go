package dialects

// variants are the systems that speak the OpenAI chat wire, a row each. The base
// knows their fields, words and error shapes; the note says what is special.
// Sources: wire/openai-family.md, the section of that name.
var variants = []ChatConfig{
	{Name: "openai", Facts: Facts{Note: "the base; error frames inside a 200"}},
	{Name: "azure", Facts: Facts{Note: "filter annotations after the finish; long silences while filtering"}},
	{Name: "groq", Facts: Facts{Note: "x_groq.error; event: error with the status in status_code"}},
	{Name: "mistral", Facts: Facts{Note: "content as parts; finish word error; tool calls without index"}},
	{Name: "deepseek", Facts: Facts{Note: "keep-alive comments while queued; insufficient_system_resource"}},
	{Name: "openrouter", Facts: Facts{Note: "comments while waiting; error beside choices; native finish words"}},
	{Name: "together", Facts: Facts{Note: "text beside delta; finish word eos"}},
	{Name: "copilot", Facts: Facts{Note: "errors as text/plain; null choices are normal"}},
	{Name: "compatible", Facts: Facts{Note: "any other gateway: the tolerant base"}},
	{Name: "xai", Facts: Facts{Note: "finish key absent until the end; error documents behind a 200"}},
	{Name: "fireworks", Facts: Facts{Note: "usage frame without choices; error as a string"}},
	{Name: "perplexity", Facts: Facts{Note: "no sentinel; usage in every frame; the message repeated beside delta"}},
	{Name: "cerebras", Facts: Facts{Note: "status_code beside error"}},
	{Name: "dashscope", Facts: Facts{Note: "event: error with status; ids empty after the first tool delta"}},
	{Name: "moonshot", Facts: Facts{Note: "usage inside the choice"}},
	{Name: "zai", Facts: Facts{Note: "finish words sensitive and network_error; business codes as strings"}},
	{Name: "minimax", Facts: Facts{Note: "base_resp business errors; the whole message repeated at the end"}},
	{Name: "nim", Facts: Facts{Note: "as vllm; problem documents for errors"}},
	{Name: "workersai", Facts: Facts{Note: "native frames with response; errors with success false"}},
	{Name: "vllm", Facts: Facts{Note: "the sentinel follows an error too; finish words abort and repetition"}},
	{Name: "sglang", Facts: Facts{Note: "as vllm; role null"}},
	{Name: "llamacpp", Facts: Facts{Note: "a field named error; comments while reading the prompt"}},
	{Name: "lmstudio", Facts: Facts{Note: "errors inside a 200, as strings too"}},
	{Name: "litellm", Facts: Facts{Note: "codes as strings, None for nothing; no sentinel after an error"}},
	{Name: "huggingface", Facts: Facts{Note: "as the host behind it"}},
	{Name: "vercel", Facts: Facts{Note: "as the host behind it"}},
	{Name: "ollama-openai", Facts: Facts{Note: "a fault mid-stream ends without any terminal"}},
	{Name: "completions", Facts: Facts{Note: "the legacy wire: text in the choice itself"}},
}

func chatDialects() []*Dialect {
	all := make([]*Dialect, 0, len(variants))
	for _, v := range variants {
		all = append(all, Chat(v))
	}
	return all
}
