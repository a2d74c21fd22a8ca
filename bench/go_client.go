// An HTTP client and server on loopback, for bench/traced_programs.py. The client makes COUNT
// requests over 8 connections that stay open, and prints how many it makes in a second.
//
// Usage: go_client serve PORT_FILE | go_client get PORT COUNT
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const workers = 8

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(portFile string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	check(os.WriteFile(portFile+".new", []byte(port), 0o600))
	check(os.Rename(portFile+".new", portFile))
	check(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "hello")
	})))
}

func get(port string, count int64) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
	var left atomic.Int64
	left.Store(count)
	var all sync.WaitGroup
	begin := time.Now()
	for i := 0; i < workers; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for left.Add(-1) >= 0 {
				answer, err := client.Get("http://127.0.0.1:" + port + "/")
				check(err)
				_, err = io.Copy(io.Discard, answer.Body)
				check(err)
				check(answer.Body.Close())
			}
		}()
	}
	all.Wait()
	fmt.Println(float64(count) / time.Since(begin).Seconds())
}

func main() {
	if os.Args[1] == "serve" {
		serve(os.Args[2])
		return
	}
	count, err := strconv.ParseInt(os.Args[3], 10, 64)
	check(err)
	get(os.Args[2], count)
}
