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
// A [Wire] writes the frames of a provider's dialect, complete enough for the
// provider's own SDKs. An [Ending] is a script that has a name and works on every wire;
// [Named] serves all of them by URL, as the command endwell gateway does:
//
//	g := endwelltest.NewGateway(endwelltest.Named(endwelltest.NamedConfig{}))
//	baseURL := g.URL + "/stalled/v1"
//
// [TestNext] holds anybody's endwell.Next against the contract of endwell.Stream,
// [TestMiddleware] anybody's decorator, and [Replay] plays a recorded answer.
//
// The package needs no package testing: [T] is the part of it that is asked for.
package endwelltest
