package dialects

import "strings"

// hosts are the public hosts of systems. A name that begins with a dot stands for
// all hosts below it, too.
var hosts = []struct{ host, name string }{
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
	{"api.anthropic.com", "anthropic"},
	{"generativelanguage.googleapis.com", "gemini"},
	{"aiplatform.googleapis.com", "gemini"},
	{"cloudcode-pa.googleapis.com", "gemini"},
	{"api.cohere.com", "cohere"},
	{"api.cohere.ai", "cohere"},
	{"api.replicate.com", "replicate"},
	{"stream.replicate.com", "replicate"},
	{"api.writer.com", "writer"},
}

// ByHost returns the dialect that a public host speaks, unless its payloads tell of
// another one; false for a host that is not known. The name is without a port.
func ByHost(host string) (*Dialect, bool) {
	d, ok := byName[nameOfHost(host)]
	return d, ok
}

// nameOfHost returns the dialect that a host speaks unless its payloads tell of
// another one; "" for a host that is not known.
func nameOfHost(host string) string {
	host = strings.ToLower(host)
	for _, h := range hosts {
		if host == strings.TrimPrefix(h.host, ".") || h.host[0] == '.' && strings.HasSuffix(host, h.host) {
			return h.name
		}
	}
	switch {
	case strings.HasPrefix(host, "bedrock-runtime"):
		return "bedrock-converse"
	case strings.HasSuffix(host, "-aiplatform.googleapis.com"):
		return "gemini"
	default:
		return ""
	}
}
