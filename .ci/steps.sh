# Sourced by the scripts beside it. `step NAME` begins a step; `seconds`, the last
# line of a script, prints how long each took. `beside NAME COMMAND…` runs a command
# beside the steps that follow; `join NAME` waits for it, prints its output, and
# ends the script if it failed. A script that has such commands calls `abandon` as
# it exits.
steps=() took=() step='' begun=0
declare -A beside=() # process groups
logs=

step() {
	ended
	step=$* begun=$SECONDS
	printf '\n== %s (at %d s)\n' "$*" "$SECONDS"
}

ended() {
	[[ ! $step ]] || steps+=("$step") took+=($((SECONDS - begun)))
	step=
}

beside() {
	local name=$1
	shift
	logs=${logs:-$(mktemp -d)}
	printf '\n== beside what follows: %s (at %d s)\n' "$name" "$SECONDS"
	set -m # in a process group of its own, so that all of it can be ended
	(
		SECONDS=0
		trap 'echo "$SECONDS" >"$logs/$name.seconds"' EXIT
		"$@"
	) >"$logs/$name" 2>&1 </dev/null &
	set +m
	beside[$name]=$!
}

join() {
	local code=0
	step "$1: wait for it"
	wait "${beside[$1]}" || code=$?
	unset "beside[$1]"
	cat "$logs/$1"
	steps+=("$1, beside others") took+=("$(cat "$logs/$1.seconds" || echo 0)")
	[[ $code == 0 ]] || { printf '%s failed\n' "$1" >&2; exit "$code"; }
}

# abandon ends the commands that were not waited for.
abandon() {
	local pid
	for pid in "${beside[@]}"; do
		if kill -- "-$pid"; then
			wait "$pid" || continue
		fi
	done 2>/dev/null
	local name
	for name in "${!beside[@]}"; do
		printf '\n== the end of what %s printed, which was not waited for\n' "$name"
		tail -n 40 "$logs/$name"
	done
	[[ ! $logs ]] || rm -rf "$logs"
}

seconds() {
	ended
	[[ ${#beside[@]} == 0 ]] || { printf 'not waited for: %s\n' "${!beside[*]}" >&2; return 1; }
	printf '\n== seconds by step\n'
	local i
	for i in "${!steps[@]}"; do
		printf '%6d  %s\n' "${took[i]}" "${steps[i]}"
	done
}
