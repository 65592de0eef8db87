package classify

// overflows are the texts with which providers that have no code for it say that a
// request is too long. "Token limit reached" is not among them: OpenRouter says it
// of a max_tokens that is used up, and no shorter conversation helps there. Sources: wire/openai-family.md §10.2, §10.3, §16;
// wire/other-families.md §1e, §2e, §3, §4e, §6; wire/envelopes-and-policy.md §2.7.
var overflows = []string{
	"this model's maximum context length is",
	"this model's maximum prompt length is",
	"this endpoint's maximum context length is",
	"'max_tokens' or 'max_completion_tokens' is too large: #. this model's maximum context length is",
	"@ is too large: #. this model's maximum context length is",
	"you passed # input tokens and requested # output tokens. however, the model's context length is", // vLLM
	"input length (#) exceeds",
	"input length # exceeds",
	"requested token count exceeds the model's maximum context length", // SGLang
	"the decoder prompt (length #) is longer than the maximum model length",
	"the prompt (total length #) is too long to fit into the model",
	"the request exceeds the available context size",
	"request (# tokens) exceeds the available context size",
	"the input (# tokens) is longer than the model's context length",
	"the prompt is too long",
	"the total length of all messages is too long",
	"prompt is too long",
	"prompt too long",
	"prompt token count of # exceeds the limit of #",
	"prompt contains # tokens",
	"input is too long",
	"input length and `max_tokens` exceed context limit",
	"input validation error: `inputs` tokens + `max_new_tokens` must be",
	"input validation error: `inputs` must have less than # tokens",
	"input token count exceeds",
	"your input exceeds the context window",
	"your request exceeded model token limit",
	"the input token count",
	"the input length exceeds the context length",
	"range of input length should be",
	"please reduce the length of the messages",
	"too many tokens:",
	"context length exceeded",
	"context window exceeded",
	"the context length exceeds",
	"maximum context length exceeded",
	"exceeded maximum context length",
}
