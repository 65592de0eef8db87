package tape_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/tape"
)

func ExampleRead() {
	t, err := tape.Read(strings.NewReader(`{"tape":1,"dialect":"openai","header":{"Content-Type":"text/event-stream"}}
{"at_ms":0,"data":": ping\n\n","times":600,"every_ms":1000}
{"at_ms":600000,"end":"hang"}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Dialect, t.Status, t.Header.Value("content-type"))
	fmt.Println(len(t.Arrivals), t.Arrivals[0].Times, t.End, t.EndAt)
	// Output:
	// openai 200 text/event-stream
	// 1 600 hang 10m0s
}

func ExampleRead_error() {
	_, err := tape.Read(strings.NewReader("{\"tape\":1}\n{\"at_ms\":-5,\"data\":\"x\"}\n"))
	fmt.Println(err)
	// Output:
	// tape: line 2: at_ms is negative
}

func ExampleTape_WriteTo() {
	t := &tape.Tape{
		Head: tape.Head{Dialect: "ollama"},
		Arrivals: []tape.Arrival{
			{Data: []byte("{}\n")},
			{At: time.Second, Data: []byte{0xff}},
		},
		EndAt: 2 * time.Second,
		End:   tape.EndReset,
	}
	_, _ = t.WriteTo(os.Stdout)
	// Output:
	// {"tape":1,"dialect":"ollama","status":200}
	// {"at_ms":0,"data":"{}\n"}
	// {"at_ms":1000,"base64":"/w=="}
	// {"at_ms":2000,"end":"reset"}
}

// A body that drives its clock plays an hour of pings at once, up to the
// timer that gives up on it.
func ExamplePlay() {
	t := &tape.Tape{
		Arrivals: []tape.Arrival{{Data: []byte(": ping\n\n"), Times: 3600, Every: time.Second}},
		EndAt:    time.Hour,
		End:      tape.EndHang,
	}
	var c clock.Fake
	body := tape.Play(context.Background(), t, tape.Config{Clock: &c, Drive: true})
	c.AfterFunc(5*time.Minute, func() { body.Close() })

	got, err := io.ReadAll(body)
	fmt.Println(len(got), err, c.Now().Sub(clock.Epoch))
	// Output:
	// 2400 tape: the body is closed 5m0s
}

func ExampleRecorder() {
	var c clock.Fake
	body := io.NopCloser(strings.NewReader("data: hello\n\n"))
	rec := tape.NewRecorder(&c, body, tape.Head{Dialect: "openai"})
	c.Advance(20 * time.Millisecond)
	_, _ = io.Copy(io.Discard, rec)
	_, _ = rec.Tape().WriteTo(os.Stdout)
	// Output:
	// {"tape":1,"dialect":"openai","status":200}
	// {"at_ms":20,"data":"data: hello\n\n"}
	// {"at_ms":20,"end":"eof"}
}
