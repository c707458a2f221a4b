// Package lambdahost runs the bootstrap binaries of functions as AWS Lambda
// runs them, and feeds them from SQS as an event source mapping does. It is a
// tool of tests: nothing that ships imports it.
//
// A [Function] is a binary with its settings. Each of its execution
// environments is a process with a Runtime API of its own, started when an
// invocation finds none idle, stopped (SIGSTOP) between invocations, killed at
// the timeout, and abandoned when its process ends. A [Pump] takes messages
// from queues, invokes the function with batches of them, and deletes those
// that the function did not report as failed; it can duplicate, reorder and
// lose on purpose what may be duplicated, reordered and lost on AWS.
//
// What differs from the service: the CPU is not shared out by memory; memory
// is limited only in a cgroup that the caller provides; the file system is
// that of the machine; one that failed to initialise is not tried a second
// time within the same invocation; the pump does not scale its concurrency up
// and down, it starts with what it may have.
//
// Linux only: elsewhere the package is empty.
package lambdahost
