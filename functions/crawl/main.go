// The crawl function works on host tasks.
package main

import (
	"context"
	"os"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/aws/hosttasks"
)

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	hosttasks.Start(parts, log, hosttasks.Options{TaskShare: 55.0 / 180, SpareShare: 30.0 / 180})
}
