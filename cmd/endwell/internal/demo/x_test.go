package demo
import ("testing";"os";"context")
func TestX(t *testing.T){ t.Log(Run(context.Background(), os.Stdout, os.Stderr, nil)) }
