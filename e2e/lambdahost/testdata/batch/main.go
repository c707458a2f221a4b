// Command batch handles SQS events as the bodies of their messages say, and
// prints every record that it gets.
package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

func main() { lambda.Start(handle) }

func handle(e events.SQSEvent) (any, error) {
	var answer events.SQSEventResponse
	silent := false
	for _, r := range e.Records {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		fmt.Printf("%s\n", line)
		verb, _, _ := strings.Cut(r.Body, " ")
		if r.Attributes["ApproximateReceiveCount"] != "1" && strings.HasSuffix(verb, "-once") {
			continue
		}
		switch verb {
		case "fail-once":
			answer.BatchItemFailures = append(answer.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
		case "panic-once":
			panic("as told")
		case "empty-once":
			answer.BatchItemFailures = append(answer.BatchItemFailures, events.SQSBatchItemFailure{})
		case "slow":
			time.Sleep(50 * time.Millisecond)
		case "null":
			silent = true
		}
	}
	if silent {
		return nil, nil
	}
	return answer, nil
}
