package dialects

// Options say how a body is read. The zero value is the default.
type Options struct {
	// MaxFrame is the size in bytes above which a frame is refused as
	// endwell.TooLarge, instead of exhausting memory; 0 means 32 MiB. So is a frame
	// that says more than 65,536 things, and an answer of which more than that size has
	// to be kept until it ends. A stream takes at most five times as much memory.
	MaxFrame int
	// NoText leaves Text and Detail of text, reasoning and refusal chunks empty,
	// which spares the allocation. Kind says all the same what arrived.
	NoText bool
	// LastUsage leaves out the usage records of frames that are the last one again with
	// other text and other counts, which spares the allocation. Each record stands for the
	// answer so far; a wire that counts in every frame does so in the one that ends the
	// answer, and that one is never left out.
	LastUsage bool
	// NoTemplates parses every frame, also those that are the last one again with
	// other text or arguments, which are told by comparing otherwise. It changes no result, and is
	// there for tests and measurements that say so.
	NoTemplates bool
	// Lenient takes a body in which nothing is of any wire that is known for whole, as
	// other output: one JSON document, text, or a stream whose frames no family claims.
	// It is for a response that may be no model's answer at all. By default such a body is
	// one that ended too early, or cannot be read.
	Lenient bool
	// Guess is what Detecting reads a body as that does not tell its dialect; nil stands
	// for what its host speaks, or else for the tolerant base. A guess of the chat family
	// also names a body that tells no more than that it is chat. A named dialect's Stream
	// ignores it.
	Guess *Dialect
	// Header is the response's header, for the request id in evidence; nil is
	// fine.
	Header map[string][]string

	dialect *Dialect
}

func (o *Options) maxFrame() int {
	if o.MaxFrame > 0 {
		return o.MaxFrame
	}
	return maxFrame
}
