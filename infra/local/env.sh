# Sourced by the scripts here: where the emulator is, and that nothing but the
# emulator is talked to, whatever account the user is logged in to. State is in
# STATE, .local by default.
PORT=${PORT:-4566}
STACK=sluice
HERE=${STATE:-$PWD/.local}

export AWS_ENDPOINT_URL=http://127.0.0.1:$PORT
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
unset AWS_PROFILE AWS_SESSION_TOKEN

die() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}

# start NAME COMMAND…: a process that outlives this shell, in a session and a
# process group of its own. What it says is in .local/NAME.log.
start() {
	name=$1
	shift
	# As setsid does, which is not everywhere.
	python3 -c 'import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])' "$@" >"$HERE/$name.log" 2>&1 </dev/null &
	echo $! >"$HERE/$name.pid"
}

# members NAME: the ids of the process that was started under this name and of
# all that it started: the functions that MiniStack runs outlive it. An id may be
# somebody else's by now, so that a command line among them has to fit.
members() {
	[ -f "$HERE/$1.pid" ] || return 0
	ps -eo pid=,pgid=,stat=,args= | awk -v of="$(cat "$HERE/$1.pid")" -v name="$1" '
		($1 == of || $2 == of) && $3 !~ /^Z/ { ids = ids " " $1; if (index($0, name)) fits = 1 }
		END { if (fits) print ids }'
}

# running NAME: whether the process that was started under this name is still
# there.
running() {
	pid=$(cat "$HERE/$1.pid" 2>/dev/null) && case " $(members "$1") " in *" $pid "*) ;; *) false ;; esac
}

# within SECONDS COMMAND…: until the command succeeds.
within() {
	left=$(($1 * 5))
	shift
	until "$@"; do
		[ $left -gt 0 ] || return 1
		left=$((left - 1))
		sleep 0.2
	done
}

# quietly NAME COMMAND…: what it says is in .local/NAME.log, and here if it fails.
quietly() {
	name=$1
	shift
	"$@" >"$HERE/$name.log" 2>&1 || { cat "$HERE/$name.log" >&2 && die "$name failed"; }
}

# aws COMMAND…: of the AWS CLI in $bin, whose sqs wants to be told the endpoint.
aws() { "$bin/aws" --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }

# output NAME: an output of the stack.
output() {
	aws cloudformation describe-stacks --stack-name $STACK \
		--query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}
