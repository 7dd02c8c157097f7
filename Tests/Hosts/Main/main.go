// What goes on after open() in go.go: the app's statements, and what Go does with signals.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"sync"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Go reports a nil pointer through its handler of SIGSEGV.
func isCaught() (caught bool) {
	defer func() { caught = recover() != nil }()
	var nothing *[]int
	return len(*nothing) < 0
}

// A stack that must be moved as it grows.
func deep(n int) int {
	var room [64]int
	room[n%64] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + room[n%64] - n
}

func main() {
	app, outcome, err := open(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	must(err)
	app.SetMaxOpenConns(1)
	fmt.Println(outcome)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		rows, err := app.Query(lines.Text())
		must(err)
		for rows.Next() {
			var value string
			must(rows.Scan(&value))
			fmt.Println(value)
		}
		must(rows.Err())
		rows.Close()
	}
	for range [50]int{} {
		runtime.GC()
	}
	var all sync.WaitGroup
	wrong := make(chan int, 100)
	for range [100]int{} {
		all.Add(1)
		go func() {
			defer all.Done()
			// It is stopped by SIGURG, as it has no call to stop at.
			for sum, i := 0, 0; i < 20_000_000; i++ {
				sum += i
			}
			if !isCaught() || deep(10_000) != 0 {
				wrong <- 1
			}
		}()
	}
	all.Wait()
	if len(wrong) == 0 {
		fmt.Println("well")
	}
}
