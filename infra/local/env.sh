# Sourced by up and down: where the emulator is, and that nothing but the
# emulator is talked to, whatever account the user is logged in to.
PORT=${PORT:-4566}
STACK=sluice
HERE=$PWD/.local

export AWS_ENDPOINT_URL=http://127.0.0.1:$PORT
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
unset AWS_PROFILE AWS_SESSION_TOKEN

die() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}

# running: whether the emulator that up started is still there. A process id
# may be somebody else's by now, so its command line has to fit.
running() {
	pid=$(cat "$HERE/ministack.pid" 2>/dev/null) && ps -o args= -p "$pid" 2>/dev/null | grep -q ministack
}
