package endwell_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/endwell-go/endwell"

// The third-party packages that may be imported, and by whom the table says.
const (
	backoffPath = "github.com/cenkalti/backoff/v4"
	ratePath    = "golang.org/x/time/rate"
	gomockPath  = "go.uber.org/mock/gomock"
	metricsPath = "github.com/VictoriaMetrics/metrics"
)

// importTable says which packages a package may import besides the standard
// library: names are relative to the module, the root is ".", and a name that ends
// in "/..." stands for everything below. What lies below a package's own internal
// folder shares its row. A package without a row may not exist; a row without a
// package is one that is still to come.
var importTable = map[string][]string{
	".":            {"internal/token", "internal/jsonscan", "internal/reason", "internal/errtree"},
	"internal/...": {},
	"clock":        {},
	"classify":     {".", "internal/..."},
	"dialects":     {".", "internal/..."},
	"retry":        {".", "clock", "internal/token", backoffPath, ratePath},
	"middleware":   {".", "clock", "classify", "retry", "internal/..."},
	"transport":    {".", "clock", "classify", "dialects", "retry", "middleware", "internal/..."},
	"tape":         {".", "clock", "internal/errtree"},
	"endwelltest":  {".", "clock", "classify", "dialects", "retry", "middleware", "transport", "tape", "internal/..."},
	"endwelltest/soak": {
		".", "clock", "classify", "dialects", "retry", "middleware", "transport", "tape", "endwelltest", "internal/...",
	},
	"mocks": {".", "clock", "retry", gomockPath},
	"cmd/endwell": {
		".", "clock", "classify", "dialects", "retry", "middleware", "transport", "tape", "endwelltest",
		"internal/...", metricsPath,
	},
}

// runtimeModules are the modules that a program which uses endwell gets along with
// it. Only mocks, which are for tests, may bring in more, and the command, which nobody
// imports, what its metrics need.
var (
	runtimeModules = []string{modulePath, "github.com/cenkalti/backoff/v4", "golang.org/x/time"}
	commandModules = []string{metricsPath, "github.com/valyala/fastrand", "github.com/valyala/histogram", "golang.org/x/sys"}
)

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	Module     *struct{ Path string }
}

func (p listed) name() string { return relative(p.ImportPath) }

func relative(path string) string {
	if path == modulePath {
		return "."
	}
	return strings.TrimPrefix(path, modulePath+"/")
}

func TestImports(t *testing.T) {
	watch(t)
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) {
			packages := list(t, goos)
			require.Contains(t, packages, modulePath)
			require.Contains(t, packages, modulePath+"/retry")
			require.Empty(t, violations(packages, importTable))
		})
	}
}

// list asks for the module's packages and all they depend on, tests left out.
func list(t *testing.T, goos string) map[string]listed {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps,Module", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())

	packages := map[string]listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages[p.ImportPath] = p
	}
}

// watch looks at every source file, since go test takes what a test looks at for
// its inputs: without it a cached result would outlive a new import.
func watch(t *testing.T) {
	seen := 0
	_ = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case filepath.Ext(path) == ".go":
			_, _ = os.Stat(path)
			seen++
		}
		return nil
	})
	require.NotZero(t, seen)
}

// violations returns what breaks the table, one line each, sorted.
func violations(packages map[string]listed, table map[string][]string) []string {
	var bad []string
	for _, p := range packages {
		if p.Module == nil || p.Module.Path != modulePath {
			continue
		}
		allowed, ok := row(table, p.name())
		if !ok {
			bad = append(bad, p.name()+" has no row in the table")
			continue
		}
		for _, imported := range p.Imports {
			if !permitted(packages, allowed, imported) && !own(p.name(), relative(imported)) {
				bad = append(bad, p.name()+" imports "+relative(imported))
			}
		}
		bad = append(bad, heavy(packages, p)...)
	}
	slices.Sort(bad)
	return bad
}

// heavy names the modules that p brings in although it is no package for tests.
func heavy(packages map[string]listed, p listed) (bad []string) {
	if p.name() == "mocks" {
		return nil
	}
	for _, dep := range p.Deps {
		m := packages[dep].Module
		if m != nil && !slices.Contains(runtimeModules, m.Path) && (owner(p.name()) != "cmd/endwell" || !slices.Contains(commandModules, m.Path)) {
			bad = append(bad, p.name()+" depends on module "+m.Path)
		}
	}
	return bad
}

func row(table map[string][]string, name string) ([]string, bool) {
	if allowed, ok := table[owner(name)]; ok {
		return allowed, true
	}
	for pattern, allowed := range table {
		if below(pattern, name) {
			return allowed, true
		}
	}
	return nil, false
}

func permitted(packages map[string]listed, allowed []string, imported string) bool {
	if packages[imported].Standard || imported == "C" || imported == "unsafe" {
		return imported != "C"
	}
	name := relative(imported)
	return slices.ContainsFunc(allowed, func(a string) bool { return a == name || below(a, name) })
}

// owner returns the package whose internal folder holds name, or name itself.
func owner(name string) string {
	o, _, _ := strings.Cut(name, "/internal/")
	return o
}

// own reports whether imported lies in the internal folder that name is the owner
// of, or lies in too.
func own(name, imported string) bool {
	return imported != owner(imported) && owner(imported) == owner(name)
}

// below reports whether the pattern ends in "/..." and name lies below it.
func below(pattern, name string) bool {
	prefix, wild := strings.CutSuffix(pattern, "...")
	return wild && strings.HasPrefix(name, prefix)
}

func TestImportTableDetects(t *testing.T) {
	ours := &struct{ Path string }{modulePath}
	theirs := &struct{ Path string }{"example.com/heavy"}
	for _, tc := range []struct {
		name string
		pkg  listed
		want []string
	}{
		{"nothing", listed{ImportPath: modulePath + "/clock", Imports: []string{"time"}}, nil},
		{"a package without a row", listed{ImportPath: modulePath + "/surprise"}, []string{"surprise has no row in the table"}},
		{"the root imports a package above it", listed{ImportPath: modulePath, Imports: []string{modulePath + "/retry"}}, []string{". imports retry"}},
		{"a sibling that is not in the row", listed{ImportPath: modulePath + "/tape", Imports: []string{modulePath + "/retry"}}, []string{"tape imports retry"}},
		{"what the row allows", listed{ImportPath: modulePath + "/retry", Imports: []string{modulePath, modulePath + "/clock", ratePath, "time"}}, nil},
		{"an internal package, by pattern", listed{ImportPath: modulePath + "/classify", Imports: []string{modulePath + "/internal/token"}}, nil},
		{"an internal package that reaches up", listed{ImportPath: modulePath + "/internal/token", Imports: []string{modulePath}}, []string{"internal/token imports ."}},
		{"an internal package of its own", listed{ImportPath: modulePath + "/tape", Imports: []string{modulePath + "/tape/internal/x"}}, nil},
		{"an internal package of its own that reaches too far", listed{ImportPath: modulePath + "/tape/internal/x", Imports: []string{modulePath + "/retry"}}, []string{"tape/internal/x imports retry"}},
		{"a third party in the wrong place", listed{ImportPath: modulePath + "/middleware", Imports: []string{ratePath}}, []string{"middleware imports " + ratePath}},
		{"a third party below", listed{ImportPath: modulePath + "/transport", Deps: []string{"example.com/heavy/x"}}, []string{"transport depends on module example.com/heavy"}},
		{"a third party below the mocks", listed{ImportPath: modulePath + "/mocks", Deps: []string{"example.com/heavy/x"}}, nil},
		{"metrics below the command", listed{ImportPath: modulePath + "/cmd/endwell/internal/proxy", Deps: []string{metricsPath}}, nil},
		{"metrics below the library", listed{ImportPath: modulePath + "/transport", Deps: []string{metricsPath}}, []string{"transport depends on module " + metricsPath}},
		{"a third party below the command", listed{ImportPath: modulePath + "/cmd/endwell", Deps: []string{"example.com/heavy/x"}}, []string{"cmd/endwell depends on module example.com/heavy"}},
		{"cgo", listed{ImportPath: modulePath + "/clock", Imports: []string{"C"}}, []string{"clock imports C"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.pkg.Module = ours
			packages := map[string]listed{
				"time":                {ImportPath: "time", Standard: true},
				metricsPath:           {ImportPath: metricsPath, Module: &struct{ Path string }{metricsPath}},
				"example.com/heavy/x": {ImportPath: "example.com/heavy/x", Module: theirs},
				tc.pkg.ImportPath:     tc.pkg,
			}
			require.Equal(t, tc.want, violations(packages, importTable))
		})
	}
}
