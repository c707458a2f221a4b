# Sourced by the scripts here: points all AWS clients at the emulator and at
# nothing else, even if the user is logged in to an account. State is in STATE,
# .local by default.
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
# process group of its own. Its output goes to .local/NAME.log.
start() {
	name=$1
	shift
	# As setsid does, which not every system has.
	python3 -c 'import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])' "$@" >"$HERE/$name.log" 2>&1 </dev/null &
	echo $! >"$HERE/$name.pid"
}

# members NAME: the ids of the process started under this name and of all that it
# started: functions outlive MiniStack. Ids may have been reused since, so one of
# the command lines has to match.
members() {
	[ -f "$HERE/$1.pid" ] || return 0
	ps -eo pid=,pgid=,stat=,args= | awk -v of="$(cat "$HERE/$1.pid")" -v name="$1" '
		($1 == of || $2 == of) && $3 !~ /^Z/ { ids = ids " " $1; if (index($0, name)) fits = 1 }
		END { if (fits) print ids }'
}

# running NAME: whether the process started under this name still runs.
running() {
	pid=$(cat "$HERE/$1.pid" 2>/dev/null) && case " $(members "$1") " in *" $pid "*) ;; *) false ;; esac
}

# within SECONDS COMMAND…: repeat until the command succeeds.
within() {
	left=$(($1 * 5))
	shift
	until "$@"; do
		[ $left -gt 0 ] || return 1
		left=$((left - 1))
		sleep 0.2
	done
}

# quietly NAME COMMAND…: output goes to .local/NAME.log, and to stderr if it fails.
quietly() {
	name=$1
	shift
	"$@" >"$HERE/$name.log" 2>&1 || { cat "$HERE/$name.log" >&2 && die "$name failed"; }
}

# emulate: start MiniStack, and wait until it answers.
emulate() {
	start ministack env IOT_MTLS_ENABLED=0 SFTP_ENABLED=0 BIND_HOST=127.0.0.1 GATEWAY_PORT="$PORT" \
		MINISTACK_HOST=127.0.0.1 MINISTACK_ACCOUNT_ID=123456789012 TMPDIR="$HERE/tmp" "$bin/ministack"
	within 20 answers || die "MiniStack did not start: see $HERE/ministack.log"
}

answers() { "$bin/python" infra/local/answers.py "$AWS_ENDPOINT_URL"; }

# aws COMMAND…: run the AWS CLI in $bin; its sqs needs the endpoint as an option.
aws() { "$bin/aws" --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }

# output NAME: an output of the stack.
output() {
	aws cloudformation describe-stacks --stack-name $STACK \
		--query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}
