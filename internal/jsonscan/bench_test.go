package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
)

// chunk is an OpenAI-style chat completion chunk, written for this benchmark.
const chunk = `{"id":"chatcmpl-EwTest0000000000000000000001","object":"chat.completion.chunk","created":1760000000,` +
	`"model":"gpt-test-2026-01-01","service_tier":"default","system_fingerprint":"fp_0123456789",` +
	`"choices":[{"index":0,"delta":{"content":" there"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"a1b2c3"}`

type fields struct {
	model, content, finish Str
}

func (f *fields) read(c *Cursor, doc []byte) error {
	c.Reset(doc)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "model":
			f.model, _ = c.Str()
		case "choices":
			c.Array()
			for c.Elem() {
				f.choice(c)
			}
		}
	}
	return c.End()
}

func (f *fields) choice(c *Cursor) {
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "delta":
			c.Object()
			for key, ok := c.Key(); ok; key, ok = c.Key() {
				if string(key) == "content" {
					f.content, _ = c.Str()
				}
			}
		case "finish_reason":
			f.finish, _ = c.Str()
		}
	}
}

func BenchmarkChunk(b *testing.B) {
	doc := []byte(chunk)
	b.Run("cursor", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		var c Cursor
		for b.Loop() {
			var f fields
			if f.read(&c, doc) != nil || f.content.Empty() {
				b.Fatal("not read")
			}
		}
	})
	b.Run("skip", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		var c Cursor
		for b.Loop() {
			c.Reset(doc)
			if c.End() != nil {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("balance", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			var s Balance
			if s.Feed(doc); !s.Whole() {
				b.Fatal("not whole")
			}
		}
	})
	b.Run("json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			if !json.Valid(doc) {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("json.Unmarshal", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			var v struct {
				Model   string
				Choices []struct {
					Delta        struct{ Content string }
					FinishReason *string `json:"finish_reason"`
				}
			}
			if json.Unmarshal(doc, &v) != nil {
				b.Fatal("not read")
			}
		}
	})
}

func BenchmarkLarge(b *testing.B) {
	line := strings.Repeat("a long answer that runs on and on, ", 30)
	doc := []byte(`{"text":"` + strings.Repeat(line, 10_000) + `"}`)
	b.Run("cursor", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		var c Cursor
		for b.Loop() {
			c.Reset(doc)
			if c.End() != nil {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("balance", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			var s Balance
			if s.Feed(doc); !s.Whole() {
				b.Fatal("not whole")
			}
		}
	})
	b.Run("json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			if !json.Valid(doc) {
				b.Fatal("not valid")
			}
		}
	})
}
