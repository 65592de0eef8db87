package dialects

import (
	"slices"

	"github.com/endwell-go/endwell"
)

// variants are the systems that speak the OpenAI chat wire, a row each. The base
// knows their fields, words and error shapes; the note says what is special.
// Sources: wire/openai-family.md, the section of that name.
var variants = []ChatConfig{
	{Name: "openai", Note: "the base; error frames inside a 200"},
	{Name: "azure", Note: "filter annotations after the finish; long silences while filtering"},
	{Name: "groq", Note: "x_groq.error; event: error with the status in status_code"},
	{Name: "mistral", Note: "content as parts; finish word error; tool calls without index"},
	{Name: "deepseek", Note: "keep-alive comments while queued; insufficient_system_resource"},
	{Name: "openrouter", Note: "comments while waiting; error beside choices; native finish words"},
	{Name: "together", Note: "text beside delta; finish word eos"},
	{Name: "copilot", Note: "errors as text/plain; null choices are normal"},
	{Name: "compatible", Note: "any other gateway: the tolerant base"},
	{Name: "xai", Note: "finish key absent until the end; error documents behind a 200"},
	{Name: "fireworks", Note: "usage frame without choices; error as a string"},
	{Name: "perplexity", Note: "no sentinel; usage in every frame; the message repeated beside delta"},
	{Name: "cerebras", Note: "status_code beside error"},
	{Name: "dashscope", Note: "event: error with status; ids empty after the first tool delta"},
	{Name: "moonshot", Note: "usage inside the choice"},
	{Name: "zai", Note: "finish words sensitive and network_error; business codes as strings"},
	{Name: "minimax", Note: "base_resp business errors; the whole message repeated at the end"},
	{Name: "nim", Note: "as vllm; problem documents for errors"},
	{Name: "workersai", Note: "native frames with response; errors with success false"},
	{Name: "vllm", Note: "the sentinel follows an error too; finish words abort and repetition"},
	{Name: "sglang", Note: "as vllm; role null"},
	{Name: "llamacpp", Note: "a field named error; comments while reading the prompt"},
	{Name: "lmstudio", Note: "errors inside a 200, as strings too"},
	{Name: "litellm", Note: "codes as strings, None for nothing; no sentinel after an error"},
	{Name: "huggingface", Note: "as the host behind it"},
	{Name: "vercel", Note: "as the host behind it"},
	{Name: "ollama-openai", Note: "a fault mid-stream ends without any terminal"},
	{Name: "completions", Note: "the legacy wire: text in the choice itself"},
}

var byName = func() map[string]*Dialect {
	m := make(map[string]*Dialect, len(variants))
	for _, v := range variants {
		m[v.Name] = Chat(v)
	}
	return m
}()

// ByName returns the dialect of that name, and whether there is one.
func ByName(name string) (*Dialect, bool) {
	d, ok := byName[name]
	return d, ok
}

// MustByName is ByName for a name that is known to be there: it panics otherwise.
func MustByName(name string) *Dialect {
	d, ok := byName[name]
	if !ok {
		panic("dialects: no dialect named " + name)
	}
	return d
}

// Names returns the names of all dialects, sorted.
func Names() []string {
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var _ endwell.Stream = (*reader)(nil)
