package transport_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/transport"
)

// What is healthy and no model's answer passes, asked for or not, and is sent once;
// what is a model's answer, or reports a fault, is judged all the same.
func TestRoundTripStrangeBodies(t *testing.T) {
	data := func(docs ...string) string { return "data: " + strings.Join(docs, "\n\ndata: ") + "\n\n" }
	for _, row := range []struct {
		name, path, kind string
		status           int
		body, verdict    string
	}{
		{"a prediction that was made", "/v1/predictions", "application/json", 201, `{"id":"p","status":"starting","urls":{"stream":"https://host.invalid/s"}}`, "whole"},
		{"an answer that is not ready", "/v1/chat/completions", "application/json", 202, `{"requestId":"r","status":"pending-evaluation"}`, "whole"},
		{"embeddings", "/v1/embeddings", "application/json", 200, `{"object":"list","data":[{"embedding":[1,2]}]}`, "whole"},
		{"a count of tokens", "/v1/messages/count_tokens", "application/json", 200, `{"input_tokens":3}`, "whole"},
		{"a list of models", "/v1/models", "application/json", 200, `{"object":"list","data":[]}`, "whole"},
		{"a stream of some other server", "/generate", sse, 200, data(`{"token":{"text":"a"},"n":1}`, `{"token":{"text":"b"},"n":2}`), "whole"},
		{"events of a graph", "/runs/stream", sse, 200, "event: metadata\n" + data(`{"run_id":"1"}`) + "event: values\n" + data(`{"messages":[]}`), "whole"},
		{"messages of a protocol", "/rpc", sse, 200, "event: message\n" + data(`{"jsonrpc":"2.0","id":1,"result":{}}`), "whole"},
		{"rows", "/rows", "application/x-ndjson", 200, "{\"row\":1}\n{\"row\":2}\n", "whole"},
		{"the legacy text completions of Anthropic", "/v1/complete", sse, 200, "event: completion\n" + data(`{"type":"completion","completion":" Hel","stop_reason":null}`) + "event: ping\n" + data(`{"type":"ping"}`) + "event: completion\n" + data(`{"type":"completion","completion":"","stop_reason":"stop_sequence"}`), "whole"},
		{"parts of a user interface, and a sentinel", "/api/chat", sse, 200, data(`{"type":"start"}`, `{"type":"text-delta","id":"1","delta":"a"}`, `{"type":"finish"}`, "[DONE]"), "whole"},
		{"text, and a sentinel", "/ask", sse, 200, data("Hello", " you", "[DONE]"), "whole"},
		{"text alone", "/ask", sse, 200, data("Hello", " you"), "whole"},
		{"values of a chain", "/chain/stream", sse, 200, "event: data\n" + data(`"a"`) + "event: data\n" + data(`1`) + "event: end\n\n", "whole"},
		{"fields that nobody knows", "/ask", sse, 200, "event: token\nx: y\n" + data("a") + "event: token\nsome words\n" + data("b") + "event: end\nx: y\n\n", "whole"},
		{"text that begins as a sentinel does", "/ask", sse, 200, data("[DONE] with the first part", "and now the second"), "whole"},
		{"text that begins as a sentinel does, and no more", "/ask", sse, 200, data("[Done] and dusted"), "whole"},
		{"a list of text that begins so", "/ask", sse, 200, data(`"[DONE] x"`, `"[DONE]"`), "whole"},
		{"numbers", "/ask", sse, 200, data("1", "2"), "whole"},
		{"text without events", "/ask", "text/plain", 200, "Hello world,\nhow are you?\n", "whole"},
		{"text of some type", "/ask", "application/octet-stream", 200, "a,b\n1,2\n", "whole"},
		{"values on lines", "/rows", "application/x-ndjson", 200, "1\n\"a\"\n", "whole"},
		{"a sequence of documents", "/rows", "application/json-seq", 200, "\x1e{\"a\":1}\n\x1e{\"a\":2}\n", "whole"},
		{"parts on lines", "/ai", "text/plain", 200, "f:{\"messageId\":\"m\"}\n0:\"Hel\"\nd:{\"finishReason\":\"stop\"}\n", "whole"},
		{"an empty document", "/things", "application/json", 200, "{}", "whole"},
		{"null", "/rows", "application/json", 200, "null", "whole"},
		{"a number", "/rows", "application/json", 200, "42", "whole"},
		{"a detail that is no fault", "/things", "application/json", 200, `{"id":1,"detail":"saved"}`, "whole"},
		{"a code that is no fault", "/things", "application/json", 200, `{"message":"saved","code":"created"}`, "whole"},
		{"a status of something else", "/crawl", "application/x-ndjson", 200, "{\"url\":\"a\",\"status\":200}\n{\"url\":\"b\",\"status\":404}\n", "whole"},
		{"an error that is a number", "/train", sse, 200, data(`{"epoch":1,"error":0.5}`, `{"epoch":2,"error":0.4}`), "whole"},
		{"a step that failed", "/run", sse, 200, data(`{"step":1,"status":"failed","message":"will retry"}`, `{"step":1,"success":false,"message":"x"}`), "whole"},
		{"errors of a query", "/graphql", sse, 200, data(`{"data":null,"errors":[{"message":"m"}]}`), "whole"},
		{"an error of a call", "/rpc", sse, 200, data(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}}`), "whole"},
		{"a log", "/log", "application/x-ndjson", 200, "{\"level\":\"error\",\"error\":\"boom\"}\n", "whole"},
		{"labels in brackets", "/log", "text/plain", 200, "[info] start\n[info] done\n", "whole"},
		{"times in brackets", "/log", "text/plain", 200, "[2024-01-01 12:00:00] start\n", "whole"},
		{"a link", "/ask", "text/markdown", 200, "[link](http://x) is good\n", "whole"},
		{"boxes", "/ask", "text/plain", 200, "[ ] task one\n[x] task two\n", "whole"},
		{"a note", "/ask", "text/plain", 200, "[1] a citation\nand more\n", "whole"},
		{"lists of numbers", "/rows", "application/x-ndjson", 200, "[1,2]\n[3,4]\n", "whole"},
		{"an empty list", "/rows", "application/json", 200, "[]", "whole"},
		{"a list of rows", "/rows", "application/json", 200, `[{"row":1},{"row":2}]`, "whole"},
		{"a list of rows with words of errors", "/rows", "application/json", 200, `[{"id":1,"message":"disk full","code":"E42"},{"id":2}]`, "whole"},
		{"a list of details", "/rows", "application/json", 200, `[{"detail":"x"}, {"detail":"y"}]` + "\n", "whole"},
		{"a list of what was fetched", "/rows", "application/json", 200, `[{"status":404,"url":"/x"}]`, "whole"},
		{"a list of what was generated", "/rows", "application/json", 200, `[{"id":1,"text":"x","generation_id":"g"}]`, "whole"},
		{"a list of lists", "/rows", "application/json", 200, `[["a",1],["b",2]]`, "whole"},
		{"lists on lines", "/rows", "application/x-ndjson", 200, "[\"a\",1]\n[\"b\",2]\n", "whole"},
		{"an event of a shop", "/x", "application/json", 200, `{"event_type":"purchase","response_id":"r1"}`, "whole"},
		{"an interaction with a customer", "/x", "application/json", 200, `{"event_type":"interaction.created","contact":5}`, "whole"},
		{"choices for a model of something else", "/x", "application/json", 200, `{"model_id":1,"choices":["a","b"]}`, "whole"},
		{"a response of a sensor", "/x", "application/x-ndjson", 200, `{"type":"response.received","sensor":4}` + "\n", "whole"},
		{"a line on errors in text", "/ask", "text/plain", 200, "Line\nerror: none so far\nmore\n", "whole"},
		{"a paragraph on errors", "/ask", "text/markdown", 200, "# Title\n\nerror: none\n\nmore\n", "whole"},
		{"a line of more than is kept", "/ask", "text/plain", 200, strings.Repeat("word ", 20_000) + "data: \nerror: x\n", "whole"},
		{"an event of more than is looked at", "/ask", sse, 200, data(strings.Repeat("word ", 900_000), `{"row":1}`), "whole"},
		{"a document of more than is looked at", "/things", "application/json", 200, `{"url":"a","status":404,"x":"` + strings.Repeat("word ", 900_000) + `"}`, "whole"},
		{"a row of more than is looked at", "/rows", "application/x-ndjson", 200, "{\"row\":1}\n" + `{"detail":"ok","x":"` + strings.Repeat("word ", 900_000) + "\"}\n{\"row\":2}\n", "whole"},
		{"a line of blanks", "/ask", "text/plain", 200, "hello\n" + strings.Repeat(" ", 200_000) + "\nmore\n", "whole"},
		{"an error that is none", "/things", "application/json", 200, `{"data":[1],"error":{"code":0,"message":""}}`, "whole"},
		{"an image", "/ask", sse, 200, "event: image\n" + data(strings.Repeat("QUJD", 1<<20)) + "event: end\n\n", "whole"},
		{"an error behind a word", "/ask", "text/plain", 200, "word\n{\"error\":{\"message\":\"x\"}}\n", "faulted server_error"},
		{"an error behind a number", "/ask", "application/x-ndjson", 200, "5\n{\"error\":{\"message\":\"x\"}}\n", "faulted server_error"},
		{"an error behind a part", "/ask", "text/plain", 200, "0:\"Hel\"\n{\"error\":{\"message\":\"x\"}}\n", "faulted server_error"},
		{"a sentinel behind text", "/ask", sse, 200, "a,b\ndata: [DONE]\n\n", "whole"},
		{"a page of more than is looked at", "/ask", "text/html", 200, "<html>" + strings.Repeat("busy ", 900_000) + "</html>\n", "malformed malformed_response"},
		{"a page behind a comment", "/ask", "text/html", 200, ": x\n<html>busy</html>\n", "malformed malformed_response"},
		{"an answer of Ollama behind text", "/v1/messages", "text/plain", 200, "world\n{\"model\":\"m\",\"message\":{\"content\":\"a\"},\"done\":false}\n", "truncated malformed_response"},
		{"an object that is an error, for messages", "/v1/messages", sse, 200, data(`{"object":"error","message":"Service tier capacity exceeded","type":"service_tier_capacity_exceeded","code":"3505"}`), "faulted overloaded"},
		{"an object that is an error, for responses", "/v1/responses", "application/json", 200, `{"object":"error","message":"x","type":null,"code":null}`, "faulted server_error"},
		{"an object that is an error, for ollama", "/api/chat", "application/x-ndjson", 200, `{"type":"error","message":"x"}` + "\n", "faulted server_error"},
		{"the output of a job", "/job", sse, 200, "event: output\n" + data("line one") + "event: end\n" + data("{}"), "whole"},
		{"choices of a poll", "/polls/1", "application/json", 200, `{"question":"q","choices":["a","b"]}`, "whole"},
		{"choices of a game", "/game", sse, 200, data(`{"text":"go","choices":[{"id":1}]}`), "whole"},
		{"candidates of an election", "/vote", "application/json", 200, `{"candidates":[{"name":"x"}]}`, "whole"},
		{"events of an agent", "/run_sse", sse, 200, data(`{"content":{"parts":[{"text":"a"}]},"usageMetadata":{"totalTokenCount":1},"author":"a"}`), "whole"},
		{"deltas of some server", "/chat", sse, 200, data(`{"response_id":"r","delta":"Hel"}`, `{"response_id":"r","delta":"lo"}`), "whole"},
		{"parts that are finished or not", "/chat", sse, 200, data(`{"text":"Hel","is_finished":false}`, `{"is_finished":true}`), "whole"},
		{"steps of a workflow", "/run", sse, 200, data(`{"event_type":"step.started"}`, `{"event_type":"content.delta"}`), "whole"},
		{"deltas of a tool call", "/run", sse, 200, data(`{"type":"tool-call-start"}`, `{"type":"tool-call-delta","x":1}`, `{"type":"message-start"}`), "whole"},
		{"responses of some server", "/chat", sse, 200, data(`{"response":"Hel"}`, `{"response":"lo"}`), "whole"},
		{"messages of a graph", "/run", sse, 200, data(`{"type":"ai","content":"","tool_calls":[{"name":"f","args":{}}]}`), "whole"},
		{"rows that are done", "/api/chat", "application/x-ndjson", 200, "{\"id\":1,\"done\":true}\n{\"id\":2,\"done\":true}\n", "whole"},
		{"messages by the path of Cohere", "/v2/chat", sse, 200, data(`{"message":"a"}`, `{"message":"b"}`), "whole"},
		{"text that begins as a document does", "/build", sse, 200, data("[1/3] building", "[info] done", "{", "\"a\"", ":", "1", "}", "Error: file not found means that"), "whole"},
		{"turns that end with a sentinel each", "/turns", sse, 200, strings.Repeat(data("a", `{"a":1}`, "[DONE]"), 30), "whole"},
		{"an application's own messages", "/api/v1/messages", sse, 200, data(`{"type":"token","t":"a"}`, `{"type":"end"}`), "whole"},
		{"an application's own responses", "/api/v1/responses", sse, 200, data(`{"type":"token","t":"a"}`, `{"type":"end"}`), "whole"},
		{"many events, and then a message", "/agent/run", sse, 200, strings.Repeat(data(`{"type":"log","m":"x"}`), 40) + message, "whole"},
		{"text without an end", "/ask", "text/plain", 200, strings.Repeat("word ", 40<<10), "whole"},
		{"text with markup, and with what labels an error elsewhere", "/ask", "text/plain", 200, "Hello\n\n<b>you</b>\n\nError: none so far\n", "whole"},
		{"more text without a line end than is looked at", "/ask", "text/plain", 200, strings.Repeat("word ", 1<<20), "whole"},
		{"an empty document behind a comment", "/x", sse, 200, ": hi\n\n{}\n\n", "whole"},
		{"an event without data, of a model's name", "/run", sse, 200, data(`{"a":1}`) + "event: messageStop\n\n", "whole"},
		{"a message that begins with a long frame", "/x", sse, 200, strings.Replace(message, `"content":[]`, `"content":[],"x":"`+strings.Repeat("x", 300<<10)+`"`, 1), "whole"},
		{"an application's own messages, one of which says that it failed", "/api/v1/messages", sse, 200, data(`{"type":"token","t":"a"}`, `{"status":"failed","message":"will retry"}`), "whole"},
		{"pings, and an application's own messages", "/api/v1/messages", sse, 200, data(`{"type":"ping"}`, `{"type":"token","t":"a"}`, `{"type":"ping"}`, `{"type":"end"}`), "whole"},
		{"the text of a document, in parts", "/build", sse, 200, data(`{"`, "a", `":1}`), "whole"},
		{"events of another service", "/agents/a/text", "application/vnd.amazon.eventstream", 200, "\x00\x00\x00\x10 whatever", "whole"},

		{"a film", "/speech", "application/octet-stream", 200, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "whole"},
		{"a film that says that it is text", "/speech", sse, 200, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "whole"},
		{"a few zeros", "/x", "application/octet-stream", 200, "\x00\x00\x00", "whole"},
		{"one zero", "/x", "", 200, "\x00", "whole"},
		{"zeros, lines and what looks like errors", "/x", "application/octet-stream", 200, strings.Repeat("\x00", 20) + "\nerror: x\ndata: {\"error\":{\"message\":\"x\"}}\n\n{\"error\":{\"message\":\"x\"}}\n", "whole"},
		{"an archive", "/x", "application/zip", 200, "PK\x03\x04\n\x00log\n{\"error\":{\"message\":\"x\"}}\n" + hel, "whole"},
		{"an archive with a name, and lines", "/x", "application/x-tar", 200, "log.txt\x00\x00\x00\nerror: x\nevent: error\ndata: {\"message\":\"x\"}\n\n", "whole"},
		{"a document in PDF", "/x", "application/pdf", 200, "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nstream\n\x01\x02\x03\n{\"error\":{\"message\":\"x\"}}\nendstream\n", "whole"},
		{"numbers in some format", "/x", "application/msgpack", 200, "\x82\xa1a\x01\xa5error\xa4busy", "whole"},
		{"fields in some format", "/x", "application/x-protobuf", 200, "\n\x05hello\x10\x01\n\x05error", "whole"},
		{"text in two bytes a letter", "/x", "text/plain", 200, "H\x00i\x00\n\x00", "whole"},
		{"a file in gzip", "/x", "application/gzip", 200, zipped(hel), "whole"},
		{"a file in gzip, of some type", "/x", "application/octet-stream", 200, zipped("a,b\n1,2\n"), "whole"},
		{"the beginning of gzip, and no more", "/x", "application/octet-stream", 200, "\x1f\x8b\x08", "whole"},
		{"what gzip begins with, and other bytes", "/x", "text/plain", 200, "\x1fa\n", "whole"},
		{"one byte that gzip begins with", "/x", "application/octet-stream", 200, "\x1f", "whole"},
		{"a file that begins as a page does", "/x", "application/octet-stream", 200, "<\x00\x01", "whole"},
		{"a file that is a page", "/x", "application/octet-stream", 200, "<html>hi</html>\n", "whole"},
		{"a document in XML", "/x", "application/xml", 200, "<?xml version=\"1.0\"?>\n<a>b</a>\n", "whole"},
		{"a feed", "/x", "application/atom+xml; charset=utf-8", 200, "<feed></feed>", "whole"},

		{"a document in RTF", "/x", "application/rtf", 200, "{\\rtf1\\ansi\r\nHello\r\n}\r\n", "whole"},
		{"a document in RTF of one line", "/x", "application/octet-stream", 200, "{\\rtf1\\ansi Hello}", "whole"},
		{"a document in TeX", "/x", "application/x-tex", 200, "{\\bf hi} there\n", "whole"},
		{"bytes behind a brace", "/x", "application/octet-stream", 200, "{\x00\x01\x02", "whole"},
		{"bytes behind a brace and a quote", "/x", "application/octet-stream", 200, "{\"\x00\x01\x02\n", "whole"},
		{"bytes behind brackets", "/x", "application/octet-stream", 200, "[[\x00\x01\x02", "whole"},
		{"bytes behind a bracket and a brace", "/x", "application/octet-stream", 200, "[{\x00\x01\x02", "whole"},
		{"bytes in what looks like a comment", "/x", "application/octet-stream", 200, ":\x00\x01\x02\nerror: x\n", "whole"},
		{"bytes in what looks like a field", "/x", "application/octet-stream", 200, "id:\x00\x01\x02\nevent: error\ndata: x\n\n", "whole"},
		{"a template of text", "/x", "text/plain", 200, "{{name}}, hello", "whole"},
		{"a template of text on a line", "/x", "text/plain", 200, "{{name}}, hello\n", "whole"},
		{"thoughts in text", "/x", "text/plain", 200, "<think>\nOkay, so\n</think>\nHello\n", "whole"},
		{"markup in text", "/x", "text/plain", 200, " <b>x</b>", "whole"},
		{"markup in indented text", "/x", "text/markdown", 200, "\n  <details>\nhi\n</details>\n", "whole"},
		{"a bracket alone", "/x", "text/plain", 200, "<\nb\n", "whole"},
		{"half a tag of a page", "/x", "text/plain", 200, "<b\n", "whole"},
		{"a comment in markup", "/x", "text/markdown", 200, "<!-- a note -->\n# Title\n", "whole"},
		{"an arrow in text", "/x", "text/plain", 200, "\n\n    <- look here\n", "whole"},
		{"numbers below a bound", "/x", "text/csv", 200, "<5,10\n", "whole"},
		{"the first message of a call", "/x", "application/connect+json", 200, "\x00\x00\x00\x00\x02{}", "whole"},

		{"a page in the place of text", "/x", "text/plain", 200, "<!DOCTYPE html>\n<html>busy</html>", "malformed malformed_response"},
		{"a page in the place of text, half a tag at first", "/x", "text/plain", 200, "<HTML lang=en>busy", "malformed malformed_response"},
		{"a page that is indented", "/x", "text/html", 200, "\n\n  <div>busy</div>", "malformed malformed_response"},
		{"an error line of some type", "/x", "application/octet-stream", 200, "error: the model is busy\n", "faulted server_error"},
		{"a chat answer that was cut, of some type", "/x", "application/octet-stream", 200, hel, "truncated malformed_response"},
		{"a chat answer that was cut, behind a control character", "/x", sse, 200, "starting\x00\n" + hel, "truncated malformed_response"},
		{"an error behind a control character", "/x", "application/x-ndjson", 200, "\x04ready\n{\"error\":{\"message\":\"x\"}}\n", "faulted server_error"},
		{"an error behind an event and a control character", "/x", sse, 200, data(`{"a":1}`) + "\x00\n" + data(`{"error":{"message":"x"}}`), "faulted server_error"},
		{"an error behind a zero", "/x", "", 200, "\x00\n" + data(`{"error":{"message":"x"}}`), "faulted server_error"},
		{"a page behind many blanks", "/x", "text/html", 200, ": c\n" + strings.Repeat(" ", 300) + "<html>busy</html>\n", "whole"},
		{"a page in XML", "/x", "application/xhtml+xml", 200, "<html>busy</html>", "malformed malformed_response"},
		{"a page that says nothing of itself", "/x", "", 200, "<html>busy</html>", "malformed malformed_response"},
		{"a page that says that it is a stream", "/x", sse, 200, "<html>busy</html>", "malformed malformed_response"},
		{"bytes in place of a chat answer", "/v1/chat/completions", "application/octet-stream", 200, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "malformed malformed_response"},
		{"text that has been in gzip twice, in place of a chat answer", "/v1/chat/completions", sse, 200, zipped(zipped(hel)), "malformed malformed_response"},
		{"a chat answer in gzip that was cut, and nobody says that it is in gzip", "/x", sse, 200, zipped(hel), "truncated malformed_response"},
		{"the same by the path of a chat answer, as some file", "/v1/chat/completions", "application/octet-stream", 200, zipped(hel), "truncated malformed_response"},
		{"half of gzip that nobody declares", "/x", sse, 200, zipped(hel)[:2], "truncated malformed_response"},
		{"an error in place of the answer", "/v1/chat/completions", "application/json", 200, `{"error":{"message":"x","type":"server_error"}}`, "faulted server_error"},
		{"an error that an event is named, behind a field that nobody knows", "/x", sse, 200, "event: error\nx: y\n" + data(`{"info":"busy"}`), "faulted server_error"},
		{"an error that an event is named, behind text", "/x", sse, 200, data(`{"row":1}`) + "event: error\nso many words\n" + data("busy"), "faulted server_error"},
		{"an error that an event is named, without data", "/x", sse, 200, "event: error\nbusy\n\n", "faulted server_error"},
		{"an error in a strange stream", "/generate", sse, 200, data(`{"token":{"text":"a"}}`, `{"error":{"message":"x"}}`), "faulted server_error"},
		{"half a document", "/v1/embeddings", "application/json", 200, `{"object":"list","data":[{"emb`, "truncated malformed_response"},
		{"a chat answer that was cut before its first word", "/x", sse, 200, data(`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`), "truncated malformed_response"},
		{"a chat answer that was cut", "/x", sse, 200, hel, "truncated malformed_response"},
		{"a strange frame before a cut chat answer", "/x", sse, 200, data(`{"warming":true}`) + hel, "truncated malformed_response"},
		{"text, and then a chat answer that was cut", "/x", sse, 200, data("Hello") + hel, "truncated malformed_response"},
		{"many events, and then a message that was cut", "/agent/run", sse, 200, strings.Repeat(data(`{"type":"log","m":"x"}`), 40) + message[:strings.Index(message, "event: content_block_stop")], "truncated malformed_response"},
		{"a page where text might be", "/ask", "text/html", 200, "<html>busy</html>", "malformed malformed_response"},
		{"an error line where text might be", "/ask", "text/plain", 200, "error: the model is busy\n", "faulted server_error"},
		{"an error line in capitals where text might be", "/ask", "text/plain", 200, "ERROR: the model is busy\n", "faulted server_error"},
		{"half a document on a line", "/x", "application/x-ndjson", 200, "{\"model\":\"m\",\"mess\n", "truncated malformed_response"},
		{"an event that cannot be read", "/x", sse, 200, data(`{"choices":[{"ind`) + hel, "malformed malformed_response"},
		{"half a document of some stream", "/x", sse, 200, data(`{"a":1}`) + `data: {"a":`, "truncated malformed_response"},
		{"the first frame of watsonx, and no more", "/ml/v1/text/chat_stream", sse, 200, "id: 1\nevent: message\n" + data("{}"), "truncated malformed_response"},
		{"another document in place of a completion", "/v1/completions", "application/json", 200, `{"message":"no Route matched"}`, "truncated malformed_response"},
		{"other text in place of a completion", "/v1/completions", sse, 200, data("upstream connect error"), "malformed malformed_response"},
		{"an error document where a message is expected", "/v1/messages", "application/json", 200, `{"message":"x","code":"InternalError","request_id":"r"}`, "faulted server_error"},
		{"an error event where a message is expected", "/v1/messages", sse, 200, data(`{"code":500,"message":"x"}`), "faulted server_error"},
		{"a sentinel alone", "/x", sse, 200, data("[DONE]"), "empty malformed_response"},
		{"a sentinel in quotes", "/x", sse, 200, data(`"[DONE]"`), "empty malformed_response"},
		{"a sentinel and more, in place of a chat answer", "/v1/chat/completions", sse, 200, data("[DONE] "), "empty malformed_response"},
		{"half an event", "/v1/messages", sse, 200, "event: message_start\ndata:", "empty malformed_response"},
		{"half an event that says something", "/v1/messages", sse, 200, "event: message_start\ndata: {", "truncated malformed_response"},
		{"the beginning of a field", "/x", sse, 200, ": hi\n\nev", "empty malformed_response"},
		{"a comment and a sentinel", "/v1/completions", sse, 200, ": hi\n\n" + data("[DONE]"), "empty malformed_response"},
		{"nothing said, and a sentinel", "/x", sse, 200, data("null", "[DONE]"), "empty malformed_response"},
		{"a ping and a sentinel", "/x", sse, 200, data(`{"type":"ping"}`, "[DONE]"), "empty malformed_response"},
		{"a model that is loaded, and no answer", "/api/chat", "application/x-ndjson", 200, "{\"status\":\"loading model\"}\n{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n", "empty malformed_response"},
		{"a list of a model's that begins with something else", "/x", "application/json", 200, `[{"warming":true},{"candidates":[{"content":{"parts":[{"text":"hel"}]}}]}]`, "truncated malformed_response"},
		{"an error behind a long line of text", "/rows", "application/x-ndjson", 200, "{\"row\":1}\n" + strings.Repeat("word ", 40<<10) + "\n{\"error\":{\"message\":\"x\"}}\n", "faulted server_error"},
		{"an error in a list", "/x", "application/json", 200, `[{"row":1},{"error":{"message":"x"}},{"row":2}]`, "faulted server_error"},
		{"an error that is a list's first", "/x", "application/json", 200, `[{"error":{"message":"x"}}]`, "faulted server_error"},
		{"half an element of a list", "/x", "application/json", 200, `[{"row":1},{"ro`, "truncated malformed_response"},
		{"a list that is not closed", "/x", "application/json", 200, `[{"row":1},{"row":2}`, "truncated malformed_response"},
		{"Google's error behind rows of a list", "/x", "application/json", 200, `[{"row":1},{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]`, "faulted overloaded"},
		{"half a list, behind a comment", "/x", sse, 200, ": hi\n\n[{\"a\":1},{\"a\"", "truncated malformed_response"},
		{"an empty object alone", "/x", sse, 200, data("{}"), "truncated malformed_response"},
		{"pings alone", "/x", sse, 200, data(`{"type":"ping"}`, `{"type":"ping"}`), "truncated malformed_response"},
		{"another document in place of a chat answer", "/v1/chat/completions", "application/json", 200, `{"message":"no Route matched"}`, "truncated malformed_response"},
		{"an empty document in place of a chat answer", "/v1/chat/completions", "application/json", 200, `{}`, "truncated malformed_response"},
		{"other frames in place of a chat answer", "/v1/chat/completions", sse, 200, data(`{"foo":"bar"}`, `{"foo":"baz"}`), "truncated malformed_response"},
		{"other text in place of a chat answer", "/v1/chat/completions", sse, 200, data("Hello"), "malformed malformed_response"},
		{"keep-alives alone", "/x", sse, 200, ": ping\n\n", "empty malformed_response"},
		{"nothing", "/x", sse, 200, "", "empty malformed_response"},
	} {
		for name, split := range map[string]func(io.Reader) io.Reader{
			"plain": func(r io.Reader) io.Reader { return r }, "with a gate": iotest.DataErrReader, "bytewise": iotest.OneByteReader,
		} {
			t.Run(row.name+", "+name, func(t *testing.T) {
				var cfg transport.WrapConfig
				if name == "with a gate" {
					cfg = gated(3)
				}
				cfg.Dialect = nil
				sent := 0
				base := roundTrip(func(req *http.Request) (*http.Response, error) {
					sent++
					_ = req.Body.Close()
					resp := respond(io.NopCloser(split(strings.NewReader(row.body))), "Content-Type", row.kind)
					resp.StatusCode, resp.Request = row.status, req
					return resp, nil
				})
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid"+row.path, strings.NewReader(asking))
				require.NoError(t, err)
				resp, err := transport.Wrap(base, cfg).RoundTrip(req)
				got := ""
				if err == nil {
					var b []byte
					b, err = io.ReadAll(resp.Body)
					got = string(b)
					_ = resp.Body.Close()
				}
				require.Equal(t, row.verdict, verdict(err))
				if row.verdict == "whole" {
					require.Equal(t, row.body, got)
					require.Equal(t, 1, sent)
				} else {
					require.NotContains(t, got, "[DONE]", "clients stop there")
					require.False(t, strings.HasSuffix(got, "ev") || strings.HasSuffix(got, ":") || strings.HasSuffix(got, "{"), "half a line")
				}
			})
		}
	}
}

// Nothing is added to what is of no known wire, whole or not, since it may be no event.
func TestRoundTripAddsNothingStrange(t *testing.T) {
	const row = "data: {\"row\":1}\n\n"
	for _, part := range []struct {
		name, kind, sent string
	}{
		{"half an event of more than is looked at", sse, row + "data: {\"y\":\"" + strings.Repeat("a", 5<<20)},
		{"an event without its line end", sse, row + "data: {\"row\":2}"},
		{"half a field", sse, row + "data:"},
		{"half a pair of blank lines", sse, strings.ReplaceAll(row+"\n", "\n", "\r\n")},
		{"a line of YAML", "application/yaml", "id: 42\nname: x\n"},
		{"a field of text", "text/plain", "data: x"},
		{"text", sse, "Hello"},
		{"a document", sse, `{"row":1}`},
		{"rows", sse, "{\"row\":1}\n{\"row\":2}\n"},
		{"a list", sse, `[{"row":1}]`},
		{"a line that ends with CR", sse, "\r"},
	} {
		for name, end := range map[string]error{"an end": io.EOF, "a reset": io.ErrUnexpectedEOF} {
			t.Run(part.name+", "+name, func(t *testing.T) {
				base := roundTrip(func(*http.Request) (*http.Response, error) {
					return respond(io.NopCloser(io.MultiReader(strings.NewReader(part.sent), iotest.ErrReader(end))), "Content-Type", part.kind), nil
				})
				resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(asks(t.Context(), "http://host.invalid/x"))
				require.NoError(t, err)
				got, err := io.ReadAll(resp.Body)
				require.True(t, strings.HasPrefix(part.sent, string(got)), "%q, %v", got[len(got)-min(len(got), 40):], err)
			})
		}
	}
}

// What no model has written is handed over as it comes, although it may tell nothing for
// as long as it lasts.
func TestRoundTripHoldsNothingStrangeBack(t *testing.T) {
	for name, row := range map[string]struct{ kind, event string }{
		"events":              {sse, "data: {\"row\":1}\n\n"},
		"events and comments": {sse, "data: {\"row\":1}\n\n: more to come\n\n"},
		"text":                {sse, "data: one\n\n"},
		"rows":                {"application/x-ndjson", "{\"row\":1}\n"},
		"lists":               {"application/json", "[{\"row\":1}]"},
		"text on lines":       {"text/plain", "Hello, my friend\n"},
		"words":               {"text/plain", "Hello "},
		"events with names":   {sse, "id: 1\nevent: output\ndata: one\n\n"},
		"markup in text":      {"text/plain", "Hello,\n<b>my friend</b> "},
		"choices":             {sse, "data: {\"choices\":[1]}\n\n"},
		"messages of a call":  {"application/connect+json", "\x00\x00\x00\x00\x02{}"},
		"what gzip begins as": {"application/octet-stream", "\x1f"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body, w := io.Pipe()
				base := roundTrip(func(req *http.Request) (*http.Response, error) {
					return respond(body, "Content-Type", row.kind), nil
				})
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/rows", strings.NewReader(asking))
				require.NoError(t, err)
				resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
				require.NoError(t, err)
				got := make([]byte, len(row.event))
				for range 40 { // for longer than a model may take to its first word
					<-time.After(time.Minute)
					go func() { _, _ = io.WriteString(w, row.event) }()
					_, err := io.ReadFull(resp.Body, got)
					require.NoError(t, err)
					require.Equal(t, row.event, string(got))
				}
				require.NoError(t, w.Close())
				rest, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.Empty(t, rest)
			})
		})
	}
}

// Bytes are looked at once, whatever they are: this would take minutes otherwise.
func TestRoundTripTakesNoLongerThanItsBytes(t *testing.T) {
	for name, row := range map[string]struct{ path, body string }{
		"lines of text in an event of a long name, on a path of no model": {"/x", "event: " + strings.Repeat("x", 1<<20) + "\n" + strings.Repeat("w\n", 200_000)},
		"the same on a model's":                 {"/v1/chat/completions", "event: " + strings.Repeat("x", 1<<20) + "\n" + strings.Repeat("w\n", 200_000)},
		"text and fields by turns":              {"/v1/chat/completions", strings.Repeat("w\nid\n", 400_000)},
		"text and fields by turns, in an event": {"/v1/chat/completions", "event: x\n" + strings.Repeat("w\nid\n", 400_000)},
	} {
		got, err := readFrom(t, transport.WrapConfig{}, "host.invalid"+row.path, row.body)
		require.Contains(t, []string{"whole", "malformed malformed_response", "empty malformed_response"}, verdict(err), name)
		got = strings.TrimRight(got, "\n") // what ends the last event
		require.True(t, strings.HasPrefix(row.body, got), name)
	}
}

// What any system may send among its events is no word of an answer, however often it comes.
func TestRoundTripWaitsForMoreThanPings(t *testing.T) {
	for _, event := range []string{"event: ping\ndata: {\"type\":\"ping\"}\n\n", "data: {}\n\n", "data: null\n\n", ": ping\n\n"} {
		synctest.Test(t, func(t *testing.T) {
			body, w := io.Pipe()
			base := roundTrip(func(*http.Request) (*http.Response, error) { return respond(body), nil })
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/x", strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
			require.NoError(t, err)
			var over sync.WaitGroup
			over.Go(func() {
				for range 60 { // for longer than a model may take to its first word
					time.Sleep(time.Minute)
					_, _ = io.WriteString(w, event)
				}
				_ = w.Close()
			})
			_, err = io.ReadAll(resp.Body)
			require.Equal(t, "stalled timeout", verdict(err), event)
			require.NoError(t, resp.Body.Close())
			over.Wait()
		})
	}
}

// The frames that nobody claims count, for whoever looks for the one that is at fault.
func TestRoundTripNumbersStrangeFrames(t *testing.T) {
	_, err := readFrom(t, transport.WrapConfig{}, "host.invalid/x", strings.Repeat("data: {\"row\":1}\n\n", 3)+hel+errorFrame)
	var e *endwell.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 5, e.Frame)
}

// A host of models is none for something else on a model's path, and what was named is
// named for all paths.
func TestRoundTripStrictWhereAModelAnswers(t *testing.T) {
	doc, frame := `{"ok":true}`, "data: {\"ok\":true}\n\n"
	for _, row := range []struct {
		name, address, kind string
		status              int
		body                string
		dialect             *dialects.Dialect
		verdict             string
	}{
		{"a document, and nothing was named", "host.invalid/x", "application/json", 200, doc, nil, "whole"},
		{"a document, and a dialect was named", "host.invalid/x", "application/json", 200, doc, openai, "truncated malformed_response"},
		{"a document on a path that other programs have too", "host.invalid/v2/chat", "application/json", 200, doc, nil, "whole"},
		{"and on a host of models", "api.cohere.com/v2/chat", "application/json", 200, doc, nil, "truncated malformed_response"},
		{"events on it", "api.cohere.com/v2/chat", sse, 200, frame, nil, "truncated malformed_response"},
		{"events of a host of models by another path of its own", "my.openai.azure.com/openai/responses", sse, 200, frame, nil, "truncated malformed_response"},
		{"events of a host of models by a path that tells nothing", "api.openai.com/v1/x", sse, 200, frame, nil, "whole"},
		{"a stream of Replicate without output", "stream.replicate.com/v1/files/x", sse, 200, "event: logs\ndata: step 1\n\n", nil, "truncated malformed_response"},
		{"a stream of Replicate that failed", "stream.replicate.com/v1/files/x", sse, 200, "event: done\ndata: {\"reason\": \"error\"}\n\n", nil, "faulted server_error"},
		{"a chat answer where host and path are of another wire", "api.anthropic.com/v1/messages", sse, 200, answer, nil, "malformed malformed_response"},
		{"an answer of another wire than was named, by the path of that", "host.invalid/v1/messages", sse, 200, answer, dialects.MustByName("anthropic"), "malformed malformed_response"},
		{"a document of another wire where host and path are of one", "api.anthropic.com/v1/messages", "application/json", 200, `{"choices":[{"index":0,"message":{"content":"hello"},"finish_reason":"stop"}]}`, nil, "whole"},
		{"an answer that is not ready", "integrate.api.nvidia.com/v1/chat/completions", "application/json", 202, `{"requestId":"r"}`, nil, "whole"},
		{"another document in its place", "integrate.api.nvidia.com/v1/chat/completions", "application/json", 200, `{"requestId":"r"}`, nil, "truncated malformed_response"},
	} {
		t.Run(row.name, func(t *testing.T) {
			base := roundTrip(func(req *http.Request) (*http.Response, error) {
				resp := respond(io.NopCloser(strings.NewReader(row.body)), "Content-Type", row.kind)
				resp.StatusCode, resp.Request = row.status, req
				return resp, nil
			})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+row.address, strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := transport.Wrap(base, transport.WrapConfig{Dialect: row.dialect}).RoundTrip(req)
			require.NoError(t, err)
			got, err := io.ReadAll(resp.Body)
			require.Equal(t, row.verdict, verdict(err))
			require.NotContains(t, string(got), "event: done", "clients stop there")
		})
	}
}

// A GET is for something else than a model's answer, unless its URL says so.
func TestRoundTripOfGET(t *testing.T) {
	for url, want := range map[string]string{
		"/events":                          "whole",
		"/v1/responses/resp_1?stream=true": "truncated malformed_response",
		"/v1/ask?alt=sse":                  "truncated malformed_response",
		"/v1/chat/completions":             "whole",
		"/v1/messages":                     "whole",
	} {
		base := roundTrip(func(req *http.Request) (*http.Response, error) {
			return respond(io.NopCloser(strings.NewReader(hel))), nil
		})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://host.invalid"+url, nil)
		require.NoError(t, err)
		req.Header.Set("Accept", sse)
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.Equal(t, hel, string(got))
		require.Equal(t, want, verdict(err), url)
	}
}

// A connection that broke is what ended a stream, whatever half an event was the last of it.
func TestRoundTripStrangeStreamThatBroke(t *testing.T) {
	for _, sent := range []string{
		"data: one\n\n", "data: one\n\ndata: tw", "data: {\"row\":1}\n\ndata: {\"ro", "data: {\"row\":1}\n\nda",
		"{\"row\":1}\n{\"ro", "[{\"row\":1},{\"ro", "[{\"row\":1}", "Hello", "Hello\nyou", "data: one\n\ndata: {\"row\":1}", ": hi\n\n", "", "[inf", "[", "erro",
	} {
		base := roundTrip(func(*http.Request) (*http.Response, error) {
			return respond(io.NopCloser(io.MultiReader(strings.NewReader(sent), iotest.ErrReader(io.ErrUnexpectedEOF)))), nil
		})
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(asks(t.Context(), "http://host.invalid/x"))
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.Equal(t, "broken network", verdict(err), sent)
	}
}

// Whoever is sent elsewhere asks for what was asked for before: a GET is none for a model.
func TestRoundTripOfGETThatIsRedirected(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/feed" {
			http.Redirect(w, r, "/feed", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", sse)
		_, _ = io.WriteString(w, ": hi\n\n")
	}))
	defer server.Close()
	client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{})}
	for method, want := range map[string]string{http.MethodGet: "whole", http.MethodPost: "empty malformed_response"} {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/here", strings.NewReader(asking))
		require.NoError(t, err)
		resp, err := client.Do(req)
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.Equal(t, want, verdict(err), method)
		require.NoError(t, resp.Body.Close())
	}
}

// The Timeout of an http.Client is the caller's own deadline, however it is told.
func TestRoundTripClientTimeoutIsTheCallers(t *testing.T) {
	hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client go
		if r.URL.Path == "/late" {
			w.Header().Set("Content-Type", sse)
			_, _ = io.WriteString(w, hel)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}))
	defer hanging.Close()
	for _, path := range []string{"/never", "/late"} {
		client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{}), Timeout: 25 * time.Millisecond}
		for range 40 {
			ctx, ending := transport.WithEnding(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, hanging.URL+path, strings.NewReader(asking))
			require.NoError(t, err)
			resp, err := client.Do(req)
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			var e *endwell.Error
			require.NotErrorAs(t, err, &e)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, ending.Err(), context.DeadlineExceeded)
		}
	}
}

// Whatever a header is named, a key in it is none of the error's words.
func TestRoundTripHidesKeysOfAnyHeader(t *testing.T) {
	const key = "pk9f8a7b6c5d4e3f2a1b0c"
	for _, name := range []string{"X-Portkey-Api-Key", "Helicone-Auth", "Cf-Aig-Authorization", "X-My-Token"} {
		base := roundTrip(func(*http.Request) (*http.Response, error) {
			return respond(io.NopCloser(strings.NewReader(`data: {"error":{"message":"bad","code":"` + key + `","type":"` + key + `"}}` + "\n\n"))), nil
		})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host.invalid/v1/chat/completions", strings.NewReader(asking))
		require.NoError(t, err)
		req.Header.Set(name, "Bearer "+key)
		resp, err := transport.Wrap(base, transport.WrapConfig{}).RoundTrip(req)
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		var e *endwell.Error
		require.ErrorAs(t, err, &e, name)
		require.NotContains(t, e.Error()+e.Message()+e.Code+e.Type, key[:8], name)
	}
}
