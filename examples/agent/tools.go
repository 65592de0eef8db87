package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/endwell-go/endwell"
)

// Tool is what a model may call.
type Tool struct {
	Description string
	Parameters  string // JSON schema
	Run         func(ctx context.Context, arguments string) (string, error)
}

// Tools is the tool layer: it stands above the chain, and sees calls only when their
// stream has ended whole.
type Tools map[string]Tool

// Run runs a call. Whatever goes wrong is told to the model.
func (t Tools) Run(ctx context.Context, call endwell.ToolCall) string {
	tool, ok := t[call.Name]
	switch {
	case call.Incomplete: // at a token limit: half of a call must not run
		return "error: the call was cut off"
	case !ok:
		return "error: there is no such tool"
	}
	result, err := tool.Run(ctx, call.Arguments)
	if err != nil {
		return "error: " + err.Error()
	}
	return result
}

// weather is the only tool of this example.
func weather(_ context.Context, arguments string) (string, error) {
	var a struct{ City string }
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return "", fmt.Errorf("arguments: %w", err)
	}
	return "rain in " + a.City, nil
}
