#!/usr/bin/env python3
"""Correct MiniStack 1.5 where it deploys the template differently from AWS.

    python mend.py STACK [--new]

MiniStack keeps the concurrency of a mapping as text, which breaks its poller;
reports a new disabled mapping as Enabled; and drops TTL, point-in-time recovery
and RecursiveLoop. --new says that the stack is new, with its mappings off. Then
the script uploads the topics.
"""

import sys
from pathlib import Path

import boto3

ROOT = Path(__file__).resolve().parents[2]


def outputs(stack):
    (found,) = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    return {o["OutputKey"]: o["OutputValue"] for o in found["Outputs"]}


def mend_mappings(out, new):
    client = boto3.client("lambda")
    for mapping in [*out["Mappings"].split(","), out["StructureMapping"]]:
        mend_mapping(client, mapping, {"Enabled": False} if new else {})
    of_seed = client.list_event_source_mappings(FunctionName=out["SeedFunction"])["EventSourceMappings"]
    for mapping in of_seed:
        mend_mapping(client, mapping["UUID"], {})


def mend_mapping(client, mapping, more):
    limit = client.get_event_source_mapping(UUID=mapping)["ScalingConfig"]["MaximumConcurrency"]
    client.update_event_source_mapping(UUID=mapping, ScalingConfig={"MaximumConcurrency": int(limit)}, **more)


def mend_tables(out):
    client = boto3.client("dynamodb")
    for table in (out[f"{name}Table"] for name in ("Urls", "Backlog", "Hosts", "Crawls")):
        if client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]["TimeToLiveStatus"] == "DISABLED":
            client.update_time_to_live(
                TableName=table, TimeToLiveSpecification={"AttributeName": "ttl", "Enabled": True}
            )
        client.update_continuous_backups(
            TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
        )


def check_redrive(out):
    """Older MiniStacks drop RedrivePolicy; without it dead-letter queues stay empty."""
    client = boto3.client("sqs")
    for queue in [*out["FrontierQueues"].split(","), out["SeedsQueue"], out["CleanQueue"], out["StructureQueue"]]:
        names = client.get_queue_attributes(QueueUrl=queue, AttributeNames=["RedrivePolicy"]).get("Attributes", {})
        if "RedrivePolicy" not in names:
            sys.exit(f"mend.py: {queue} has no RedrivePolicy: use the MiniStack that infra/aws pins")


def upload_topics(out):
    client = boto3.client("s3")
    for topic in sorted((ROOT / "topics").glob("*.topic")):
        client.put_object(Bucket=out["Bucket"], Key=f"topics/{topic.name}", Body=topic.read_bytes())


def main(stack, new):
    out = outputs(stack)
    check_redrive(out)
    mend_mappings(out, new)
    mend_tables(out)
    for name in ("CrawlFunction", "CleanFunction"):
        boto3.client("lambda").put_function_recursion_config(FunctionName=out[name], RecursiveLoop="Allow")
    upload_topics(out)


if __name__ == "__main__":
    if sys.argv[2:] not in ([], ["--new"]):
        sys.exit(__doc__)
    main(sys.argv[1], bool(sys.argv[2:]))
