package mocks_test

import (
	"context"
	"fmt"
	"io"

	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/mocks"
)

// reporter stands in for the *testing.T that a test has.
type reporter struct{}

func (reporter) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (reporter) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// shout is the decorator under test: it adds an exclamation mark to each text.
func shout(next endwell.Next) endwell.Next {
	return endwell.NextFunc(func(ctx context.Context, req *endwell.Request) (endwell.Stream, error) {
		s, err := next.Open(ctx, req)
		if err != nil {
			return nil, err
		}
		return shouting{s}, nil
	})
}

type shouting struct{ endwell.Stream }

func (s shouting) Recv() (endwell.Chunk, error) {
	c, err := s.Stream.Recv()
	if c.Kind == endwell.KindText {
		c.Text += "!"
	}
	return c, err
}

// A decorator is tested on a mocked Next: the test says which calls must come,
// in which order, and what each of them answers.
func Example() {
	ctrl := gomock.NewController(reporter{}) // a test gives its *testing.T
	defer ctrl.Finish()                      // which a *testing.T does by itself

	req := &endwell.Request{Agent: "writer", Model: "small"}
	stream := mocks.NewMockStream(ctrl)
	next := mocks.NewMockNext(ctrl)
	gomock.InOrder(
		next.EXPECT().Open(gomock.Any(), req).Return(stream, nil),
		stream.EXPECT().Recv().Return(endwell.Chunk{Kind: endwell.KindText, Text: "hello"}, nil),
		stream.EXPECT().Recv().Return(endwell.Chunk{}, io.EOF),
		stream.EXPECT().Close(),
	)

	s, _ := shout(next).Open(context.Background(), req)
	transcript, err := endwell.Collect(s)
	fmt.Println(transcript.Text, err)
	// Output: hello! <nil>
}

// The order of a retry is a matter of mocks too: what failed is closed before
// the next attempt opens, and nothing else happens in between.
func ExampleMockNext() {
	ctrl := gomock.NewController(reporter{})
	defer ctrl.Finish()

	broken := &endwell.Error{Fault: endwell.Broken, Category: endwell.Network, Transient: true, Retryable: true}
	first, second := mocks.NewMockStream(ctrl), mocks.NewMockStream(ctrl)
	next := mocks.NewMockNext(ctrl)
	gomock.InOrder(
		next.EXPECT().Open(gomock.Any(), gomock.Any()).Return(first, nil),
		first.EXPECT().Recv().Return(endwell.Chunk{}, broken),
		first.EXPECT().Close(),
		next.EXPECT().Open(gomock.Any(), gomock.Any()).Return(second, nil),
		second.EXPECT().Recv().Return(endwell.Chunk{}, io.EOF),
		second.EXPECT().Close(),
	)

	for range 2 {
		s, _ := next.Open(context.Background(), &endwell.Request{})
		_, err := endwell.Collect(s)
		fmt.Println(err)
	}
	// Output:
	// endwell: broken: network
	// <nil>
}
