package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/endwell-go/endwell/clock"
)

// conclusion is what the plain client makes of an answer.
type conclusion struct {
	kind kind
	text string
	why  error // for failed
}

// kind is how a call ended, as a client sees it.
type kind uint8

const (
	finished kind = iota + 1
	failed
	waiting // the client's patience ended first
	stopped // the caller ended it
)

var kindNames = [...]string{"outside of the contract", "finished", "failed", "still waiting", "stopped by the caller"}

func (k kind) String() string { return kindNames[k] }

var errPatience = errors.New("the plain client waits no longer")

// plain is what most programs do: it posts, reads line by line, collects
// delta.content until [DONE] or the end of the body, and knows two errors, a status
// other than 200 and a failed read. Unlike most programs it waits for a bounded
// time, counted from the header and from the last piece of text.
func plain(ctx context.Context, clk clock.Clock, url string, c consumer, patience time.Duration) conclusion {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	late := clk.AfterFunc(anyPatience, func() { leave(errPatience) })
	defer late.Stop()

	var text strings.Builder
	err := plainCall(ctx, url, func(delta string, n int) {
		late.Reset(patience)
		text.WriteString(delta)
		c.word(ctx, clk, n, func() { leave(nil) })
	})
	switch {
	case err == nil:
		return conclusion{kind: finished, text: text.String()}
	case errors.Is(context.Cause(ctx), errPatience):
		return conclusion{kind: waiting, text: text.String()}
	default:
		return conclusion{kind: failed, text: text.String(), why: err}
	}
}

// plainCall makes the call. It tells heard of the header, which is number 0 and has
// no text, and of each piece of text.
func plainCall(ctx context.Context, url string, heard func(delta string, n int)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	client := newClient()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return statusError(resp.StatusCode)
	}
	heard("", 0)
	return plainRead(resp.Body, heard)
}

func plainRead(body io.Reader, heard func(delta string, n int)) error {
	in := bufio.NewReader(body)
	for n := 0; ; {
		line, err := in.ReadString('\n')
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if ok && data == "[DONE]" {
			return nil
		}
		if delta := content(data); ok && delta != "" {
			n++
			heard(delta, n)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// content is the text of a frame; "" when it has none, or cannot be read.
func content(data string) string {
	var frame struct {
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if json.Unmarshal([]byte(data), &frame) != nil || len(frame.Choices) == 0 {
		return ""
	}
	return frame.Choices[0].Delta.Content
}

// statusError is an unsuccessful status.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("HTTP %d", int(s)) }

// reason is the innermost text of an error, without the URL and the addresses
// around it.
func reason(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}
