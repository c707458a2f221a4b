# Sourced by the scripts beside it, which begin their steps with `step NAME`; their
# last line, `seconds`, says how long each took.
names=() starts=()

step() {
	names+=("$*") starts+=("$SECONDS")
	printf '\n== %s (at %d s)\n' "$*" "$SECONDS"
}

seconds() {
	printf '\n== seconds by step\n'
	local i
	starts+=("$SECONDS")
	for i in "${!names[@]}"; do
		printf '%6d  %s\n' $((starts[i + 1] - starts[i])) "${names[i]}"
	done
	unset 'starts[-1]'
}
