package jsonscan_test

import (
	"errors"
	"fmt"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

func ExampleCursor() {
	doc := []byte(`{"id":"c1","choices":[{"index":0,"delta":{"content":"Hi\n"},"finish_reason":null}]}`)
	var c jsonscan.Cursor
	c.Reset(doc)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		if string(key) != "choices" {
			continue // the value is skipped, and checked, by the next Key
		}
		c.Array()
		for c.Elem() {
			c.Object()
			for key, ok := c.Key(); ok; key, ok = c.Key() {
				switch string(key) {
				case "delta":
					fmt.Printf("delta %s\n", c.Raw())
				case "finish_reason":
					fmt.Println("not finished:", c.Null())
				}
			}
		}
	}
	fmt.Println(c.End())
	// Output:
	// delta {"content":"Hi\n"}
	// not finished: true
	// <nil>
}

// A field may be a string, a number or null: ask in turn.
func ExampleCursor_Kind() {
	for _, doc := range []string{`"429"`, `429`, `null`, `{"a":1}`} {
		var c jsonscan.Cursor
		c.Reset([]byte(doc))
		if s, ok := c.Str(); ok {
			fmt.Println("word", s)
		} else if raw, ok := c.Num(); ok {
			n, _ := jsonscan.Int(raw)
			fmt.Println("number", n)
		} else {
			fmt.Printf("neither, but %c\n", c.Kind())
		}
	}
	// Output:
	// word 429
	// number 429
	// neither, but n
	// neither, but {
}

func ExampleCursor_End() {
	for _, doc := range []string{`{"a":1}`, `{"a":`, `{"a":}`} {
		var c jsonscan.Cursor
		c.Reset([]byte(doc))
		switch err := c.End(); {
		case err == nil:
			fmt.Println("whole")
		case errors.Is(err, jsonscan.ErrUnexpectedEnd):
			fmt.Println("cut:", err)
		default:
			fmt.Println("broken:", err)
		}
	}
	// Output:
	// whole
	// cut: jsonscan: JSON ends before its value does
	// broken: jsonscan: invalid JSON at byte 5
}

func ExampleStr() {
	var c jsonscan.Cursor
	c.Reset([]byte(`"caf\u00e9"`))
	s, _ := c.Str()
	fmt.Println(s.Equal("café"), s, len(s.Raw))
	// Output: true café 9
}

func ExampleInt() {
	for _, raw := range []string{"4.0", "4e2", "4.5", "1e400"} {
		fmt.Println(jsonscan.Int([]byte(raw)))
	}
	// Output:
	// 4 true
	// 400 true
	// 0 false
	// 0 false
}

func ExampleBalance() {
	var b jsonscan.Balance
	for _, piece := range []string{`{"city":"Pa`, `ris \"}`, `"}`, `{}`} {
		b.FeedString(piece)
		fmt.Println("open", b.Open(), "whole", b.Whole(), "extra", b.Extra())
	}
	// Output:
	// open true whole false extra false
	// open true whole false extra false
	// open false whole true extra false
	// open false whole true extra true
}
