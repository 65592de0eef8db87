package scan

import "strings"

// seeds are documents, most of them of one fault or one oddity.
var seeds = []string{
	`{"id":"c-1","choices":[{"index":0,"delta":{"content":" there"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"a1b2c3"}`,
	`{"candidates": [{"content": {"parts": [{"text": " bell says \" not yet \" ."}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 9}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"the na\u00efve old wall, and the café"}}`,
	" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n",
	`{"a":1,"a":{"b":2},"a":null}`, `{"":[],"\u0061":"\u0000"}`, `{}`, `[]`, `[[],{},[{}]]`, `[true,false,null]`,
	`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `["\ud800","\udc00\ud800","\ud83d\ud83d\ude00"]`,
	"\"\xff\xfe\xc3\"", "{\"\xc3\":\"\xe2\x82\"}", "\"\x7f\"", "[\"\xf0\x9f\x98",
	`"0123456"`, `"01234567"`, `["abcdefg"]`, `["abcdefgh"]`, `"` + strings.Repeat("x", 40) + `"`,
	`[0,-0,1,-1,10,1.5,-0.5e+10,1E5,0e0,9223372036854775807,-9223372036854775808,9223372036854775808]`,
	`{"a" :1}`, `{"a":  1}`, `{"a": }`, `{"a":1 ,"b":2}`, `{"a":1, "b":2}`, `{ "a":1}`, "{\"a\":\n1}",
	``, ` `, `{`, `[`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `[1,`, `"\`, `"\u12`, `-`, `1.`, `1e`, `1E-`, `[tru`, `[[1]`,
	`{"a":1,}`, `[1,]`, `[,1]`, `{,"a":1}`, `[1 2]`, `{"a":1 "b":2}`, `{"a" 1}`, `{"a":}`, `{a:1}`, `{1:2}`, `[1}`, `{"a":1]`, `["a":1]`,
	`[]]`, `{} {}`, `1 x`, `{'a':1}`, `01`, `+1`, `-a`, `1.e1`, `.5`, `[1e]`, `1e+-1`, `0x1`, `NaN`, `trUe`, `[falsy]`, `nul1`, `truex`,
	"\"a\nb\"", "\"abcdefghij\x1f\"", "{\"a\x00\":1}", "[\x00]", "{}\x00", "\u00a0{}", "\ufeff{}",
	`"\x"`, `"\u12g4"`, `"\u12"`, `{/**/}`, `<html>`, `[DONE]`, "\f1",
	strings.Repeat("[", 70) + strings.Repeat("]", 70),
	strings.Repeat(`{"a":[`, 40) + `"x"` + strings.Repeat(`]}`, 40),
	strings.Repeat(`[`, 66) + `}`,
}
