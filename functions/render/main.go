// The render function works on host tasks as the crawl function does, for pages that need
// a browser: it runs in an image that has one.
package main

import (
	"context"
	"os"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/aws/hosttasks"
	"sluice/shared/crawl/browse"
)

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	browsers := &browse.Browsers{Path: os.Getenv("SLUICE_BROWSER"), MaxHTML: hosttasks.MaxPage}
	if err := browsers.Check(); err != nil {
		awslambda.Fail(log, err)
	}
	// A page may take longer than by crawl.
	hosttasks.Start(parts, log, hosttasks.Options{TaskShare: 40.0 / 180, SpareShare: 45.0 / 180, Browse: browsers.Browse})
}
