package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// TestStory tells the story and checks every claim of it.
func TestStory(t *testing.T) {
	var told strings.Builder
	so, err := tell(&told, filepath.Join(t.TempDir(), "transcript.sqlite"))
	if err != nil || !so {
		t.Fatalf("so=%v err=%v\n%s", so, err, told.String())
	}
	if n := strings.Count(told.String(), "[ok]"); n < 3*len(scenes) {
		t.Errorf("only %d claims", n)
	}
}

// TestStoryCanFail plays a scene against a gateway that answers something else, so
// that its claims must not hold.
func TestStoryCanFail(t *testing.T) {
	for _, sc := range scenes {
		t.Run(sc.title, func(t *testing.T) {
			s, err := newStage(":memory:", []endwelltest.Step{wire.Refuse(401, "invalid_api_key", "no")})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.close() }()
			r, err := s.play(sc)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range sc.claims(r) {
				if !c.so {
					return
				}
			}
			t.Error("every claim holds although the key was refused")
		})
	}
}

// TestRowIffEmitted looks at the transcript while an answer goes on.
func TestRowIffEmitted(t *testing.T) {
	store, err := OpenStore(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	var seen []string
	look := func(when string) {
		rows, err := store.Rows("a", 0)
		if err != nil {
			t.Fatal(err)
		}
		last := rows[len(rows)-1]
		seen = append(seen, when+": "+last.Role+" "+last.Text+map[bool]string{true: " (incomplete)"}[last.Incomplete])
	}
	answer := func(yield func(endwell.Chunk, error) bool) {
		look("opened")
		if !yield(endwell.Chunk{Kind: endwell.KindMeta}, nil) {
			return
		}
		look("after the role")
		for _, text := range []string{"hel", "lo"} {
			if !yield(endwell.Chunk{Kind: endwell.KindText, Text: text}, nil) {
				return
			}
			look("after a word")
		}
		yield(endwell.Chunk{}, io.EOF)
	}
	a := Agent{Name: "a", Store: store, Next: endwell.NextFunc(
		func(context.Context, *endwell.Request) (endwell.Stream, error) { return endwell.FromSeq(answer), nil })}
	if err := a.Ask(t.Context(), "?"); err != nil {
		t.Fatal(err)
	}
	look("ended")
	want := []string{
		"opened: user ?", "after the role: user ?",
		"after a word: assistant hel (incomplete)", "after a word: assistant hello (incomplete)", "ended: assistant hello",
	}
	if got := strings.Join(seen, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestStoreFails checks that a failing transcript is an error of Ask and leaks no
// stream.
func TestStoreFails(t *testing.T) {
	store, err := OpenStore(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	a := Agent{Name: "a", Store: store, Next: endwell.NextFunc(
		func(context.Context, *endwell.Request) (endwell.Stream, error) {
			return endwell.FromSeq(func(yield func(endwell.Chunk, error) bool) {
				_ = store.Close()
				yield(endwell.Chunk{Kind: endwell.KindText, Text: "hello"}, nil)
			}), nil
		})}
	var e *endwell.Error
	if err := a.Ask(t.Context(), "?"); err == nil || errors.As(err, &e) {
		t.Errorf("got %v", err)
	}
}

// TestToolsRefuse checks what must not run.
func TestToolsRefuse(t *testing.T) {
	tools := Tools{"weather": {Run: weather}}
	for _, tc := range []struct {
		name string
		call endwell.ToolCall
		want string
	}{
		{"a call that was cut off", endwell.ToolCall{Name: "weather", Arguments: `{"city":"Os`, Incomplete: true}, "error: the call was cut off"},
		{"a tool that is not there", endwell.ToolCall{Name: "rm", Arguments: "{}"}, "error: there is no such tool"},
		{"arguments that are no JSON", endwell.ToolCall{Name: "weather", Arguments: "Oslo"}, "error: arguments: "},
		{"nothing wrong", endwell.ToolCall{Name: "weather", Arguments: `{"city":"Oslo"}`}, "rain in Oslo"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tools.Run(t.Context(), tc.call); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %q", got)
			}
		})
	}
}
