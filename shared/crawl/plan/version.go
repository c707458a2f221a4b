package plan

// Version is that of sluice.
const Version = "0.1"
