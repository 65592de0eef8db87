package perf

// fields are what is taken out of a frame of a wire: its text, and up to two more
// members that a reader of the wire looks at.
type fields struct {
	tree  node     // for those that walk
	paths []string // for gjson, the text's first
	// decode decodes into a struct of the fields and returns the text.
	decode func(unmarshal func([]byte, any) error, doc []byte) (string, error)
}

// node is a member that is wanted, or on the way to one. Arrays are passed through.
type node struct {
	name string
	slot int // of a member that is wanted
	sub  []node
}

func (n *node) named(key []byte) *node {
	for i := range n.sub {
		if string(key) == n.sub[i].name {
			return &n.sub[i]
		}
	}
	return nil
}

var chatFields = fields{
	tree: node{sub: []node{
		{name: "model", slot: 1},
		{name: "choices", sub: []node{
			{name: "delta", sub: []node{{name: "content"}}},
			{name: "finish_reason", slot: 2},
		}},
	}},
	paths: []string{"choices.0.delta.content", "model", "choices.0.finish_reason"},
	decode: func(unmarshal func([]byte, any) error, doc []byte) (string, error) {
		var v struct {
			Model   string `json:"model"`
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
				Finish string `json:"finish_reason"`
			} `json:"choices"`
		}
		if err := unmarshal(doc, &v); err != nil || len(v.Choices) == 0 {
			return "", err
		}
		return v.Choices[0].Delta.Content, nil
	},
}

var responsesFields = fields{
	tree:  node{sub: []node{{name: "type", slot: 1}, {name: "item_id", slot: 2}, {name: "delta"}}},
	paths: []string{"delta", "type", "item_id"},
	decode: func(unmarshal func([]byte, any) error, doc []byte) (string, error) {
		var v struct {
			Type  string `json:"type"`
			Item  string `json:"item_id"`
			Delta string `json:"delta"`
		}
		err := unmarshal(doc, &v)
		return v.Delta, err
	},
}

var anthropicFields = fields{
	tree: node{sub: []node{
		{name: "type", slot: 1},
		{name: "delta", sub: []node{{name: "type", slot: 2}, {name: "text"}}},
	}},
	paths: []string{"delta.text", "type", "delta.type"},
	decode: func(unmarshal func([]byte, any) error, doc []byte) (string, error) {
		var v struct {
			Type  string `json:"type"`
			Delta struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"delta"`
		}
		err := unmarshal(doc, &v)
		return v.Delta.Text, err
	},
}

var geminiFields = fields{
	tree: node{sub: []node{
		{name: "modelVersion", slot: 1},
		{name: "candidates", sub: []node{
			{name: "content", sub: []node{{name: "parts", sub: []node{{name: "text"}}}}},
			{name: "finishReason", slot: 2},
		}},
	}},
	paths: []string{"candidates.0.content.parts.0.text", "modelVersion", "candidates.0.finishReason"},
	decode: func(unmarshal func([]byte, any) error, doc []byte) (string, error) {
		var v struct {
			Model      string `json:"modelVersion"`
			Candidates []struct {
				Content struct {
					Parts []struct {
						Text string `json:"text"`
					} `json:"parts"`
				} `json:"content"`
				Finish string `json:"finishReason"`
			} `json:"candidates"`
		}
		if err := unmarshal(doc, &v); err != nil || len(v.Candidates) == 0 || len(v.Candidates[0].Content.Parts) == 0 {
			return "", err
		}
		return v.Candidates[0].Content.Parts[0].Text, nil
	},
}

var converseFields = fields{
	tree: node{sub: []node{
		{name: "delta", sub: []node{{name: "text"}}},
		{name: "stopReason", slot: 1},
		{name: "p", slot: 2},
	}},
	paths: []string{"delta.text", "stopReason", "p"},
	decode: func(unmarshal func([]byte, any) error, doc []byte) (string, error) {
		var v struct {
			Delta struct {
				Text string `json:"text"`
			} `json:"delta"`
			Stop string `json:"stopReason"`
			Pad  string `json:"p"`
		}
		err := unmarshal(doc, &v)
		return v.Delta.Text, err
	},
}
