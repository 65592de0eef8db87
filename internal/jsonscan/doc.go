// Package jsonscan looks into JSON text without building values from it.
//
// Cursor is a strict pull cursor over one document that is in memory: it
// checks the whole grammar in a single pass and hands out spans of the
// document, so that looking at a frame allocates nothing. It accepts what
// encoding/json accepts as one value (RFC 8259, nesting up to 10,000), and it
// tells a document that was cut from one that no continuation could repair. The
// module in interop holds it against jsontext, too.
//
// Balance is a tolerant scanner of text that arrives in pieces: it only counts
// brackets and knows strings, which is enough to say whether the text ends
// before its JSON does.
package jsonscan
