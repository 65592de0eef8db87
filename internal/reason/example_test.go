package reason_test

import (
	"fmt"

	"github.com/endwell-go/endwell/internal/reason"
)

var errNoPayload = reason.New("transport", "no_payload", "the request has no payload", "")

func ExampleNew() {
	fmt.Println(errNoPayload)
	fmt.Println(errNoPayload.Token(), "|", errNoPayload.Text())
	// Output:
	// transport: the request has no payload
	// no_payload | the request has no payload
}
