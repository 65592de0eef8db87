package js_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// nginxConf has two servers: one as it is usually set up for streams, and one without
// any setting, which asks over HTTP/1.0 and holds back what comes.
const nginxConf = `
daemon off; master_process off; pid nginx.pid; error_log stderr crit;
events { worker_connections 4096; }
http {
	access_log off;
	client_body_temp_path body; proxy_temp_path proxied;
	fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	server {
		listen LISTEN;
		proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off;
		location / { proxy_pass GATEWAY; }
		location /down/ { proxy_pass NOBODY; }
	}
	server {
		listen PLAIN;
		location / { proxy_pass GATEWAY; }
		location /down/ { proxy_pass NOBODY; }
	}
}
`

// newNginx starts nginx and returns the URLs of its servers.
func newNginx(t *testing.T, gateway, nobody string) (set, plain string) {
	var a, b string
	serve(t, func(dir string) (*exec.Cmd, []string) {
		a, b = unused(t), unused(t)
		conf := write(t, dir, "nginx.conf", nginxConf, "LISTEN", a, "PLAIN", b, "GATEWAY", gateway, "NOBODY", nobody)
		return exec.Command("nginx", "-p", dir, "-c", conf, "-e", "stderr"), []string{a, b}
	})
	return "http://" + a, "http://" + b
}

const caddyfile = `
{
	admin off
	auto_https off
}
http://LISTEN {
	handle /down/* {
		reverse_proxy NOBODY
	}
	handle {
		reverse_proxy GATEWAY {
			flush_interval -1
		}
	}
}
`

// newCaddy starts Caddy and returns its URL.
func newCaddy(t *testing.T, gateway, nobody string) string {
	var a string
	serve(t, func(dir string) (*exec.Cmd, []string) {
		a = unused(t)
		conf := write(t, dir, "Caddyfile", caddyfile, "LISTEN", a, "GATEWAY", gateway, "NOBODY", nobody)
		cmd := exec.Command("caddy", "run", "--config", conf, "--adapter", "caddyfile")
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		return cmd, []string{a}
	})
	return "http://" + a
}

func write(t *testing.T, dir, name, text string, replace ...string) string {
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte(strings.NewReplacer(replace...).Replace(text)), 0o600))
	return file
}

// serve starts a server, and waits until it listens. Somebody else may have taken the
// address in the meantime: then it is tried again.
func serve(t *testing.T, command func(dir string) (cmd *exec.Cmd, addrs []string)) {
	var out bytes.Buffer
	for range 3 {
		cmd, addrs := command(t.TempDir())
		out.Reset()
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		over := make(chan struct{})
		go func() { _ = cmd.Wait(); close(over) }()
		if listens(addrs, over) {
			t.Cleanup(func() { stop(t, cmd, func() { <-over }) })
			return
		}
		_ = cmd.Process.Kill()
		<-over
	}
	require.Fail(t, "the server does not start", "%s", &out)
}

// listens waits until somebody listens at all addresses, or the server is over.
func listens(addrs []string, over <-chan struct{}) bool {
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	late := time.After(2 * time.Minute)
	for len(addrs) > 0 {
		if c, err := net.Dial("tcp", addrs[0]); err == nil {
			_ = c.Close()
			addrs = addrs[1:]
			continue
		}
		select {
		case <-again.C:
		case <-over:
			return false
		case <-late:
			return false
		}
	}
	return true
}

// stop asks a process to end, and ends it if it does not. Wait returns when its output
// has been read.
func stop(t *testing.T, cmd *exec.Cmd, wait func()) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	wait()
	late.Stop()
	if cmd.ProcessState == nil {
		_ = cmd.Wait()
	}
}
