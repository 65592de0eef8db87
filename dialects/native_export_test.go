package dialects

import "slices"

// Native returns the dialect of that name of the families with a wire of their own.
func Native(name string) *Dialect {
	for _, d := range nativeDialects() {
		if d.name == name {
			return d
		}
	}
	panic("no dialect named " + name)
}

func nativeDialects() []*Dialect {
	return slices.Concat(
		cohereDialects(), ollamaDialects(), replicateDialects(), writerDialects(), watsonxDialects(),
	)
}

// NativeSign names the dialect that the first payload of a body is signed with.
func NativeSign(body []byte) string {
	s, f := new(sse), new(frame)
	for rest := body; s.next(rest, true, f); rest = rest[len(f.raw):] {
		for _, sign := range []func(*frame) string{signCohere, signOllama, signReplicate, signWriter, signWatsonx} {
			if name := sign(f); name != "" && (f.kind == frameData || f.kind == frameBare) {
				return name
			}
		}
		if len(rest) > 64<<10 {
			return ""
		}
	}
	return ""
}
