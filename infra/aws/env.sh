# Sourced by the scripts here, with `here` as their folder: sets sam to the bin folder
# of the pinned SAM CLI, and its environment.
sam=$("$here/../venv" sam)

# SAM's library reads only AWS_DEFAULT_REGION; sluice and the AWS CLI prefer AWS_REGION.
[ -z "${AWS_REGION:-}" ] || export AWS_DEFAULT_REGION="$AWS_REGION"
export SAM_CLI_TELEMETRY=0
