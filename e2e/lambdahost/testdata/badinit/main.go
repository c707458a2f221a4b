// Command badinit is a function that exits before it requests an event, with or
// without reporting why, depending on its environment.
package main

import (
	"net/http"
	"os"
	"strings"
)

func main() {
	if report := os.Getenv("REPORT"); report != "" {
		url := "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/init/error"
		resp, err := http.Post(url, "application/json", strings.NewReader(report))
		if err != nil || resp.StatusCode != http.StatusAccepted {
			os.Exit(3)
		}
		select {} // Lambda ends it
	}
	os.Exit(2)
}
