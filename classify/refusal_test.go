package classify_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/stretchr/testify/require"
)

// heard is a refusal, or, with status 0, a report within a stream.
type heard struct {
	fault    string
	dialect  string
	status   int
	body     string
	category endwell.Category
}

func verdictOn(row heard, emitted bool) *endwell.Error {
	ev := &endwell.Evidence{Dialect: row.dialect, Status: row.status, InBand: row.status == 0, Body: []byte(row.body)}
	return classify.Error(ev, classify.Call{Opened: ev.InBand, Emitted: emitted, Now: newYear})
}

func requireHeard(t *testing.T, rows []heard) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.dialect+"/"+row.fault, func(t *testing.T) {
			got := verdictOn(row, false)
			require.Equal(t, row.category, got.Category, got.Error())
			require.Equal(t, row.category.Transient(), got.Transient)
		})
	}
}

// Providers and gateways that have no code for it say that a request is too long.
func TestTooLongInWords(t *testing.T) {
	const bedrock = `The model returned the following errors: `
	requireHeard(t, []heard{
		{"two limits in a sentence", "vllm", 400, `{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 16384. This model's maximum context length is 65536 tokens and your request has 52189 input tokens (16384 > 65536 - 52189).","type":"BadRequestError","code":400}}`, endwell.ContextTooLong},
		{"one limit in a sentence", "vllm", 400, `{"error":{"message":"max_tokens is too large: 16,384. This model's maximum context length is 65536 tokens","type":"BadRequestError","code":400}}`, endwell.ContextTooLong},
		{"limit of the output alone", "openai", 400, `{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}`, endwell.RequestInvalid},
		{"input and output", "vllm", 400, `{"error":{"message":"You passed 31745 input tokens and requested 1024 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 31744 tokens.","type":"BadRequestError","code":400}}`, endwell.ContextTooLong},
		{"input in brackets", "vllm", 400, `{"object":"error","message":"Input length (265330) exceeds model's maximum context length (262144).","type":"BadRequestError","code":400}`, endwell.ContextTooLong},
		{"requested count", "sglang", 400, `{"object":"error","message":"Requested token count exceeds the model's maximum context length of 131072 tokens.","type":"BadRequestError","code":400}`, endwell.ContextTooLong},
		{"engine that calls it its own fault", "llamacpp", 500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing it","type":"server_error"}}`, endwell.ContextTooLong},
		{"the model's errors", "bedrock-converse", 400, `{"message":"` + bedrock + `prompt is too long: 206456 tokens > 200000 maximum"}`, endwell.ContextTooLong},
		{"the model's errors, older", "bedrock-converse", 400, `{"message":"` + bedrock + `Input is too long for requested model."}`, endwell.ContextTooLong},
		{"the model's errors, within a stream", "bedrock-invoke", 0, `{"__type":"validationException","message":"` + bedrock + `Input is too long for requested model."}`, endwell.ContextTooLong},
		{"the model's other errors", "bedrock-converse", 400, `{"message":"` + bedrock + `Malformed input request"}`, endwell.RequestInvalid},
		{"behind an exception's class", "compatible", 400, `{"error":{"message":"litellm.BadRequestError: AnthropicException - {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 9 tokens > 8 maximum\"}}","type":null,"code":"400"}}`, endwell.ContextTooLong},
		{"behind a status", "compatible", 400, `{"error":{"message":"Error code: 400 - {'error': {'message': \"This model's maximum context length is 8192 tokens.\", 'code': 'x'}}"}}`, endwell.ContextTooLong},
		{"LiteLLM behind another", "openai", 400, `{"error":{"message":"litellm.ContextWindowExceededError: x","type":null,"code":"400"}}`, endwell.ContextTooLong},
		{"OpenRouter's upstream", "openrouter", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"provider_name":"P","raw":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 9 tokens > 8 maximum\"}}"}}}`, endwell.ContextTooLong},
		{"OpenRouter's upstream, text", "openrouter", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"Input length 9 exceeds the maximum allowed input length of 8 tokens."}}}`, endwell.ContextTooLong},
		{"OpenRouter's upstream, something else", "openrouter", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"bad tool schema"}}}`, endwell.RequestInvalid},
		{"invalid request", "moonshot", 400, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)","type":"invalid_request_error"}}`, endwell.ContextTooLong},
		{"invalid request that echoes", "moonshot", 400, `{"error":{"message":"Invalid request: unknown role in 'prompt is too long'","type":"invalid_request_error"}}`, endwell.RequestInvalid},
		{"echoed request in a wrapper", "compatible", 400, `{"error":{"message":"Invalid request: {\"message\":\"prompt is too long\"}"}}`, endwell.RequestInvalid},
		// It is said of a max_tokens that is used up: there is no token for it (wire/openai-family.md
		// §7 has several), the status is 400, and a shorter conversation does not help.
		{"output's limit used up", "openrouter", 0, `{"error":{"code":400,"message":"Token limit reached"}}`, endwell.RequestInvalid},
		{"output's limit used up, with a token", "openrouter", 0, `{"error":{"code":400,"message":"x","metadata":{"error_type":"token_limit_exceeded"}}}`, endwell.ContextTooLong},
	})
	within := heard{dialect: "moonshot", body: `{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)","type":"invalid_request_error"}}`}
	require.ErrorIs(t, verdictOn(within, true), endwell.ContextTooLong, "after text too")
	within.body = `{"error":{"code":400,"message":"Token limit reached"}}`
	require.ErrorIs(t, verdictOn(within, true), endwell.RequestInvalid)
}

// An account without credit answers with the token of a rate limit or of a lack of
// permission.
func TestUsedUpInWords(t *testing.T) {
	const (
		spent = `{"code":"Some resource has been exhausted","error":"Your team 16f2151a has either used all available credits or reached its monthly spending limit. To continue, purchase more credits."}`
		plan  = `"message":"You've reached your usage limit for this billing cycle. Your quota will be refreshed in the next cycle."`
	)
	requireHeard(t, []heard{
		{"credits", "xai", 429, spent, endwell.QuotaExhausted},
		{"credits, through a gateway", "compatible", 429, `{"error":{"type":"rate_limit_error","message":"Your team x has either used all available credits or reached its monthly spending limit."}}`, endwell.QuotaExhausted},
		{"rate under the same code", "xai", 429, `{"code":"Some resource has been exhausted","error":"Too many requests for team x"}`, endwell.RateLimited},
		{"no credits yet", "xai", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created teams doesn't have any credits yet."}`, endwell.QuotaExhausted},
		{"no credits yet, short code", "xai", 403, `{"code":"permission-denied","error":"Your newly created team doesn’t have any credits yet."}`, endwell.QuotaExhausted},
		{"no permission", "xai", 403, `{"code":"permission-denied","error":"Your team may not use this model."}`, endwell.PermissionDenied},
		{"plan, Kimi Code", "moonshot", 403, `{"error":{"type":"permission_error",` + plan + `},"type":"error"}`, endwell.QuotaExhausted},
		{"plan, Anthropic's route", "anthropic", 403, `{"error":{"type":"permission_error",` + plan + `},"type":"error"}`, endwell.QuotaExhausted},
		{"plan, OpenAI's route", "moonshot", 403, `{"error":{"type":"access_terminated_error",` + plan + `}}`, endwell.QuotaExhausted},
		{"plan's period", "moonshot", 429, `{"error":{"type":"rate_limit_reached_error","message":"You've reached your usage limit for this period."}}`, endwell.QuotaExhausted},
		{"balance, no token", "moonshot", 403, `{"error":{"message":"x"}}`, endwell.QuotaExhausted},
		{"client not allowed", "moonshot", 403, `{"error":{"type":"access_terminated_error","message":"Kimi For Coding is currently only available for Coding Agents"}}`, endwell.PermissionDenied},
		{"no permission", "moonshot", 403, `{"error":{"type":"permission_error","message":"x"}}`, endwell.PermissionDenied},
		{"concurrency behind 403", "moonshot", 403, `{"error":{"type":"access_terminated_error","message":"You've reached your concurrent request limit. Please wait for your ongoing requests to finish."}}`, endwell.RateLimited},
		{"MiniMax' plan", "anthropic", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"usage limit exceeded, 5-hour usage limit reached for Token Plan (2056)"}}`, endwell.QuotaExhausted},
		{"Z.AI's plan", "anthropic", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-09-09 03:30:06"}}`, endwell.QuotaExhausted},
		{"Z.AI's five hours", "anthropic", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"Usage limit reached for 5 hour. Your limit will reset at 2026-09-09 03:30:06"}}`, endwell.QuotaExhausted},
		{"workspace's limit", "anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified workspace API usage limits."}}`, endwell.QuotaExhausted},
		{"key's limit", "openrouter", 403, `{"error":{"message":"Key limit exceeded (total limit). Manage it using https://openrouter.invalid/keys","code":403}}`, endwell.QuotaExhausted},
		{"key's limit, with a token", "openrouter", 403, `{"error":{"message":"Key limit exceeded (daily limit).","code":403,"metadata":{"error_type":"permission_denied"}}}`, endwell.QuotaExhausted},
		{"day's limit, with a token", "openrouter", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. ","code":429,"metadata":{"error_type":"rate_limit_exceeded"}}}`, endwell.QuotaExhausted},
		{"prepaid credits", "gemini", 429, `{"error":{"code":429,"message":"Your prepayment credits are depleted.","status":"RESOURCE_EXHAUSTED"}}`, endwell.QuotaExhausted},
		{"credits of a plan", "gemini", 429, `{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED","details":[{"reason":"INSUFFICIENT_G1_CREDITS_BALANCE"}]}}`, endwell.QuotaExhausted},
		{"trial's month", "cohere", 429, `{"message":"You are using a Trial key, which is limited to 1000 API calls / month."}`, endwell.QuotaExhausted},
		{"trial's minute", "cohere", 429, `{"message":"You are using a Trial key, which is limited to 10 API calls / minute."}`, endwell.RateLimited},
		{"suspended for its bills", "fireworks", 412, `{"error":{"message":"Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices."}}`, endwell.QuotaExhausted},
		{"OpenAI's quota behind LiteLLM", "litellm", 429, `{"error":{"message":"litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your current quota, please check your plan and billing details.","type":null,"code":"429"}}`, endwell.QuotaExhausted},
		{"Google's minute behind LiteLLM", "litellm", 429, `{"error":{"message":"litellm.RateLimitError: GeminiException - {\n \"error\": {\n \"code\": 429,\n \"message\": \"You exceeded your current quota, please check your plan. Quota exceeded for metric: requests, limit: 5\"","code":"429"}}`, endwell.RateLimited},
		{"a rate that echoes", "compatible", 429, `{"error":{"type":"rate_limit_error","message":"slow down: 'your credit balance is too low'"}}`, endwell.RateLimited},
	})
}

func TestOtherTokensWithTwoMeanings(t *testing.T) {
	requireHeard(t, []heard{
		{"safety behind 403", "xai", 403, `{"code":"permission-denied","error":"Content violates usage guidelines. Team: x, API key ID: y, Failed check: SAFETY_CHECK_TYPE_BIO"}`, endwell.ContentBlocked},
		{"safety behind 403, no code", "xai", 403, `{"error":"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"}`, endwell.ContentBlocked},
		{"unknown model behind 400", "openrouter", 400, `{"error":{"message":"foo/bar is not a valid model ID","code":400},"user_id":"u"}`, endwell.ModelUnavailable},
		{"a sentence that ends alike", "openrouter", 400, `{"error":{"message":"the parameter x is not a valid model ID","code":400}}`, endwell.RequestInvalid},
		{"unknown model behind 400", "litellm", 400, `{"error":{"message":"/chat/completions: Invalid model name passed in model=x. Call /v1/models","code":"400"}}`, endwell.ModelUnavailable},
		{"unknown model behind 400", "compatible", 400, `{"error":{"message":"The model 'x' does not exist."}}`, endwell.ModelUnavailable},
		{"no key", "litellm", 401, `{"error":{"message":"Authentication Error, No api key passed in.","type":"auth_error","param":"None","code":"401"}}`, endwell.AuthMissing},
		{"a bad key", "litellm", 401, `{"error":{"message":"Authentication Error, Invalid proxy server token passed.","type":"auth_error","code":"401"}}`, endwell.AuthInvalid},
		{"no key, under a bad key's code", "compatible", 401, `{"error":{"message":"You didn't provide an API key.","code":"invalid_api_key"}}`, endwell.AuthMissing},
		{"no key, business code", "minimax", 0, `{"base_resp":{"status_code":1004,"status_msg":"login fail: Please carry the API secret key in the 'Authorization' field of the request header"}}`, endwell.AuthMissing},
		{"a server's error with 503", "openai", 503, `{"error":{"message":"The server is currently overloaded with other requests.","type":"server_error","code":null}}`, endwell.Overloaded},
		{"a server's error with 503 within a stream", "litellm", 0, `{"error":{"message":"x","type":"internal_server_error","code":"503"}}`, endwell.Overloaded},
		{"a server's error with 504", "openai", 504, `{"error":{"type":"server_error"}}`, endwell.Timeout},
		{"a server's error with 429", "compatible", 429, `{"error":{"type":"server_error"}}`, endwell.RateLimited},
		{"a server's error with 400", "vllm", 400, `{"error":{"type":"InternalServerError","code":400}}`, endwell.ServerError},
		{"a server's error with 502", "openai", 502, `{"error":{"type":"server_error"}}`, endwell.ServerError},
		{"a rate limit with 503", "openai", 503, `{"error":{"code":"rate_limit_exceeded"}}`, endwell.RateLimited},
		{"wrong address", "openai", 404, `{"error":{"message":"Invalid URL (POST /v1/chat/completion)","type":"invalid_request_error","param":null,"code":null}}`, endwell.RequestInvalid},
		{"wrong address", "groq", 404, `{"error":{"message":"Unknown request URL: POST /openai/v1/x. Please check the URL for typos.","type":"invalid_request_error","code":"unknown_url"}}`, endwell.RequestInvalid},
		{"wrong address, code alone", "compatible", 404, `{"error":{"message":"x","code":"unknown_url"}}`, endwell.RequestInvalid},
		{"wrong address", "vllm", 404, `{"detail":"Not Found"}`, endwell.RequestInvalid},
		{"wrong address", "azure", 404, `{"error":{"code":"404","message":"Resource not found"}}`, endwell.RequestInvalid},
		{"wrong address", "anthropic", 404, `{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}`, endwell.RequestInvalid},
		{"wrong model", "anthropic", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, endwell.ModelUnavailable},
		{"wrong model", "vllm", 404, `{"object":"error","message":"The model x does not exist.","type":"NotFoundError","code":404}`, endwell.ModelUnavailable},
	})
}

// The image codes of the Responses API are of the request, with and without a status.
func TestImageCodes(t *testing.T) {
	for _, status := range []int{0, 400} {
		for code, want := range map[string]endwell.Category{
			"server_error": endwell.ServerError, "rate_limit_exceeded": endwell.RateLimited, "invalid_prompt": endwell.ContentBlocked,
			"data_residency_mismatch": endwell.PermissionDenied, "bio_policy": endwell.ContentBlocked, "vector_store_timeout": endwell.Timeout,
			"invalid_image": endwell.RequestInvalid, "invalid_image_format": endwell.RequestInvalid, "invalid_base64_image": endwell.RequestInvalid,
			"invalid_image_url": endwell.RequestInvalid, "image_too_large": endwell.RequestInvalid, "image_too_small": endwell.RequestInvalid,
			"image_parse_error": endwell.RequestInvalid, "image_content_policy_violation": endwell.ContentBlocked,
			"invalid_image_mode": endwell.RequestInvalid, "image_file_too_large": endwell.RequestInvalid,
			"unsupported_image_media_type": endwell.RequestInvalid, "empty_image_file": endwell.RequestInvalid,
			"failed_to_download_image": endwell.RequestInvalid, "image_file_not_found": endwell.RequestInvalid,
		} {
			for _, dialect := range []string{"responses", "openrouter"} {
				got := verdictOn(heard{dialect: dialect, status: status, body: `{"error":{"code":"` + code + `","message":"x"}}`}, status == 0)
				require.Equal(t, want, got.Category, "%s %d %s", dialect, status, code)
				require.Equal(t, want.Transient(), got.Transient, code)
			}
		}
	}
}

func TestHeadersThatTheBodyRepeats(t *testing.T) {
	const openrouter = `{"error":{"code":429,"message":"Rate limit exceeded: free-models-per-min. ","metadata":{"headers":`
	for _, row := range []struct {
		fault, body string
		header      http.Header
		want        time.Duration
	}{
		{"reset in epoch milliseconds", openrouter + `{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1767225630000"}}}}`, nil, 30 * time.Second},
		{"reset as a number", openrouter + `{"X-RateLimit-Remaining":0,"X-RateLimit-Reset":1767225630000}}}}`, nil, 30 * time.Second},
		{"retry-after", openrouter + `{"Retry-After":"7"}}}}`, nil, 7 * time.Second},
		{"retry-after in lower case", openrouter + `{"retry-after":"7"}}}}`, nil, 7 * time.Second},
		{"the response's own first", openrouter + `{"Retry-After":"7"}}}}`, http.Header{"Retry-After": {"2"}}, 2 * time.Second},
		{"beside the error's code", `{"error":{"code":"rate_limit_exceeded","message":"x","headers":{"x-ratelimit-reset-tokens":"1.5s","x-ratelimit-remaining-tokens":"0"}}}`, nil, 1500 * time.Millisecond},
		{"unreadable", openrouter + `{"Retry-After":["soon"],"X-RateLimit-Reset":null}}}}`, nil, 0},
		{"no object", openrouter + `"Retry-After: 7"}}}`, nil, 0},
		{"far beyond", openrouter + `{"Retry-After":"1e30"}}}}`, nil, classify.MaxRetryAfter},
	} {
		t.Run(row.fault, func(t *testing.T) {
			ev := &endwell.Evidence{Dialect: "openrouter", Status: 429, Header: row.header, Body: []byte(row.body)}
			require.Equal(t, row.want, classify.RetryAfter(ev, newYear))
			ev = &endwell.Evidence{Dialect: "openrouter", InBand: true, Header: row.header, Body: []byte(row.body)}
			require.Equal(t, row.want, classify.RetryAfter(ev, newYear), "within a stream")
		})
	}
}
