package main

// cutOff tells the model about an answer of its own that it cannot know was cut.
const cutOff = "Your answer above was cut off before it was complete. The user has seen it as it stands."

// message is one message of a request in OpenAI's dialect.
type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// prompt makes messages of a transcript. A partial answer stays, with a mark after
// it; its tool calls were not run and are left out.
func prompt(rows []Row) []message {
	var all []message
	for _, r := range rows {
		m := message{Role: r.Role, Content: r.Text, ToolCallID: r.CallID}
		if r.Incomplete {
			if m.Content != "" {
				all = append(all, m)
			}
			all = append(all, message{Role: "system", Content: cutOff})
			continue
		}
		for _, c := range r.Calls {
			m.ToolCalls = append(m.ToolCalls, call{c.ID, "function", function{c.Name, c.Arguments}})
		}
		all = append(all, m)
	}
	return all
}

// offer describes tools to the model.
func offer(tools Tools) []map[string]any {
	var all []map[string]any
	for name, t := range tools {
		all = append(all, map[string]any{"type": "function", "function": map[string]any{
			"name": name, "description": t.Description, "parameters": rawJSON(t.Parameters),
		}})
	}
	return all
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }
