package js_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// needs sees to it that there is what the test needs. Under CI it fails without, and
// elsewhere it is skipped.
func needs(t *testing.T) {
	for _, name := range []string{"node", "npm", "nginx", "caddy"} {
		if _, err := exec.LookPath(name); err != nil {
			missing(t, fmt.Sprintf("%s is not installed", name))
		}
	}
	if _, err := os.Stat("node_modules/.package-lock.json"); err == nil {
		return
	}
	if os.Getenv("CI") != "true" {
		missing(t, "the packages are not installed: npm ci in interop/js")
	}
	if out, err := exec.Command("npm", "ci").CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
}

func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}
