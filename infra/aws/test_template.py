"""Checks the promises of template.yaml and samconfig.toml.

Run by the Python of requirements/sam.txt. A check that cannot fail is a
defect: BREAKS breaks the template in memory, once or more for each promise.
"""

import copy
import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import cfn
import promises as p
import pytest
from samcli.lib.bootstrap.companion_stack.data_types import CompanionStack


def put(path, value):
    """Return a mutation that sets the value at a path of keys and indexes."""

    def mutate(t):
        *way, last = path.split("/")
        for key in way:
            t = t[int(key) if isinstance(t, list) else key]
        if value is None:
            del t[last]
        elif isinstance(t, list):
            t[int(last)] = value
        else:
            t[last] = value

    return mutate


def of(resource, path, value):
    return put(f"Resources/{resource}/Properties/{path}", value)


def grant(role, action, resource, condition=None):
    """Return a mutation that allows a role one more action."""
    statement = {"Effect": "Allow", "Action": action, "Resource": resource}
    if condition:
        statement["Condition"] = condition

    def mutate(t):
        (policy,) = t["Resources"][role]["Properties"]["Policies"]
        policy["PolicyDocument"]["Statement"].append(statement)

    return mutate


def leading(*keys):
    return {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [*keys]}}


def attr(name):
    return {"Fn::GetAtt": [name, "Arn"]}


def sub(value):
    return {"Fn::Sub": value}


VARIABLES = "Globals/Function/Environment/Variables"
STATEMENT = "PolicyDocument/Statement/0"

BREAKS = {
    p.lanes_are_standard_queues: [
        of("FrontierHighQueue", "FifoQueue", True),
        put("Resources/FrontierLowQueue", None),
    ],
    p.every_queue_has_a_dead_letter_queue: [
        of("CleanQueue", "RedrivePolicy", None),
        of("FrontierLowQueue", "RedrivePolicy/deadLetterTargetArn", attr("CleanDeadQueue")),
        of("SeedsQueue", "RedrivePolicy/maxReceiveCount", 6),
    ],
    p.dead_letters_outlive_their_queue: [of("FrontierDeadQueue", "MessageRetentionPeriod", 864000)],
    p.queues_poll_long: [
        of("FrontierNormalQueue", "ReceiveMessageWaitTimeSeconds", 0),
        of("SeedsDeadQueue", "ReceiveMessageWaitTimeSeconds", None),
    ],
    p.queues_are_encrypted: [of("SeedsQueue", "SqsManagedSseEnabled", False)],
    p.queues_refuse_plain_text: [
        of("FrontierHighQueuePolicy", f"{STATEMENT}/Effect", "Allow"),
        of("FrontierHighQueuePolicy", f"{STATEMENT}/Condition", {"Bool": {"aws:SecureTransport": "true"}}),
        of("CleanDeadQueuePolicy", f"{STATEMENT}/Resource", attr("CleanQueue")),
        put("Resources/SeedsDeadQueuePolicy", None),
    ],
    p.visibility_is_six_timeouts: [
        of("FrontierLowQueue", "VisibilityTimeout", 539),
        of("CleanFunction", "Timeout", 61),
    ],
    p.queues_feed_their_functions: [
        of("FrontierHighMapping", "FunctionName", {"Ref": "CleanFunction"}),
        put("Resources/CleanMapping", None),
    ],
    p.mappings_take_partial_failures: [
        of("CleanMapping", "FunctionResponseTypes", None),
        of("SeedsMapping", "FunctionResponseTypes", []),
    ],
    p.mappings_wait_for_batches: [of("FrontierHighMapping", "MaximumBatchingWindowInSeconds", None)],
    p.mappings_limit_concurrency: [
        of("FrontierLowMapping", "ScalingConfig/MaximumConcurrency", {"Ref": "HighConcurrency"}),
        put("Parameters/CleanConcurrency/Default", 1),
    ],
    p.an_idle_stack_is_switched_off: [
        of("FrontierLowMapping", "Enabled", True),
        of("CleanMapping", "Enabled", None),
        of("StructureMapping", "Enabled", True),
        of("SeedsMapping", "Enabled", False),
        of("Schedule", "State", "ENABLED"),
    ],
    p.keeper_runs_each_minute: [
        of("Schedule", "ScheduleExpression", "rate(5 minutes)"),
        of("Schedule", "Name", sub("${AWS::StackName}-feed")),
        of("SchedulePermission", "FunctionName", {"Ref": "CrawlFunction"}),
    ],
    p.functions_are_static_binaries_on_arm: [
        put("Globals/Function/Runtime", "go1.x"),
        put("Parameters/Architecture/Default", "x86_64"),
        put("Resources/CleanFunction/Metadata/BuildMethod", "go"),
    ],
    p.only_crawl_and_clean_may_feed_themselves: [
        of("CrawlFunction", "RecursiveLoop", "Terminate"),
        of("CleanFunction", "RecursiveLoop", None),
        of("KeeperFunction", "RecursiveLoop", "Allow"),
    ],
    p.functions_know_the_stack: [
        put(f"{VARIABLES}/SLUICE_PROXY", None),
        of("CrawlFunction", "Environment", {"Variables": {"SLUICE_MAPPINGS": ""}}),
        of("KeeperFunction", "Environment/Variables/SLUICE_SCHEDULE", None),
        put(f"{VARIABLES}/SLUICE_FRONTIER_QUEUES", sub("${FrontierLowQueue},${FrontierHighQueue}")),
    ],
    p.logs_are_json_and_expire: [
        of("SeedFunction", "LoggingConfig/LogFormat", "Text"),
        of("SeedFunction", "LoggingConfig/LogGroup", {"Ref": "CrawlLog"}),
        of("KeeperLog", "RetentionInDays", None),
    ],
    p.each_function_has_its_own_role: [
        of("CleanFunction", "Role", attr("CrawlRole")),
        of("SeedRole", "AssumeRolePolicyDocument/Statement/0/Principal", {"AWS": "*"}),
    ],
    p.no_action_is_a_pattern: [
        grant("CrawlRole", "dynamodb:*", attr("HostsTable")),
        grant("CleanRole", ["s3:GetObject", "s3:List*"], attr("Bucket")),
        grant("SeedRole", "*", attr("Bucket")),
    ],
    p.every_resource_is_named: [
        grant("CrawlRole", "sqs:SendMessage", "*"),
        grant("CrawlRole", "s3:GetObject", sub("${Bucket.Arn}/*")),
        grant("KeeperRole", "events:EnableRule", sub("arn:${AWS::Partition}:events:*:*:rule/x")),
    ],
    p.nothing_scans_or_deletes_data: [
        grant("KeeperRole", "dynamodb:Scan", attr("BacklogTable")),
        grant("CrawlRole", "dynamodb:DeleteItem", attr("UrlsTable")),
        grant("SeedRole", "dynamodb:BatchWriteItem", attr("HostsTable")),
        grant("CrawlRole", "dynamodb:BatchWriteItem", attr("CrawlsTable")),
        grant("KeeperRole", "dynamodb:BatchWriteItem", attr("CrawlsTable"), leading("*")),
        grant("SeedRole", "dynamodb:BatchWriteItem", attr("UrlsTable"), leading("journal#*")),
        grant("CleanRole", "s3:DeleteObject", sub("${Bucket.Arn}/raw/*")),
        grant("KeeperRole", "sqs:DeleteQueue", attr("CleanQueue")),
    ],
    p.each_role_writes_its_own_prefixes: [
        grant("CrawlRole", "s3:PutObject", sub("${Bucket.Arn}/corpus/*")),
        grant("SeedRole", "s3:PutObject", sub("${Bucket.Arn}/seeds/*")),
        grant("StructureRole", "s3:PutObject", sub("${Bucket.Arn}/corpus/*")),
    ],
    p.readers_learn_what_is_missing: [
        grant("KeeperRole", "s3:ListBucket", attr("Bucket")),
        grant("KeeperRole", "s3:GetObject", sub("${Bucket.Arn}/raw/*")),
        grant("CrawlRole", "s3:ListBucket", attr("Bucket"), {"StringLike": {"s3:prefix": ["topics/*"]}}),
        grant("SeedRole", "s3:ListBucket", attr("Bucket"), {"StringLikeIfExists": {"s3:prefix": ["*"]}}),
    ],
    p.switches_are_for_seed_and_keeper: [
        grant("CrawlRole", "lambda:UpdateEventSourceMapping", sub("x:${FrontierHighMapping}")),
        grant("SeedRole", "events:DisableRule", attr("Schedule")),
    ],
    p.arns_name_the_partition: [
        grant("CrawlRole", "s3:GetObject", "arn:aws:s3:::somewhere/topics/one"),
        of("CleanQueuePolicy", "PolicyDocument/Statement/1/Resource", sub("arn:aws-cn:sqs:${AWS::Region}:x")),
    ],
    p.tables_cost_nothing_idle_and_can_go_back: [
        of("UrlsTable", "BillingMode", "PROVISIONED"),
        put("Parameters/Capacity/Default", "provisioned"),
        of("BacklogTable", "PointInTimeRecoverySpecification", {"PointInTimeRecoveryEnabled": True}),
        of("HostsTable", "TimeToLiveSpecification/Enabled", False),
        of("CrawlsTable", "PointInTimeRecoverySpecification", None),
    ],
    p.provisioned_units_follow_the_load: [
        of("HostsTable", "ProvisionedThroughput", None),
        of("UrlsTable", "GlobalSecondaryIndexes/0/ProvisionedThroughput", None),
        of("CrawlsWriteUnits", "ResourceId", sub("table/${HostsTable}")),
        of("UrlsHistoryReadUnits", "ScalableDimension", "dynamodb:table:ReadCapacityUnits"),
        put("Resources/BacklogReadUnits/Condition", None),
        put("Resources/BacklogReadScaling", None),
        of("HostsReadScaling", "TargetTrackingScalingPolicyConfiguration/TargetValue", 90),
    ],
    p.tables_have_the_keys_of_the_design: [
        of("BacklogTable", "KeySchema/0/AttributeName", "host"),
        of("UrlsTable", "GlobalSecondaryIndexes/0/Projection", {"ProjectionType": "ALL"}),
    ],
    p.the_bucket_is_encrypted: [of("Bucket", "BucketEncryption", None)],
    p.the_bucket_is_private: [
        of("Bucket", "PublicAccessBlockConfiguration/BlockPublicPolicy", False),
        of("Bucket", "PublicAccessBlockConfiguration/IgnorePublicAcls", None),
    ],
    p.the_bucket_refuses_plain_text: [
        of("BucketPolicy", f"{STATEMENT}/Effect", "Allow"),
        of("BucketPolicy", f"{STATEMENT}/Resource", [attr("Bucket")]),
    ],
    p.the_bucket_outlives_the_stack: [
        put("Resources/Bucket/DeletionPolicy", "Delete"),
        put("Resources/BucketPolicy/DeletionPolicy", "Retain"),
        put("Resources/Bucket/UpdateReplacePolicy", None),
    ],
    p.the_bucket_tidies_itself: [
        of("Bucket", "LifecycleConfiguration/Rules/0/Status", "Disabled"),
        of("Bucket", "LifecycleConfiguration/Rules/1/Prefix", "corpus/"),
        of("Bucket", "LifecycleConfiguration/Rules/1/ExpirationInDays", 90),
    ],
    p.objects_ring_their_queues: [
        of("Bucket", "NotificationConfiguration/QueueConfigurations/1/Queue", attr("SeedsQueue")),
        put("Resources/Bucket/DependsOn", ["SeedsQueuePolicy"]),
    ],
    p.only_the_bucket_rings: [
        of("CleanQueuePolicy", "PolicyDocument/Statement/1/Principal", "*"),
        of("CleanQueuePolicy", "PolicyDocument/Statement/1/Condition/ArnEquals/aws:SourceArn", "arn:aws:s3:::*"),
    ],
    p.alarms_watch_queues_functions_and_tables: [
        put("Resources/FrontierDeadAlarm", None),
        of("FrontierLowAgeAlarm", "Dimensions/0/Value", attr("CleanQueue")),
        of("CrawlErrorsAlarm", "MetricName", "Invocations"),
        of("CrawlThrottlesAlarm", "TreatMissingData", "breaching"),
        of("HostsWriteThrottlesAlarm", "MetricName", "ReadThrottleEvents"),
        of("UrlsHistoryReadThrottlesAlarm", "Dimensions/1/Value", "other"),
        of("CrawlsReadThrottlesAlarm", "Statistic", "Minimum"),
    ],
    p.the_alarm_of_dead_links_allows_for_some: [
        of("FrontierDeadAlarm", "Threshold", 0),
    ],
    p.a_bill_names_the_stack: [
        put("Globals/Function/Tags", None),
        of("HostsTable", "Tags", None),
        of("SeedsMapping", "Tags/0/Value", "sluice"),
    ],
    p.functions_are_traced_if_asked: [
        put("Globals/Function/Tracing", "Active"),
        of("KeeperRole", "ManagedPolicyArns", None),
        of("SeedRole", "ManagedPolicyArns", ["arn:${AWS::Partition}:iam::aws:policy/AdministratorAccess"]),
        put("Resources/TracingPolicy", {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "SeedRole"}]}}),
    ],
    p.tables_go_with_the_stack_and_no_sooner: [
        put("Resources/UrlsTable/DeletionPolicy", None),
        put("Resources/CrawlsTable/UpdateReplacePolicy", "Delete"),
    ],
    p.the_dashboard_shows_everything: [
        of("Dashboard", "DashboardBody", sub('{"widgets": []}')),
        lambda t: of("Dashboard", "DashboardBody", sub(dashboard(t).replace("CleanFunction", "CleanQueue")))(t),
    ],
    p.deploy_asks_nothing: [
        put("Parameters/Contact/Default", None),
        put("Parameters/Secret", {"Type": "String", "Description": "of whom?"}),
    ],
    p.outputs_are_what_the_cli_reads: [
        put("Outputs/Mappings", None),
        put("Outputs/CleanQueue/Value", {"Ref": "CleanDeadQueue"}),
        put("Outputs/RenderQueue/Condition", "HasAlarmTopic"),
        put("Outputs/FrontierQueues/Value", sub("${FrontierNormalQueue},${FrontierHighQueue},${FrontierLowQueue}")),
        of("KeeperFunction", "Environment/Variables/SLUICE_MAPPINGS", sub("${FrontierHighMapping}")),
    ],
}


def dashboard(t):
    return t["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]


@pytest.fixture(scope="module")
def template():
    return cfn.load()


@pytest.mark.parametrize("promise", BREAKS, ids=lambda f: f.__name__)
def test_promise(template, promise):
    promise(template)


@pytest.mark.parametrize(
    ("promise", "mutate"),
    [
        pytest.param(promise, mutate, id=f"{promise.__name__}-{i}")
        for promise, mutations in BREAKS.items()
        for i, mutate in enumerate(mutations)
    ],
)
def test_promise_can_be_broken(template, promise, mutate):
    broken = copy.deepcopy(template)
    mutate(broken)
    with pytest.raises((AssertionError, KeyError, ValueError, TypeError)):
        promise(broken)


def test_every_promise_is_held():
    named = {
        f for f in vars(p).values()
        if getattr(f, "__module__", "") == "promises" and f.__code__.co_varnames[:1] == ("t",)
    }  # fmt: skip
    assert named - set(BREAKS) == {p.queues, p.mappings, p.bucket}, "the three that only look things up"


@pytest.mark.parametrize("path", [cfn.PATH, cfn.ROOT / "infra/render/template.yaml"], ids=["stack", "render"])
def test_cfn_lint_finds_nothing(path):
    lint = Path(sys.executable).with_name("cfn-lint")
    run = subprocess.run([lint, "--", path], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr


def test_sam_asks_nothing_and_builds_what_is_there():
    config = tomllib.loads((cfn.ROOT / "samconfig.toml").read_text())["default"]
    deploy = config["deploy"]["parameters"]
    assert config["global"]["parameters"]["stack_name"] == "sluice"
    assert deploy["resolve_s3"] and deploy["capabilities"] == "CAPABILITY_IAM"
    assert deploy["confirm_changeset"] is False and deploy["fail_on_empty_changeset"] is False
    assert "cached" not in config["build"]["parameters"], "SAM's cache does not see shared/ change"


def test_render_has_its_parameters_from_the_stack(template):
    """docs/deploy.md passes the stack's outputs and parameters, and names the others."""
    parameters = set(cfn.load(cfn.ROOT / "infra/render/template.yaml")["Parameters"])
    given = {"Stack", "ImageUri", "CrawlRole", "KeeperRole", "Concurrency"}
    assert parameters - given <= set(template["Outputs"]) | set(template["Parameters"])


def test_render_may_do_in_the_bucket_what_crawl_may(template):
    """Both run the worker."""

    def rights(t, role):
        return {
            (s["Action"], json.dumps(s.get("Condition")), cfn.text(arn).partition("/")[2])
            for s in cfn.of(t, "AWS::IAM::Role")[role]["Policies"][0]["PolicyDocument"]["Statement"]
            for arn in cfn.listed(s["Resource"])
            if "s3:" in s["Action"]
        }

    render = rights(cfn.load(cfn.ROOT / "infra/render/template.yaml"), "RenderRole")
    assert len(render) == 4 and render == rights(template, "CrawlRole")


def test_render_keeps_the_promises_of_the_stack():
    """A bill names it, too, and dead letters outlive its queue."""
    render = cfn.load(cfn.ROOT / "infra/render/template.yaml")
    tags = {name: r["Properties"].get("Tags") for name, r in render["Resources"].items() if not r["Type"].endswith("Policy")}
    assert len(tags) == 5 and all(of_one == [{"Key": "sluice", "Value": {"Ref": "Stack"}}] for of_one in tags.values()), tags
    (queue,) = cfn.of(render, "AWS::SQS::Queue").values()
    (dead,) = [q for name, q in p.queues(cfn.load()).items() if name == "FrontierDeadQueue"]
    assert queue["MessageRetentionPeriod"] < dead["MessageRetentionPeriod"]


@pytest.mark.parametrize("name", ["deployer", "operator"])
def test_policies_of_the_docs_are_of_the_stack_alone(name):
    """Each may touch what is named after the stack, and is small enough for a managed policy."""
    policy = json.loads((cfn.ROOT / f"infra/aws/{name}.json").read_text())
    assert len(json.dumps(policy, separators=(",", ":"))) <= 6144
    for s in policy["Statement"]:
        arns = s["Resource"] if isinstance(s["Resource"], list) else [s["Resource"]]
        for arn in arns:
            named = "sluice" in arn or "aws-sam-cli-managed-default" in arn or arn.endswith("transform/Serverless-2016-10-31")
            only_looks = all(re.search(":(Describe|Get|List|Validate)", a) for a in s["Action"])
            mappings = all("EventSourceMapping" in a or "agResource" in a for a in s["Action"])
            scaling = s.get("Condition") == {"StringEquals": {"application-autoscaling:service-namespace": "dynamodb"}}
            role = arn.endswith(":role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/*")
            assert named or only_looks or mappings or scaling or role or s["Sid"] == "ScalingAlarms", (s["Sid"], arn)


def test_deployer_may_make_every_resource(template):
    policy = json.loads((cfn.ROOT / "infra/aws/deployer.json").read_text())
    services = {a.split(":")[0].replace("-", "") for s in policy["Statement"] for a in s["Action"]}
    render = cfn.load(cfn.ROOT / "infra/render/template.yaml")
    types = {r["Type"] for t in (template, render) for r in t["Resources"].values()}
    assert {t.split("::")[1].lower() for t in types} - {"serverless"} <= services
    roles = [s for s in policy["Statement"] if s["Sid"] == "Roles"][0]["Action"]
    assert {"iam:AttachRolePolicy", "iam:DetachRolePolicy"} <= set(roles), "of traces"


def test_deployer_may_do_what_others_do_for_it():
    """`sam delete` looks for a second stack; autoscaling tries its caller's right to make its alarms, of other names."""
    policy = json.loads((cfn.ROOT / "infra/aws/deployer.json").read_text())

    def may(action, arn):
        return any(
            fnmatchcase(action, a) and fnmatchcase(arn, r)
            for s in policy["Statement"] for a in cfn.listed(s["Action"]) for r in cfn.listed(s["Resource"])
        )  # fmt: skip

    assert may("cloudformation:DescribeStacks", f"arn:aws:cloudformation:r:1:stack/{CompanionStack('sluice').stack_name}/*")
    for action in ("DeleteAlarms", "DescribeAlarms", "PutMetricAlarm"):
        assert may(f"cloudwatch:{action}", "arn:aws:cloudwatch:r:1:alarm:TargetTracking-table/sluice-UrlsTable-AlarmHigh-1")
