// Package endwelltest tests programs and stacks against bad endings, as httptest
// tests them against HTTP.
//
// A [Gateway] is a provider on loopback that ends its answers as a script says:
//
//	g := endwelltest.NewGateway(
//		endwelltest.Script(endwelltest.OpenAI.Begin(), endwelltest.OpenAI.Text("hel"), endwelltest.Reset()),
//		endwelltest.OpenAI.Answer("hello"),
//	)
//	defer g.Close()
//
// [TestNext] holds anybody's endwell.Next against the contract of endwell.Stream,
// [TestMiddleware] anybody's decorator, and [Replay] plays a recorded answer.
//
// The package needs no package testing: [T] is the part of it that is asked for.
package endwelltest
