#!/usr/bin/env python3
"""Print the architecture of a stack's functions after a deployment with these
arguments of `sam deploy`: python architecture.py [ARGUMENT…]

It is that of the arguments or of samconfig.toml, else that of the stack, which
keeps the parameters that are left out, else the template's.
"""

import contextlib
import itertools
import shlex
import sys

import boto3
import cfn
import click
from botocore.exceptions import BotoCoreError, ClientError, NoRegionError
from samcli.cli.context import Context
from samcli.commands.deploy.command import cli

PARAMETER = "Architecture"


def check_spaces(args):
    """Refuse a value with a space and no quotes of its own, of which SAM takes the first word without a warning."""
    after = itertools.dropwhile(lambda a: a != "--parameter-overrides", args)
    try:
        words = shlex.split(" ".join(itertools.takewhile(lambda a: not a.startswith("-"), itertools.islice(after, 1, None))))
    except ValueError:  # an apostrophe in a value
        return
    for before, word in itertools.pairwise(words):
        if "=" not in word:
            name = before.partition("=")[0]
            raise click.UsageError(f"{word!r} belongs to no parameter: write '{name}=\"…\"', with both kinds of quotes")


def given(args):
    """Return the parameters of SAM's arguments, as SAM reads them."""
    check_spaces(args)
    with contextlib.redirect_stdout(sys.stderr):  # --help
        context = cli.make_context("deploy", list(args))
    state = context.ensure_object(Context)
    return context.params, state.region, state.profile


def deployed(stack, region, profile):
    """Return the parameter of a stack; None if there is no such stack, or it has none."""
    client = boto3.Session(region_name=region, profile_name=profile).client("cloudformation")
    try:
        (found,) = client.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as err:
        if "does not exist" in err.response["Error"]["Message"]:
            return None
        raise
    return {p["ParameterKey"]: p["ParameterValue"] for p in found.get("Parameters", [])}.get(PARAMETER)


# The longest name made of the stack's is that of the schedule, STACK-keeper, of at most 64.
LONGEST = 64 - len("-keeper")


def architecture(args):
    params, region, profile = given(args)
    if len(name := params["stack_name"]) > LONGEST:
        raise click.UsageError(f"the stack name {name!r} has {len(name)} characters: write one of at most {LONGEST}")
    parameter = cfn.load()["Parameters"][PARAMETER]
    arch = (
        params["parameter_overrides"].get(PARAMETER)
        or deployed(params["stack_name"], region, profile)
        or parameter["Default"]
    )
    if arch not in parameter["AllowedValues"]:
        raise click.UsageError(f"{PARAMETER} is {arch!r}: it must be one of {', '.join(parameter['AllowedValues'])}")
    return arch


def main(args):
    try:
        print(architecture(args))
    except click.ClickException as err:
        err.show()
        return err.exit_code
    except click.exceptions.Exit:
        return 2
    except NoRegionError:
        print("deploy: no AWS region: set AWS_REGION, or a region in the profile", file=sys.stderr)
        return 1
    except (BotoCoreError, ClientError) as err:
        print(f"deploy: cannot ask for the architecture of the stack: {err}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
