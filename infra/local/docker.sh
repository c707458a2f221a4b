# Sourced by the scripts that need Docker, after env.sh.

# install COMMAND PACKAGE: unless there is such a command, Debian's package that has it.
install() {
	command -v "$1" >/dev/null && return
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null
}

answering() { docker info >/dev/null 2>&1; }

# daemon: have a Docker daemon. As root it installs Debian's and starts it if none runs;
# undaemon ends that one.
started=
daemon() {
	answering && return
	[ "$(id -u)" = 0 ] && install dockerd docker.io || return 1
	mkdir -p "$HERE"
	for driver in overlay2 vfs; do
		dockerd --storage-driver $driver >"$HERE/dockerd.log" 2>&1 &
		started=$!
		within 30 answering && return
		undaemon
	done
	tail -n 5 "$HERE/dockerd.log" >&2
	return 1
}

undaemon() {
	[ "$started" ] || return 0
	kill "$started" 2>/dev/null && wait "$started" || : # as intended
	started=
}

# base IMAGE: print the name of this image, after pulling it; where no registry can be
# reached, that of a Debian made of packages.
base() {
	if docker image inspect "$1" >/dev/null 2>&1 || docker pull --quiet "$1" >/dev/null 2>&1; then
		echo "$1"
		return
	fi
	if ! docker image inspect sluice-debian >/dev/null 2>&1; then
		install debootstrap debootstrap
		quietly debootstrap debootstrap --variant=minbase --include=ca-certificates trixie "$HERE/debian"
		tar -C "$HERE/debian" --exclude='./dev/*' -c . | docker import - sluice-debian >/dev/null
		rm -rf "$HERE/debian"
	fi
	echo sluice-debian
}
