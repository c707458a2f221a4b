# Sourced by the scripts that build functions for this machine: sets arch.
case $(uname -m) in
x86_64) arch=x86_64 ;;
aarch64 | arm64) arch=arm64 ;;
*) die "Lambda has no machine like this one: $(uname -m)" ;;
esac
