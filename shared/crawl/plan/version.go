package plan

// Version is the version of sluice.
const Version = "0.1"
