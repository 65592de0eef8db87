package dialects

import "slices"

// byName has every dialect of the package. A family adds its own in one line.
var byName = index(
	chatDialects(),
	responsesDialects(),
	anthropicDialects(),
	geminiDialects(),
	interactionsDialects(),
	cohereDialects(),
	ollamaDialects(),
	bedrockDialects(),
	replicateDialects(),
	writerDialects(),
	watsonxDialects(),
)

func index(families ...[]*Dialect) map[string]*Dialect {
	m := map[string]*Dialect{}
	for _, family := range families {
		for _, d := range family {
			m[d.name] = d
		}
	}
	return m
}

// ByName returns the dialect of that name, and whether there is one.
func ByName(name string) (*Dialect, bool) {
	d, ok := byName[name]
	return d, ok
}

// MustByName is ByName for a name that is known to be there: it panics otherwise.
func MustByName(name string) *Dialect {
	d, ok := byName[name]
	if !ok {
		panic("dialects: no dialect named " + name)
	}
	return d
}

// Names returns the names of all dialects, sorted.
func Names() []string {
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
