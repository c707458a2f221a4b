"""Deploys the template to a moto server of its own and lends out its roles."""

import ast
import io
import json
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile

import boto3
import cfn
from samtranslator.translator.transform import transform

STACK = "sluice"

# Resources that moto does not create, but reports as CREATE_COMPLETE. MiniStack creates them.
UNKNOWN = {
    "AWS::CloudWatch::Alarm",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::S3::BucketPolicy",
    "AWS::SQS::QueuePolicy",
}

# The services for which moto checks the resource, not just the action.
BY_RESOURCE = {"s3", "sqs"}


class _NoManagedPolicies:
    def load(self):
        return {}


def translated():
    """Return the template without SAM's types, which moto would skip silently."""
    template = cfn.load()
    for function in cfn.of(template, "AWS::Serverless::Function").values():
        function["CodeUri"] = {"Bucket": "code", "Key": "code.zip"}
    return transform(template, {}, _NoManagedPolicies())


def _as_moto_asks(statement):
    """Return a statement that moto can evaluate: with "*" where moto does not distinguish resources."""
    (service,) = {action.split(":")[0] for action in cfn.listed(statement["Action"])}
    return statement if service in BY_RESOURCE else statement | {"Resource": "*"}


class MotoStack:
    """The stack on a moto server. After enforce(), only its roles have permissions."""

    def __init__(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{port}"
        self._server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            self._wait()
            self._deploy()
        except BaseException:
            self.close()
            raise

    def close(self):
        self._server.terminate()
        self._server.wait(10)

    def client(self, service, role=None):
        """Return a client that acts as a role, or as the account before enforce()."""
        credentials = self._credentials[role] if role else ("test", "test", None)
        return boto3.client(
            service, region_name="us-east-1", endpoint_url=self.endpoint,
            **dict(zip(("aws_access_key_id", "aws_secret_access_key", "aws_session_token"), credentials)),
        )  # fmt: skip

    def arn(self, name):
        """Return the ARN of a resource of the template."""
        of = self.physical[name]
        account = "us-east-1:123456789012"
        match self.template["Resources"][name]["Type"]:
            case "AWS::SQS::Queue":
                return f"arn:aws:sqs:{account}:{of.rsplit('/', 1)[1]}"
            case "AWS::DynamoDB::Table":
                return f"arn:aws:dynamodb:{account}:table/{of}"
            case "AWS::S3::Bucket":
                return f"arn:aws:s3:::{of}"
            case "AWS::Lambda::EventSourceMapping":
                return f"arn:aws:lambda:{account}:event-source-mapping:{of}"
            case "AWS::Lambda::Function":
                return f"arn:aws:lambda:{account}:function:{of}"
            case "AWS::Events::Rule":
                return f"arn:aws:events:{account}:rule/{of}"
            case "AWS::IAM::Role":
                return f"arn:aws:iam::123456789012:role/{of}"
            case "AWS::Logs::LogGroup":
                return f"arn:aws:logs:{account}:log-group:{of}"
        raise KeyError(name)

    def _wait(self):
        for _ in range(150):
            try:
                urllib.request.urlopen(self.endpoint + "/moto-api/", timeout=1).close()
                return
            except OSError:
                time.sleep(0.2)
        raise TimeoutError("moto does not answer")

    def _deploy(self):
        self.template = translated()
        s3, cloudformation, iam = map(self.client, ("s3", "cloudformation", "iam"))
        code = io.BytesIO()
        with zipfile.ZipFile(code, "w") as z:
            z.writestr("bootstrap", "")
        s3.create_bucket(Bucket="code")
        s3.put_object(Bucket="code", Key="code.zip", Body=code.getvalue())
        cloudformation.create_stack(StackName=STACK, TemplateBody=json.dumps(self.template))

        resources = cloudformation.list_stack_resources(StackName=STACK)["StackResourceSummaries"]
        self.physical = {r["LogicalResourceId"]: r["PhysicalResourceId"] for r in resources if r["LogicalResourceId"]}
        self.policies = {}
        for role, properties in cfn.of(self.template, "AWS::IAM::Role").items():
            (policy,) = properties["Policies"]
            where = {"RoleName": self.physical[role], "PolicyName": policy["PolicyName"]}
            # moto keeps the policy from CloudFormation as Python text, which it
            # cannot parse when it evaluates it.
            document = ast.literal_eval(iam.get_role_policy(**where)["PolicyDocument"])
            self.policies[role] = document["Statement"]
            statements = [_as_moto_asks(s) for s in document["Statement"]]
            iam.put_role_policy(**where, PolicyDocument=json.dumps(document | {"Statement": statements}))

    def enforce(self):
        sts = self.client("sts")
        self._credentials = {}
        for role in self.policies:
            c = sts.assume_role(RoleArn=self.arn(role), RoleSessionName="test")["Credentials"]
            self._credentials[role] = (c["AccessKeyId"], c["SecretAccessKey"], c["SessionToken"])
        headers = {"Content-Type": "text/plain"}  # moto would not read a form
        request = urllib.request.Request(self.endpoint + "/moto-api/reset-auth", b"0", headers)
        urllib.request.urlopen(request, timeout=5).close()
