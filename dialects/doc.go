// Package dialects turns the bytes of a model provider's answer into chunks.
//
// A Dialect is a framing (how bytes become frames), a wire family (how frames
// become chunks) and what is special about one system. It has no timers, no
// retries and no categories: it says what is on the wire, and how complete the
// answer is, in Chunk.End. ByName finds a dialect, Detect guesses it from the
// first bytes, Chat makes one for a system that is not listed.
//
//	stream := dialects.MustByName("openai").Stream(resp.Body, dialects.Options{})
//
// What a frame says of a failure becomes an *endwell.Evidence, as the error of
// Recv. Everything that does not clearly report a failure is let through.
//
// # Where a rule stands
//
// sse.go has the framing, chat.go the frames of the OpenAI family, chatmessage.go
// and chatcalls.go what a delta holds, finish.go the finish words, findings.go
// what counts as an error inside a frame, envelope.go what an error document says,
// variants.go the systems by name, detect.go how they are recognised. A system
// that speaks the chat wire is a row in variants.go.
package dialects
