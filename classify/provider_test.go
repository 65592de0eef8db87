package classify_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/stretchr/testify/require"
)

const (
	once  = false // not transient
	later = true  // transient
)

// said is what a provider answered, and what is to be made of it.
type said struct {
	fault     string // the row's name
	status    int    // 0 for an error within a 200
	body      string
	category  endwell.Category
	transient bool
	hint      time.Duration
	header    http.Header
}

const page = "<!DOCTYPE html><html><body><h1>error</h1></body></html>"

var html = http.Header{"Content-Type": {"text/html; charset=UTF-8"}}

// providers has the failures of each provider. The sources are the sections of the
// wire notes that stand beside the names.
var providers = map[string][]said{
	// wire/openai-family.md §1; wire/envelopes-and-policy.md §2.7
	"openai": {
		{"bad key", 401, `{"error":{"message":"Incorrect API key provided: sk-***.","type":"invalid_request_error","param":null,"code":"invalid_api_key"},"status":401}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 401, `{"error":{"message":"You didn't provide an API key. You need to provide your API key in an Authorization header","type":"invalid_request_error","param":null,"code":null}}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, endwell.QuotaExhausted, once, 0, http.Header{"X-Should-Retry": {"false"}}},
		{"credit balance", 429, `{"error":{"message":"x","type":"insufficient_quota","code":"credit_balance_exhausted"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"message":"Rate limit reached for m on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`, endwell.RateLimited, later, 20 * time.Second, nil},
		{"rate limit, reset header", 429, `{"error":{"message":"x","type":"requests","code":"rate_limit_exceeded"}}`, endwell.RateLimited, later, 6 * time.Minute, http.Header{"X-Ratelimit-Reset-Requests": {"6m0s"}, "X-Ratelimit-Remaining-Requests": {"0"}, "X-Ratelimit-Reset-Tokens": {"1h"}, "X-Ratelimit-Remaining-Tokens": {"900"}}},
		{"slow down", 429, `{"error":{"message":"x","type":"rate_limit_error","code":"slow_down"}}`, endwell.RateLimited, later, 0, nil},
		{"too large for any minute", 429, `{"error":{"message":"Request too large for m on tokens per min (TPM): Limit 30000, Requested 61337. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, endwell.ContextTooLong, once, 0, nil},
		{"unknown model", 404, `{"error":{"message":"The model 'x' does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"unknown model, 400", 400, `{"error":{"message":"The requested model 'x' does not exist.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, endwell.ContextTooLong, once, 0, nil},
		{"region", 403, `{"error":{"message":"Country, region, or territory not supported","type":"request_forbidden","param":null,"code":"unsupported_country_region_territory"}}`, endwell.PermissionDenied, once, 0, nil},
		{"filter", 400, `{"error":{"message":"x","type":"invalid_request_error","code":"content_policy_violation"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":{"message":"x","type":"service_unavailable_error","code":"server_is_overloaded"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}`, endwell.ServerError, later, 0, nil},
		{"server fault in-band", 0, `{"error":{"message":"x","type":"server_error","param":null,"code":null}}`, endwell.ServerError, later, 0, nil},
		{"bad parameter", 400, `{"error":{"message":"Unsupported value","type":"invalid_request_error","param":"t","code":"unsupported_value"}}`, endwell.RequestInvalid, once, 0, nil},
		{"page", 521, page, endwell.ServerError, later, 0, html},
		{"page, forbidden", 403, page, endwell.PermissionDenied, once, 0, html},
		{"page, wrong address", 404, page, endwell.RequestInvalid, once, 0, html},
	},
	// wire/openai-family.md §2; wire/other-families.md §7
	"responses": {
		{"bad key", 401, `{"error":{"message":"x","type":"invalid_request_error","code":"invalid_api_key"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit in-band", 0, `{"type":"error","sequence_number":2,"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"You exceeded your current quota","param":null}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit in-band", 0, `{"type":"error","sequence_number":1,"error":{"type":"too_many_requests","code":"rate_limit_exceeded","message":"Rate limit reached. Please try again in 1.3s."}}`, endwell.RateLimited, later, 1300 * time.Millisecond, nil},
		{"overload, flat", 0, `{"type":"error","sequence_number":2,"code":"server_is_overloaded","message":"Servers are overloaded","param":null}`, endwell.Overloaded, later, 0, nil},
		{"unknown model", 400, `{"error":{"message":"x","type":"invalid_request_error","code":"model_not_found"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 0, `{"error":{"code":"context_length_exceeded","message":"x"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 0, `{"error":{"code":"invalid_prompt","message":"x"}}`, endwell.ContentBlocked, once, 0, nil},
		{"server fault", 0, `{"error":{"code":"server_error","message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §3
	"azure": {
		{"bad key", 401, `{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 401, `{"statusCode":401,"message":"Access denied due to missing subscription key."}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 429, `{"error":{"code":"insufficient_quota","message":"x"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"code":"429","message":"Requests have exceeded the token rate limit. Please retry after 38 seconds."}}`, endwell.RateLimited, later, 38 * time.Second, nil},
		{"rate limit, header", 429, `{"error":{"code":"RateLimitReached","message":"Please retry after 38 seconds."}}`, endwell.RateLimited, later, 1500 * time.Millisecond, http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}}},
		{"unknown model", 404, `{"error":{"code":"DeploymentNotFound","message":"x"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"x","type":"invalid_request_error","code":"context_length_exceeded"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"message":"x","type":null,"code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, endwell.ContentBlocked, once, 0, nil},
		{"filter, inner code only", 400, `{"error":{"message":"x","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 429, `{"error":{"code":"NoCapacity","message":"x"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"code":"InternalServerError","message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §4
	"groq": {
		{"bad key", 401, `{"error":{"message":"Invalid API Key","type":"invalid_request_error","code":"invalid_api_key"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 402, `{"error":{"message":"x"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit, text", 429, `{"error":{"message":"Rate limit reached for model m on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s.","type":"tokens","code":"rate_limit_exceeded"}}`, endwell.RateLimited, later, 9*time.Minute + 38016*time.Millisecond, nil},
		{"rate limit, header", 429, `{"error":{"message":"x","type":"tokens","code":"rate_limit_exceeded"}}`, endwell.RateLimited, later, 179560 * time.Millisecond, http.Header{"X-Ratelimit-Reset-Tokens": {"2m59.56s"}, "X-Ratelimit-Remaining-Tokens": {"0"}}},
		{"unknown model", 404, `{"error":{"message":"x","type":"invalid_request_error","code":"model_not_found"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context, 413 with a rate limit's code", 413, `{"error":{"message":"Request too large for model m on tokens per minute (TPM): Limit 12000, Requested 14137","type":"tokens","code":"rate_limit_exceeded"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"message":"x","type":"invalid_request_error","code":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"bad tool call", 0, `{"error":{"message":"x","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"{}","status_code":400}}`, endwell.MalformedResponse, later, 0, nil},
		{"overload", 498, `{"error":{"message":"x","type":"y"}}`, endwell.Overloaded, later, 0, nil},
		{"overload, 503", 503, `{"error":{"message":"x","type":"internal_server_error"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"message":"x","type":"internal_server_error"}}`, endwell.ServerError, later, 0, nil},
		{"dependency", 424, `{"error":{"message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §5; wire/other-families.md §5
	"mistral": {
		{"bad key", 401, `{"message":"Unauthorized","request_id":"r1"}`, endwell.AuthInvalid, once, 0, nil},
		{"bad key, detail", 401, `{"detail":"Unauthorized"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 402, `{"detail":"x"}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"object":"error","message":"Requests rate limit exceeded","type":"rate_limited","param":null,"code":"1300"}`, endwell.RateLimited, later, 0, nil},
		{"overload", 429, `{"object":"error","message":"Service tier capacity exceeded for this model.","type":"invalid_request_error","param":null,"code":"3505"}`, endwell.Overloaded, later, 0, nil},
		{"overload, text", 429, `{"message":"Service tier capacity exceeded for this model."}`, endwell.Overloaded, later, 0, nil},
		{"unknown model", 400, `{"object":"error","message":"Invalid model: x","type":"invalid_model","param":null,"code":"1500"}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}`, endwell.ContextTooLong, once, 0, nil},
		{"validation", 422, `{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}`, endwell.RequestInvalid, once, 0, nil},
		{"filter", 403, `{"object":"error","message":"x","type":"content_filter"}`, endwell.ContentBlocked, once, 0, nil},
		{"server fault", 500, `{"object":"error","message":"x","type":"internal_server_error","code":"1000"}`, endwell.ServerError, later, 0, nil},
		{"page", 504, page, endwell.Timeout, later, 0, html},
	},
	// wire/openai-family.md §6; wire/envelopes-and-policy.md §2.7
	"deepseek": {
		{"bad key", 401, `{"error":{"message":"Authentication Fails, Your api key: ****-key is invalid","type":"authentication_error","param":null,"code":"invalid_request_error"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no key, plain text", 401, `Authentication Fails (auth header not provided)`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"message":"x","type":"y"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 400, `{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`, endwell.ContextTooLong, once, 0, http.Header{"Content-Type": {"application/octet-stream"}}},
		{"filter", 400, `{"error":{"message":"Content Exists Risk","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":{"message":"x"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §7
	"openrouter": {
		{"bad key", 401, `{"error":{"message":"User not found.","code":401}}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 401, `{"error":{"message":"Missing Authentication header","code":401}}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 402, `{"error":{"message":"Insufficient credits","code":402}}`, endwell.QuotaExhausted, once, 0, nil},
		{"in flight budget", 402, `{"error":{"message":"x","code":402,"metadata":{"limit_source":"openrouter_in_flight_budget"}}}`, endwell.RateLimited, later, 3 * time.Second, http.Header{"Retry-After": {"3"}}},
		{"rate limit", 429, `{"error":{"message":"x","code":429,"metadata":{"error_type":"rate_limit_exceeded"}}}`, endwell.RateLimited, later, 7 * time.Second, http.Header{"Retry-After": {"7"}}},
		{"rate limit, reset in epoch milliseconds", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-min. ","code":429}}`, endwell.RateLimited, later, 30 * time.Second, http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"1767225630000"}}},
		{"rate limit for the day", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. ","code":429}}`, endwell.QuotaExhausted, once, 0, nil},
		{"unknown model", 404, `{"error":{"message":"No endpoints found for x.","code":404}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens.","code":400,"metadata":{"provider_name":null}}}`, endwell.ContextTooLong, once, 0, nil},
		{"context, token", 400, `{"error":{"message":"x","code":400,"metadata":{"error_type":"context_length_exceeded"}}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 403, `{"error":{"message":"x","code":403,"metadata":{"reasons":["violence"],"flagged_input":"How do I"}}}`, endwell.ContentBlocked, once, 0, nil},
		{"permission", 403, `{"error":{"message":"x","code":403,"metadata":{"error_type":"permission_denied"}}}`, endwell.PermissionDenied, once, 0, nil},
		{"overload", 502, `{"error":{"message":"x","code":502,"metadata":{"error_type":"provider_overloaded"}}}`, endwell.Overloaded, later, 0, nil},
		{"overload, 529", 529, `{"error":{"message":"x","code":529}}`, endwell.Overloaded, later, 0, nil},
		{"server fault in-band", 0, `{"id":"gen-1","error":{"code":"server_error","message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`, endwell.ServerError, later, 0, nil},
		{"server fault in-band, number", 0, `{"error":{"code":502,"message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 524, page, endwell.Timeout, later, 0, html},
	},
	// wire/openai-family.md §8
	"together": {
		{"bad key", 401, `{"error":{"message":"Invalid API key provided.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 402, `{"error":{"message":"Credit limit exceeded","type":"credit_limit","param":null,"code":null}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"message":"x","type":"dynamic_request_limited","param":null,"code":null}}`, endwell.RateLimited, later, 2 * time.Second, http.Header{"X-Ratelimit-Reset": {"2"}, "X-Ratelimit-Remaining": {"0"}}},
		{"rate limit behind 400", 400, `{"error":{"message":"x","type":null,"code":"rate_limit"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":{"message":"x","type":"invalid_request_error","param":"model","code":"model_not_available"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 403, `{"error":{"message":"x","type":"invalid_request_error"}}`, endwell.ContextTooLong, once, 0, nil},
		{"page, forbidden", 403, page, endwell.PermissionDenied, once, 0, html},
		{"context, 422", 422, `{"error":{"message":"Input validation error: ` + "`inputs` tokens + `max_new_tokens` must be" + ` <= 8193","type":"invalid_request_error"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 422, `{"error":{"message":"x","type":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":"x","model":"m","job_id":"j","request_id":"r"}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 529, `{"message":"x","type":"y"}`, endwell.ServerError, later, 0, nil},
		{"page", 524, page, endwell.Timeout, later, 0, html},
	},
	// wire/openai-family.md §9
	"copilot": {
		{"bad key", 401, `unauthorized: token expired`, endwell.AuthInvalid, once, 0, http.Header{"Content-Type": {"text/plain"}}},
		{"no key", 401, `{"error":{"message":"missing authorization header","code":""}}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 402, `{"error":{"message":"x","code":"quota_exceeded"}}`, endwell.QuotaExhausted, once, time.Hour, http.Header{"Retry-After": {"Thu, 01 Jan 2026 01:00:00 GMT"}}},
		{"rate limit", 429, `{"error":{"message":"x","code":"user_model_rate_limited:m"}}`, endwell.RateLimited, later, 60 * time.Second, http.Header{"Retry-After": {"60"}, "X-Ratelimit-Exceeded": {"user-model"}}},
		{"upstream's limit", 503, `{"error":{"message":"x","code":"upstream_provider_rate_limit"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 400, `{"error":{"message":"The requested model is not supported.","code":"model_not_supported","param":"model","type":"invalid_request_error"}}`, endwell.ModelUnavailable, once, 0, http.Header{"Content-Type": {"text/plain; charset=utf-8"}}},
		{"context", 400, `{"error":{"message":"prompt token count of 128067 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}`, endwell.ContextTooLong, once, 0, nil},
		{"context, text only", 400, `prompt token count of 128067 exceeds the limit of 128000`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 422, `{"error":{"message":"x"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 429, `{"error":{"message":"x","code":"model_overloaded"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"message":"x","code":"internal_error"}}`, endwell.ServerError, later, 0, nil},
		{"cancelled by the server", 499, ``, endwell.ServerError, later, 0, nil},
		{"client not supported", 466, `x`, endwell.RequestInvalid, once, 0, nil},
		{"plain 400", 400, `400 Bad Request`, endwell.RequestInvalid, once, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §11
	"xai": {
		{"bad key behind 400", 400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***."}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created team doesn't have any credits yet."}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"code":"Some resource has been exhausted","error":"Too many requests"}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"code":"Some requested entity was not found","error":"The model x does not exist"}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 200000 tokens."}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 403, `{"error":{"message":"x","type":"content_policy_violation"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload within a 200", 0, `{"code":"The service is currently unavailable","error":"Timed out waiting for first token"}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"code":"Internal error","error":"x"}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §12
	"fireworks": {
		{"bad key", 401, `{"error":"unauthorized"}`, endwell.AuthInvalid, once, 0, nil},
		{"bad key, gateway", 401, `{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 402, `{"error":"x"}`, endwell.QuotaExhausted, once, 0, nil},
		{"account suspended", 412, `{"error":{"message":"x","object":"error"}}`, endwell.PermissionDenied, once, 0, nil},
		{"rate limit", 429, `{"detail":"x"}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":{"object":"error","type":"invalid_request_error","message":"x"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"object":"error","type":"invalid_request_error","message":"The prompt is too long: 200000, model maximum context length: 131071"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"type":"content_filter","message":"x"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":"x"}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":"x"}`, endwell.ServerError, later, 0, nil},
		{"slow", 408, `{"error":"x"}`, endwell.Timeout, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §13
	"perplexity": {
		{"bad key, page", 401, page, endwell.AuthInvalid, once, 0, html},
		{"no credit", 402, `{"error":{"code":402,"message":"x","type":"y"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"code":429,"message":"x"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 400, `{"error":{"message":"x","type":"invalid_model","code":400}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"The total length of all messages is too long.","type":"too_many_prompt_tokens","code":400}}`, endwell.ContextTooLong, once, 0, nil},
		{"bad request within a 200", 0, `{"error":{"message":"invalid request","type":"invalid_request","code":400}}`, endwell.RequestInvalid, once, 0, nil},
		{"filter", 400, `{"error":{"code":400,"type":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":{"code":503}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"code":500,"type":"internal_server_error"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §14
	"cerebras": {
		{"bad key", 401, `{"message":"Wrong API Key","type":"invalid_request_error","param":"api_key","code":"wrong_api_key"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 402, `{"message":"x","type":"payment_required_error","code":"payment_required"}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"message":"x","type":"too_many_requests_error","code":"token_quota_exceeded"}`, endwell.RateLimited, later, 11500 * time.Millisecond, http.Header{"X-Ratelimit-Reset-Tokens-Minute": {"11.5"}, "X-Ratelimit-Remaining-Tokens-Minute": {"0"}, "X-Ratelimit-Reset-Requests-Day": {"33011.3"}, "X-Ratelimit-Remaining-Requests-Day": {"99"}}},
		{"unknown model", 404, `{"message":"x","type":"not_found_error","code":"model_not_found"}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","code":"context_length_exceeded"}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 422, `{"message":"x","type":"content_filter"}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 429, `{"message":"x","type":"too_many_requests_error","code":"queue_exceeded"}`, endwell.Overloaded, later, 0, nil},
		{"server fault in-band", 0, `{"error":{"id":"i","code":"y","message":"x","type":"server_error"},"status_code":500}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §15
	"dashscope": {
		{"bad key", 401, `{"error":{"code":"invalid_api_key","message":"x","type":"invalid_request_error"},"request_id":"r"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit behind 400", 400, `{"error":{"code":"Arrearage","message":"x","param":null,"type":"Arrearage"},"request_id":"r"}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit within a 200", 0, `{"error":{"code":"Throttling.RateQuota","message":"x","type":"limit_requests"},"status":429}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":{"code":"model_not_found","message":"x"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"code":"invalid_parameter_error","message":"Range of input length should be [1, 129024]","type":"invalid_request_error"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"code":"data_inspection_failed","message":"Output data may contain inappropriate content"}}`, endwell.ContentBlocked, once, 0, nil},
		{"filter, native", 0, `{"code":"DataInspectionFailed","message":"x","request_id":"r"}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"code":"ModelUnavailable","message":"x"}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"code":"InternalError","message":"x"}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §16
	"moonshot": {
		{"bad key", 401, `{"error":{"message":"x","type":"incorrect_api_key_error"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 429, `{"error":{"message":"x","type":"exceeded_current_quota_error"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"cycle used up", 403, `{"error":{"message":"You have reached the usage limit for this billing cycle","type":"y"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"message":"x, please try again after 1 seconds","type":"rate_limit_reached_error"}}`, endwell.RateLimited, later, time.Second, nil},
		{"unknown model", 404, `{"error":{"message":"x","type":"resource_not_found_error"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"Your request exceeded model token limit: 262144 (requested: 269030)","type":"invalid_request_error"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"message":"x","type":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 429, `{"error":{"message":"x","type":"engine_overloaded_error"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"message":"x","type":"server_error"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §17
	"zai": {
		{"bad key", 401, `{"error":{"code":"1002","message":"x"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 401, `{"error":{"code":"1001","message":"x"}}`, endwell.AuthMissing, once, 0, nil},
		{"no credit behind 429", 429, `{"error":{"code":"1113","message":"x"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"code":"1302","message":"x"}}`, endwell.RateLimited, later, 0, nil},
		{"account locked behind 429", 429, `{"error":{"code":"1112","message":"x"}}`, endwell.PermissionDenied, once, 0, nil},
		{"unknown model", 400, `{"error":{"code":"1211","message":"x"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"code":"1261","message":"x"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"code":"1301","message":"x"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 429, `{"error":{"code":"1305","message":"x"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"code":"1234","message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"server fault in-band", 0, `{"error":{"code":"network_error","message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §18
	"minimax": {
		{"bad key", 0, `{"base_resp":{"status_code":1004,"status_msg":"login fail"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 0, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 0, `{"base_resp":{"status_code":1002,"status_msg":"x"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":{"type":"not_found_error","message":"x"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 0, `{"base_resp":{"status_code":1039,"status_msg":"x"}}`, endwell.ContextTooLong, once, 0, nil},
		{"context, bad params", 0, `{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit"}}`, endwell.ContextTooLong, once, 0, nil},
		{"bad params", 0, `{"base_resp":{"status_code":2013,"status_msg":"invalid params"}}`, endwell.RequestInvalid, once, 0, nil},
		{"filter", 0, `{"base_resp":{"status_code":1026,"status_msg":"x"}}`, endwell.ContentBlocked, once, 0, nil},
		{"slow", 0, `{"base_resp":{"status_code":1001,"status_msg":"x"}}`, endwell.Timeout, later, 0, nil},
		{"overload", 529, `{"error":{"type":"overloaded_error"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 0, `{"base_resp":{"status_code":1024,"status_msg":"x"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §19
	"nim": {
		{"bad key", 401, `{"status":401,"title":"Unauthorized","detail":"x"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 402, `{"status":402,"detail":"Cloud credits expired"}`, endwell.QuotaExhausted, once, 0, nil},
		{"permission", 403, `{"status":403,"detail":"Authorization failed"}`, endwell.PermissionDenied, once, 0, nil},
		{"rate limit", 429, `{"status":429,"title":"Too Many Requests"}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"detail":"Function 'x': Not found for account 'y'"}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens","type":"BadRequestError","code":400}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"type":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload in-band", 0, `{"error":{"message":"Worker local total request limit reached (33/32)"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"type":"urn:nvcf-worker-service:problem-details:internal-server-error","title":"Internal Server Error","status":500,"detail":"x"}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §20
	"workersai": {
		{"bad key", 401, `{"result":null,"success":false,"errors":[{"code":10000,"message":"Authentication error"}],"messages":[]}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 429, `{"success":false,"errors":[{"code":3036,"message":"x"}]}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"success":false,"errors":[{"code":971,"message":"x"}]}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 400, `{"success":false,"errors":[{"code":5007,"message":"No such model"}]}`, endwell.ModelUnavailable, once, 0, nil},
		{"permission", 403, `{"success":false,"errors":[{"code":3041,"message":"x"}]}`, endwell.PermissionDenied, once, 0, nil},
		{"context", 400, `{"success":false,"errors":[{"code":3006,"message":"x"}]}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"code":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 429, `{"success":false,"errors":[{"code":3040,"message":"x"}]}`, endwell.Overloaded, later, 0, nil},
		{"overload, text", 0, `InferenceUpstreamError: 3040: Capacity temporarily exceeded`, endwell.Overloaded, later, 0, nil},
		{"slow", 408, `{"success":false,"errors":[{"code":3007,"message":"x"}]}`, endwell.Timeout, later, 0, nil},
		{"server fault", 500, `{"success":false,"errors":[{"code":1,"message":"x"}]}`, endwell.ServerError, later, 0, nil},
		{"page", 403, page, endwell.PermissionDenied, once, 0, html},
	},
	// A gateway of which nothing is known, wire/openai-family.md §10.6, §22
	"compatible": {
		{"bad key", 401, `{"msg":"x"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 403, `{"error":{"message":"x","type":"insufficient_quota"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"no credit, another family's text", 400, `{"error":{"message":"Your credit balance is too low to access the API","type":"invalid_request_error"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `slow down`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"detail":"x"}`, endwell.ModelUnavailable, once, 0, nil},
		{"no such route", 404, `404 page not found`, endwell.RequestInvalid, once, 0, nil},
		{"context", 400, `{"error":"This model's maximum context length is 10 tokens"}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"code":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":{"code":"none"}}`, endwell.Overloaded, later, 0, nil},
		{"upstream's status", 500, `{"error":{"message":"x","type":"upstream_error","code":"bad_response_status_code","param":"500"}}`, endwell.ServerError, later, 0, nil},
		{"a type that says nothing", 0, `{"type":"error","message":"quota exceeded"}`, endwell.QuotaExhausted, once, 0, nil},
		{"page, forbidden", 403, page, endwell.PermissionDenied, once, 0, html},
		{"page, gateway", 504, page, endwell.Timeout, later, 0, nil},
	},
	// wire/openai-family.md §10.2
	"vllm": {
		{"bad key", 401, `{"error":"Unauthorized"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit, from a gateway", 402, `{"error":"x"}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit, from a gateway", 429, `{"error":"x"}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"object":"error","message":"x","type":"NotFoundError","param":null,"code":404}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 5000","type":"BadRequestError","param":"input_tokens","code":400}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter, from a gateway", 400, `{"error":{"type":"content_filter"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"error":{"message":"x","type":"ServiceUnavailableError","code":503}}`, endwell.Overloaded, later, 0, nil},
		{"server fault behind 400", 0, `{"error":{"message":"x","type":"InternalServerError","param":null,"code":400}}`, endwell.ServerError, later, 0, nil},
		{"bad request", 400, `{"error":{"message":"x","type":"BadRequestError","param":null,"code":400}}`, endwell.RequestInvalid, once, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §10.3
	"llamacpp": {
		{"bad key", 401, `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`, endwell.AuthInvalid, once, 0, nil},
		{"unknown model", 404, `{"error":{"code":404,"message":"x","type":"not_found_error"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context in-band", 0, `{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}`, endwell.ContextTooLong, once, 0, nil},
		{"context, type", 400, `{"error":{"code":400,"message":"x","type":"exceed_context_size_error"}}`, endwell.ContextTooLong, once, 0, nil},
		{"loading", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"code":500,"message":"x","type":"server_error"}}`, endwell.ServerError, later, 0, nil},
		{"not supported", 501, `{"error":{"code":501,"message":"x","type":"not_supported_error"}}`, endwell.ServerError, once, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §10.4
	"lmstudio": {
		{"wrong route within a 200", 0, `{"error":"Unexpected endpoint or method. (GET /models)"}`, endwell.RequestInvalid, once, 0, nil},
		{"context in-band", 0, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, endwell.ContextTooLong, once, 0, nil},
		{"unknown model", 404, `{"error":{"message":"Failed to load model x","type":"invalid_request_error","code":"model_not_found"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"server fault", 0, `{"error":"The model has crashed without additional information"}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/openai-family.md §10.1
	"litellm": {
		{"bad key", 401, `{"error":{"message":"x","type":"auth_error","param":"None","code":"401"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 400, `{"error":{"message":"x","type":"budget_exceeded","param":null,"code":"400"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"message":"litellm.RateLimitError: x","type":"throttling_error","param":null,"code":"429"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":{"message":"x","type":"None","param":"None","code":"404"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: x","type":"None","param":"None","code":"400"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"message":"litellm.ContentPolicyViolationError: x","type":"None","param":"None","code":"400"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload, another family's token", 503, `{"error":{"message":"x","type":"overloaded_error","code":"503"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault in-band", 0, `{"error":{"message":"x","type":"None","param":"None","code":"500"}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/other-families.md §4; wire/openai-family.md §10.5
	"ollama": {
		{"bad key", 401, `{"error":"unauthorized","signin_url":"https://example.invalid"}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit, cloud", 402, `{"error":"x"}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit, cloud, in-band", 0, `{"StatusCode":429,"Status":"429 Too Many Requests","error":"x"}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":"model 'x' not found"}`, endwell.ModelUnavailable, once, 0, nil},
		{"unknown model, in-band of old servers", 0, `{"error":"model \"x\" not found, try pulling it first"}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":"the input length exceeds the context length"}`, endwell.ContextTooLong, once, 0, nil},
		{"not supported", 400, `{"error":"\"x\" does not support tools"}`, endwell.RequestInvalid, once, 0, nil},
		{"overload", 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, endwell.Overloaded, later, 0, nil},
		{"memory", 500, `{"error":"model requires more system memory (7.5 GiB) than is available (6.0 GiB)"}`, endwell.ServerError, once, 0, nil},
		{"server fault", 500, `{"error":"x"}`, endwell.ServerError, later, 0, nil},
		{"server fault in-band", 0, `{"error":"an error was encountered while running the model: unexpected EOF"}`, endwell.ServerError, later, 0, nil},
		{"dropped upstream behind 400", 400, `{"error":{"message":"unexpected EOF","type":"invalid_request_error","param":null,"code":null}}`, endwell.ServerError, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/other-families.md §1
	"anthropic": {
		{"bad key", 401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_1"}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 401, `{"type":"error","error":{"type":"authentication_error","message":"x-api-key header is required"}}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 402, `{"type":"error","error":{"type":"billing_error","message":"x"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"no credit behind 400", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, endwell.QuotaExhausted, once, 0, nil},
		{"spend limit behind 400", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits."}}`, endwell.QuotaExhausted, once, 0, nil},
		{"spend limit behind 429", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`, endwell.RateLimited, later, 12 * time.Second, http.Header{"Retry-After": {"12"}}},
		{"rate limit, reset header", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`, endwell.RateLimited, later, 45 * time.Second, http.Header{"Anthropic-Ratelimit-Input-Tokens-Reset": {"2026-01-01T00:00:45Z"}, "Anthropic-Ratelimit-Input-Tokens-Remaining": {"0"}, "Anthropic-Ratelimit-Requests-Reset": {"2026-01-01T01:00:00Z"}, "Anthropic-Ratelimit-Requests-Remaining": {"49"}}},
		{"unknown model", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"permission", 403, `{"type":"error","error":{"type":"permission_error","message":"x"}}`, endwell.PermissionDenied, once, 0, nil},
		{"context", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 3333404 tokens > 200000 maximum"}}`, endwell.ContextTooLong, once, 0, nil},
		{"context with max_tokens", 400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000\"}}", endwell.ContextTooLong, once, 0, nil},
		{"too large", 413, `{"type":"error","error":{"type":"request_too_large","message":"x"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, endwell.Overloaded, later, 0, nil},
		{"overload in-band", 0, `{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"},"request_id":"req_x"     }`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`, endwell.ServerError, later, 0, nil},
		{"server fault in-band", 0, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`, endwell.ServerError, later, 0, nil},
		{"conflict", 409, `{"type":"error","error":{"type":"conflict_error","message":"x"}}`, endwell.ServerError, later, 0, nil},
		{"slow", 504, `{"type":"error","error":{"type":"timeout_error","message":"x"}}`, endwell.Timeout, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/other-families.md §2
	"gemini": {
		{"bad key behind 400", 400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}`, endwell.AuthInvalid, once, 0, nil},
		{"bad key, text only", 400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 403, `{"error":{"code":403,"message":"Method doesn't allow unregistered callers (callers without established identity).","status":"PERMISSION_DENIED"}}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 403, `{"error":{"code":403,"message":"x","status":"PERMISSION_DENIED","details":[{"reason":"BILLING_DISABLED"}]}}`, endwell.QuotaExhausted, once, 0, nil},
		{"region behind 400", 400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, endwell.PermissionDenied, once, 0, nil},
		{"quota of the day", 429, `{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"},{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}`, endwell.QuotaExhausted, once, 34 * time.Second, nil},
		{"rate limit", 429, `[{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateContentInputTokensPerModelPerMinute-FreeTier"}]},{"retryDelay":"34.074824224s"}]}}]`, endwell.RateLimited, later, 34074824224, nil},
		{"rate limit, wait in the text", 429, `{"error":{"code":429,"message":"x. Please retry in 25.465784708s.","status":"RESOURCE_EXHAUSTED","details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}}`, endwell.RateLimited, later, 25465784708, nil},
		{"quota of nothing", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: requests, limit: 0","status":"RESOURCE_EXHAUSTED"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"quota of a minute, said like a quota", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. limit: 5. Please retry in 7s.","status":"RESOURCE_EXHAUSTED"}}`, endwell.RateLimited, later, 7 * time.Second, nil},
		{"exhausted, nothing more", 429, `{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}`, endwell.RateLimited, later, 0, nil},
		{"capacity", 429, `{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[{"reason":"MODEL_CAPACITY_EXHAUSTED"}]}}`, endwell.Overloaded, later, 0, nil},
		{"unknown model", 404, `{"error":{"code":404,"message":"models/x is not found for API version v1beta","status":"NOT_FOUND"}}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`, endwell.ContextTooLong, once, 0, nil},
		{"context behind 500", 500, `{"error":{"code":500,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INTERNAL"}}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 400, `{"error":{"code":400,"message":"x","status":"INVALID_ARGUMENT","details":[{"reason":"SAFETY"}]}}`, endwell.ContentBlocked, once, 0, nil},
		{"bad request in-band", 0, `{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}`, endwell.RequestInvalid, once, 0, nil},
		{"overload", 503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`, endwell.Overloaded, later, 0, nil},
		{"overload in-band", 0, `{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"error":{"code":500,"message":"x","status":"INTERNAL"}}`, endwell.ServerError, later, 0, nil},
		{"slow", 504, `{"error":{"code":504,"message":"x","status":"DEADLINE_EXCEEDED"}}`, endwell.Timeout, later, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/envelopes-and-policy.md §2.7
	"interactions": {
		{"bad key", 401, `{"error":{"code":"authentication","message":"x"}}`, endwell.AuthInvalid, once, 0, nil},
		{"no credit", 429, `{"error":{"code":"quota_exceeded","message":"x"}}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"error":{"code":"rate_limit_exceeded","message":"x"}}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"error":{"code":"model_not_found","message":"x"}}`, endwell.ModelUnavailable, once, 0, nil},
	},
	// wire/other-families.md §3
	"cohere": {
		{"bad key", 401, `{"id":"i","message":"invalid api token"}`, endwell.AuthInvalid, once, 0, nil},
		{"no key", 401, `{"message":"no api key supplied"}`, endwell.AuthMissing, once, 0, nil},
		{"no credit", 402, `{"message":"x"}`, endwell.QuotaExhausted, once, 0, nil},
		{"rate limit", 429, `{"message":"x"}`, endwell.RateLimited, later, 0, nil},
		{"unknown model", 404, `{"message":"model 'x' not found, make sure the correct model ID was used"}`, endwell.ModelUnavailable, once, 0, nil},
		{"context", 400, `{"message":"too many tokens: size limit exceeded by 1000 tokens."}`, endwell.ContextTooLong, once, 0, nil},
		{"filter", 498, `{"message":"x"}`, endwell.ContentBlocked, once, 0, nil},
		{"overload", 503, `{"message":"x"}`, endwell.Overloaded, later, 0, nil},
		{"server fault", 500, `{"message":"x"}`, endwell.ServerError, later, 0, nil},
		{"not implemented", 501, `{"message":"x"}`, endwell.ServerError, once, 0, nil},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
	// wire/other-families.md §6
	"bedrock-converse": {
		{"bad key", 403, `{"message":"The security token included in the request is invalid."}`, endwell.AuthInvalid, once, 0, http.Header{"X-Amzn-Errortype": {"UnrecognizedClientException:http://internal.amazon.com/coral/com.amazon.bedrock/"}}},
		{"no key", 403, `{"message":"Missing Authentication Token"}`, endwell.AuthMissing, once, 0, http.Header{"X-Amzn-Errortype": {"MissingAuthenticationTokenException"}}},
		{"bad key, without its type", 403, `{"message":"The security token included in the request is invalid."}`, endwell.AuthInvalid, once, 0, nil},
		{"permission", 403, `{"message":"x"}`, endwell.PermissionDenied, once, 0, http.Header{"X-Amzn-Errortype": {"AccessDeniedException:"}}},
		{"no credit", 400, `{"__type":"com.amazon.coral.service#ServiceQuotaExceededException","message":"x"}`, endwell.QuotaExhausted, once, 0, nil},
		{"quota of the day", 429, `{"message":"Too many tokens per day, please wait before trying again."}`, endwell.QuotaExhausted, once, 0, http.Header{"X-Amzn-Errortype": {"ThrottlingException"}}},
		{"rate limit", 429, `{"message":"Too many tokens, please wait before trying again."}`, endwell.RateLimited, later, 0, http.Header{"X-Amzn-Errortype": {"ThrottlingException"}}},
		{"unknown model", 404, `{"message":"x"}`, endwell.ModelUnavailable, once, 0, http.Header{"X-Amzn-Errortype": {"ResourceNotFoundException"}}},
		{"model not on demand", 400, `{"message":"Invocation of model ID x with on-demand throughput isn\u2019t supported."}`, endwell.ModelUnavailable, once, 0, http.Header{"X-Amzn-Errortype": {"ValidationException"}}},
		{"context", 400, `{"message":"Input is too long for requested model."}`, endwell.ContextTooLong, once, 0, http.Header{"X-Amzn-Errortype": {"ValidationException"}}},
		{"bad request", 400, `{"message":"x"}`, endwell.RequestInvalid, once, 0, http.Header{"X-Amzn-Errortype": {"ValidationException"}}},
		{"overload", 503, `{"message":"x"}`, endwell.Overloaded, later, 0, http.Header{"X-Amzn-Errortype": {"ServiceUnavailableException"}}},
		{"not ready", 429, `{"message":"x"}`, endwell.Overloaded, later, 0, http.Header{"X-Amzn-Errortype": {"ModelNotReadyException"}}},
		{"slow", 408, `{"message":"x"}`, endwell.Timeout, later, 0, http.Header{"X-Amzn-Errortype": {"ModelTimeoutException"}}},
		{"server fault", 424, `{"message":"x"}`, endwell.ServerError, later, 0, http.Header{"X-Amzn-Errortype": {"ModelErrorException"}}},
		{"page", 502, page, endwell.ServerError, later, 0, html},
	},
}

var newYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestProviders(t *testing.T) {
	seen := map[endwell.Category]bool{}
	for dialect, rows := range providers {
		for _, row := range rows {
			t.Run(dialect+"/"+row.fault, func(t *testing.T) {
				ev := &endwell.Evidence{Dialect: dialect, Status: row.status, InBand: row.status == 0, Header: row.header, Body: []byte(row.body)}
				got := classify.Error(ev, classify.Call{Opened: ev.InBand, Now: newYear})
				require.Equal(t, row.category, got.Category, got.Error())
				require.Equal(t, row.transient, got.Transient, got.Error())
				require.Equal(t, row.transient, got.Retryable)
				require.Equal(t, row.hint, got.RetryAfter)
				require.Equal(t, row.hint, classify.RetryAfter(ev, newYear))
				want := endwell.Refused
				if ev.InBand {
					want = endwell.Faulted
				}
				require.Equal(t, want, got.Fault)
				require.Same(t, ev, got.Unredacted())
			})
			seen[row.category] = true
		}
	}
	for _, c := range endwell.Categories() {
		if c != endwell.Network && c != endwell.Unclassified {
			require.True(t, seen[c], c)
		}
	}
}
