// Package clients runs other people's SDKs against a gateway that ends its answers
// badly, as they are and over transport.Wrap, and notes what each of them concludes.
// Command results writes that down in RESULTS.md; the tests hold what is written
// there against what happens.
package clients
