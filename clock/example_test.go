package clock_test

import (
	"fmt"
	"time"

	"github.com/endwell-go/endwell/clock"
)

func ExampleFake() {
	var c clock.Fake
	c.AfterFunc(5*time.Minute, func() { fmt.Println("stalled at", c.Now().Format(time.TimeOnly)) })

	c.Advance(5*time.Minute - 1)
	fmt.Println("pending:", c.Pending())
	c.Advance(1)
	fmt.Println("pending:", c.Pending())
	// Output:
	// pending: 1
	// stalled at 00:05:00
	// pending: 0
}

func ExampleFake_Advance() {
	var c clock.Fake
	var beat clock.Timer
	beat = c.AfterFunc(time.Second, func() {
		fmt.Println(c.Now().Sub(clock.Epoch))
		beat.Reset(time.Second)
	})
	c.Advance(3 * time.Second)
	beat.Stop()
	// Output:
	// 1s
	// 2s
	// 3s
}

func ExampleFake_Hold() {
	var c clock.Fake
	t := c.AfterFunc(time.Second, func() { fmt.Println("late, at", c.Now().Sub(clock.Epoch)) })

	c.Hold()
	c.Advance(time.Second)
	fmt.Println("stopped:", t.Stop())
	c.Advance(time.Minute)
	c.Release()
	// Output:
	// stopped: false
	// late, at 1m1s
}

func ExampleFake_Next() {
	var c clock.Fake
	c.AfterFunc(time.Hour, func() { fmt.Println("an hour in no time") })
	for {
		due, ok := c.Next()
		if !ok {
			return
		}
		c.AdvanceTo(due)
	}
	// Output:
	// an hour in no time
}

func ExampleSystem() {
	done := make(chan struct{})
	clock.System.AfterFunc(0, func() { close(done) })
	<-done
	fmt.Println("called back")
	// Output:
	// called back
}
