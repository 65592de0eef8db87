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
//	reader.go        fills the buffer, delivers chunks, judges the end of the body
//	sse.go           framing: Server-Sent Events
//	ndjson.go        framing: a JSON document a line
//	jsonarray.go     framing: one JSON array in pieces
//	awsevent.go      framing: AWS event stream
//
//	chat*.go         OpenAI chat and all that imitates it, completions included;
//	                 variants.go lists the systems by name
//	responses*.go    OpenAI responses
//	anthropic*.go    Anthropic messages
//	gemini*.go       Google streamGenerateContent
//	interactions*.go Google Interactions
//	cohere*.go       Cohere v2; coherev1*.go v1
//	ollama.go        Ollama's own API
//	converse*.go     Bedrock ConverseStream
//	invoke*.go       Bedrock InvokeModelWithResponseStream
//	replicate.go, writer.go, watsonx.go
//
//	finish.go        finish words of the chat family and their classes
//	findings.go      what counts as an error inside a frame
//	envelope.go      what an error document says
//	usage.go         token counts
//	detect.go        how a family and a system are recognised; detecthost.go hosts
//
//	write*.go        what the systems write of an error, for gateways
//
// The table of all systems, with what proves that an answer is whole, is printed by
// the command endwell dialects.
//
// # Errors that are written
//
// A gateway reports an *endwell.Error to its own clients with ErrorFrame inside of a
// stream, with ErrorFrameAfter where the stream may not be at the end of a frame, and
// with WriteError or ErrorBody before it:
//
//	openai := dialects.MustByName("openai")
//	openai.WriteError(w, err)            // nothing has been sent
//	w.Write(openai.ErrorFrame(err))      // a part of the answer has
//	panic(http.ErrAbortHandler)
//
// The words are the system's own for the category, so that its SDKs make their own
// errors of it, and what this package reads of them is the category that was written,
// with these exceptions. Network and Unclassified have no word and become
// ServerError. Inside of a stream an exception to what a category says of Transient is
// lost, since only a header could tell, except that of ServerError; and so is
// RequestInvalid for vLLM and its kin, whose word for it means anything. Workers AI's
// bodies have numbers for some of the categories only. A wait inside of a stream has
// a place in Gemini, responses and OpenRouter; the message of a rate limit tells it
// too.
//
// A stream of events has the HTTP status as status_code where the system has no place
// for it; Cohere, Ollama and Replicate have a code, of which their own errors have
// none. Clients pass both by.
//
// # To add a system
//
// One that speaks the chat wire, in a program: a call of [Chat], whose result is given to
// transport.Config, transport.WrapConfig or [Dialect.Stream] as it is; [ByName] and the
// command know the names of this package only. In this package it is a row in
// variants.go.
//
// Another wire takes four steps:
//
//  1. A file of its own with a parser over one of the framings: the fields of its frames,
//     its finish words, its faults, its Facts. What a parser needs only while it reads a
//     frame is lent to it (scratch.go). A frame that differs from the last one in its
//     text only is not parsed at all (template.go), to which a parser gives leave by
//     beginning with the reader's begin.
//  2. Its name and family in registry.go.
//  3. A function that recognises one of its frames, in detect.go.
//  4. Tests: the terminal and every fault by name, what must not be taken for a fault, a
//     whole answer in answers_test.go, which is then cut at every byte and mutated, and a
//     row of fuzz_test.go.
//
// Facts of the wire are cited where they are used, by a public source or by a page of the
// project's docs/wire: wire/openai-family.md §1 is in docs/wire/openai-family.md.
package dialects
