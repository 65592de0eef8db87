package token_test

import (
	"fmt"

	"github.com/endwell-go/endwell/internal/token"
)

func ExampleShape() {
	fmt.Println(token.Shape("rate_limit_exceeded"), token.Shape("sk-test-not-a-real-key"), token.Shape("You have no credit"))
	// Output: true false false
}
