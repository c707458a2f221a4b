#!/usr/bin/env python3
"""Print the variables of a function of a deployed stack, in the format of
`sam local invoke --env-vars`: python variables.py STACK FUNCTION ADDRESS

What is at 127.0.0.1 is at ADDRESS for a container.
"""

import json
import sys

import boto3


def main(stack, function, address):
    found = boto3.client("cloudformation").describe_stack_resource(StackName=stack, LogicalResourceId=function)
    name = found["StackResourceDetail"]["PhysicalResourceId"]
    variables = boto3.client("lambda").get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    json.dump({function: {k: v.replace("127.0.0.1", address) for k, v in variables.items()}}, sys.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
