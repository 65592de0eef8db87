// Package cli is what the commands have in common: how they read their flags, and in
// which words they say what is wrong.
package cli
