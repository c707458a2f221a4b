"""Tries each function's role: it can do what it needs, and nothing else.

Run by the Python of requirements/moto.txt. NEEDS repeats the
policies independently of the template. Every action of it is tried with every role on every
resource of its kind, twice: by the policies as deployed, resource by resource,
and by calling moto, which looks at the resource for S3 and SQS and at the action
for the rest. Neither is the judge that AWS has.
"""

from fnmatch import fnmatchcase

import pytest
from botocore.exceptions import ClientError
from motostack import BY_RESOURCE, UNKNOWN, MotoStack

LANES = ["FrontierHighQueue", "FrontierNormalQueue", "FrontierLowQueue"]
DEAD = ["FrontierDeadQueue", "SeedsDeadQueue", "CleanDeadQueue", "StructureDeadQueue"]
QUEUES = [*LANES, "SeedsQueue", "CleanQueue", "StructureQueue", *DEAD]
TABLES = ["UrlsTable", "BacklogTable", "HostsTable", "CrawlsTable"]
OBJECTS = [
    "seeds/c/a", "topics/a", "learned/c/a", "raw/c/a", "corpus/c/a", "looks/c", "rejects/c/a", "records/c/a", "sites/a",
]  # fmt: skip
MAPPINGS = ["FrontierHighMapping", "FrontierNormalMapping", "FrontierLowMapping", "CleanMapping"]
HISTORY = "UrlsTable/index/history"
URLS, BACKLOG, HOSTS, CRAWLS = ([t] for t in TABLES)

NEEDS = {
    "SeedRole": {
        "sqs:ReceiveMessage": ["SeedsQueue"],
        "sqs:DeleteMessage": ["SeedsQueue"],
        "sqs:ChangeMessageVisibility": ["SeedsQueue"],
        "sqs:GetQueueAttributes": ["SeedsQueue"],
        "sqs:SendMessage": [*LANES, "SeedsDeadQueue"],
        "dynamodb:GetItem": HOSTS + CRAWLS,
        "dynamodb:BatchGetItem": URLS + BACKLOG,
        "dynamodb:Query": BACKLOG + CRAWLS,
        "dynamodb:UpdateItem": URLS + BACKLOG + HOSTS + CRAWLS,
        "dynamodb:BatchWriteItem": BACKLOG,
        "s3:GetObject": ["seeds/c/a", "topics/a"],
        "s3:ListBucket": ["Bucket"],
        "lambda:GetEventSourceMapping": MAPPINGS,
        "lambda:UpdateEventSourceMapping": MAPPINGS,
        "events:EnableRule": ["Schedule"],
    },
    "CrawlRole": {
        "sqs:ReceiveMessage": LANES,
        "sqs:DeleteMessage": LANES,
        "sqs:ChangeMessageVisibility": LANES,
        "sqs:GetQueueAttributes": LANES,
        "sqs:SendMessage": [*LANES, "FrontierDeadQueue", "SeedsQueue", "StructureQueue"],
        "dynamodb:GetItem": HOSTS + CRAWLS,
        "dynamodb:BatchGetItem": URLS + BACKLOG,
        "dynamodb:Query": [HISTORY] + BACKLOG + CRAWLS,
        "dynamodb:PutItem": HOSTS,
        "dynamodb:UpdateItem": URLS + BACKLOG + HOSTS + CRAWLS,
        "dynamodb:BatchWriteItem": BACKLOG + CRAWLS,
        "s3:GetObject": ["learned/c/a", "topics/a"],
        "s3:ListBucket": ["Bucket"],
        "s3:PutObject": ["raw/c/a"],
    },
    "CleanRole": {
        "sqs:ReceiveMessage": ["CleanQueue"],
        "sqs:DeleteMessage": ["CleanQueue"],
        "sqs:ChangeMessageVisibility": ["CleanQueue"],
        "sqs:GetQueueAttributes": ["CleanQueue"],
        "sqs:SendMessage": ["CleanQueue", "CleanDeadQueue"],
        "dynamodb:GetItem": HOSTS + CRAWLS,
        "dynamodb:BatchGetItem": URLS,
        "dynamodb:Query": HOSTS,
        "dynamodb:UpdateItem": HOSTS + CRAWLS,
        "s3:GetObject": ["learned/c/a", "looks/c", "raw/c/a", "topics/a"],
        "s3:ListBucket": ["Bucket"],
        "s3:PutObject": ["corpus/c/a", "rejects/c/a"],
    },
    "KeeperRole": {
        "sqs:GetQueueAttributes": [*LANES, "SeedsQueue", "CleanQueue", "StructureQueue"],
        "sqs:SendMessage": [*LANES, "StructureQueue"],
        "dynamodb:GetItem": HOSTS + CRAWLS,
        "dynamodb:BatchGetItem": URLS + BACKLOG,
        "dynamodb:Query": BACKLOG + HOSTS + CRAWLS,
        "dynamodb:UpdateItem": URLS + BACKLOG + HOSTS + CRAWLS,
        "dynamodb:BatchWriteItem": BACKLOG + CRAWLS,
        "s3:GetObject": ["corpus/c/a", "learned/c/a", "rejects/c/a", "topics/a"],
        "s3:ListBucket": ["Bucket"],
        "s3:PutObject": ["learned/c/a"],
        "lambda:GetEventSourceMapping": [*MAPPINGS, "StructureMapping"],
        "lambda:UpdateEventSourceMapping": [*MAPPINGS, "StructureMapping"],
        "events:EnableRule": ["Schedule"],
        "events:DisableRule": ["Schedule"],
    },
    "StructureRole": {
        "sqs:ReceiveMessage": ["StructureQueue"],
        "sqs:DeleteMessage": ["StructureQueue"],
        "sqs:ChangeMessageVisibility": ["StructureQueue"],
        "sqs:GetQueueAttributes": ["StructureQueue"],
        "sqs:SendMessage": ["CleanQueue", "StructureDeadQueue"],
        "dynamodb:GetItem": CRAWLS,
        "dynamodb:BatchGetItem": URLS + CRAWLS,
        "dynamodb:UpdateItem": URLS + HOSTS + CRAWLS,
        "dynamodb:BatchWriteItem": CRAWLS,
        "s3:GetObject": ["corpus/c/a", "looks/c", "raw/c/a", "records/c/a", "rejects/c/a", "sites/a", "topics/a"],
        "s3:ListBucket": ["Bucket"],
        "s3:PutObject": ["looks/c", "records/c/a", "sites/a"],
    },
}

# What each role may list. Without that permission S3 hides that an object is missing.
LISTS = {
    "SeedRole": {"seeds/c/a", "topics/a"},
    "CrawlRole": {"learned/c/a", "topics/a"},
    "CleanRole": {"learned/c/a", "looks/c", "raw/c/a", "topics/a"},
    "KeeperRole": {"corpus/c/a", "learned/c/a", "rejects/c/a", "topics/a"},
    "StructureRole": {"corpus/c/a", "looks/c", "raw/c/a", "records/c/a", "rejects/c/a", "sites/a", "topics/a"},
}

KINDS = {
    "sqs": QUEUES,
    "dynamodb": [*TABLES, HISTORY],
    "s3": OBJECTS,
    "s3:ListBucket": ["Bucket"],
    "lambda": ["SeedsMapping", "StructureMapping", *MAPPINGS],
    "events": ["Schedule"],
}
# Every role is also denied the actions that no role needs.
ACTIONS = sorted(
    {action for needs in NEEDS.values() for action in needs} | {"dynamodb:ConditionCheckItem", "dynamodb:DeleteItem"}
)

# No role may do these to anything.
NEVER = [
    "cloudformation:UpdateStack", "dynamodb:DeleteTable", "dynamodb:PartiQLDelete", "dynamodb:Scan",
    "dynamodb:UpdateTable", "events:PutRule", "events:PutTargets", "iam:CreateAccessKey", "iam:PassRole",
    "iam:PutRolePolicy", "lambda:CreateEventSourceMapping", "lambda:InvokeFunction",
    "lambda:UpdateFunctionCode", "logs:CreateLogGroup", "logs:DeleteLogGroup", "s3:DeleteBucket",
    "s3:DeleteObject", "s3:DeleteObjectVersion", "s3:PutBucketPolicy",
    "s3:PutLifecycleConfiguration", "sqs:AddPermission", "sqs:DeleteQueue", "sqs:PurgeQueue",
    "sqs:SetQueueAttributes", "sqs:StartMessageMoveTask", "sts:AssumeRole",
]  # fmt: skip

KEY = {"UrlsTable": {"k": {"S": "x"}}}
OTHER_KEY = {"p": {"S": "x"}, "s": {"S": "x"}}


@pytest.fixture(scope="module")
def stack():
    s = MotoStack()
    s.enforce()
    yield s
    s.close()


def arn(stack, resource):
    if resource in OBJECTS:
        return f"{stack.arn('Bucket')}/{resource}"
    name, _, rest = resource.partition("/")
    return stack.arn(name) + (f"/{rest}" if rest else "")


def kinds(action):
    """Return the resources that an action may be tried on."""
    return KINDS.get(action) or KINDS[action.split(":")[0]]


def allows(statements, action, resource, **context):
    """Decide as IAM does for Allow statements with one condition at most, which is met if the context lacks its key."""
    for s in statements:
        assert s["Effect"] == "Allow"
        actions, resources = (v if isinstance(v, list) else [v] for v in (s["Action"], s["Resource"]))
        if any(fnmatchcase(action.lower(), a.lower()) for a in actions):
            if any(fnmatchcase(resource, r) for r in resources) and meets(s.get("Condition"), context):
                return True
    return False


# The conditions in use. The reading of an object has no prefix: IfExists lets it
# through. Each row that a batch writes or deletes has a leading key.
CONDITIONS = {
    ("StringLikeIfExists", "s3:prefix"): "prefix",
    ("ForAllValues:StringLike", "dynamodb:LeadingKeys"): "key",
}


def meets(condition, context):
    """Decide on a condition."""
    if condition is None:
        return True
    ((operator, ((name, patterns),)),) = [(op, list(c.items())) for op, c in condition.items()]
    value = context.get(CONDITIONS[operator, name])
    return value is None or any(fnmatchcase(value, p) for p in patterns)


def test_moto_made_what_the_template_names(stack):
    # Conditions are those of parameters, and none holds by default.
    resources = stack.template["Resources"].items()
    want = {name for name, r in resources if r["Type"] not in UNKNOWN and "Condition" not in r}
    assert set(stack.physical) == want


@pytest.mark.parametrize("role", NEEDS)
def test_policy_allows_what_is_needed_and_no_more(stack, role):
    may = {
        (action, resource)
        for action in ACTIONS
        for resource in kinds(action)
        if allows(stack.policies[role], action, arn(stack, resource))
    }
    assert may == {(action, r) for action, resources in NEEDS[role].items() for r in resources}


@pytest.mark.parametrize("role", NEEDS)
def test_policy_lists_what_is_read(stack, role):
    bucket, policy = stack.arn("Bucket"), stack.policies[role]
    assert {o for o in OBJECTS if allows(policy, "s3:ListBucket", bucket, prefix=o)} == LISTS[role]
    assert not allows(policy, "s3:ListBucket", bucket, prefix="")


@pytest.mark.parametrize("role", NEEDS)
def test_policy_writes_batches_of_journals_only(stack, role):
    may = {
        key
        for key in ("journal#c", "totals#c", "spend#c", "job")
        if allows(stack.policies[role], "dynamodb:BatchWriteItem", stack.arn("CrawlsTable"), key=key)
    }
    assert may == ({"journal#c"} if "CrawlsTable" in NEEDS[role].get("dynamodb:BatchWriteItem", []) else set())


def test_policy_cleans_by_lessons_only(stack):
    for action in ("dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"):
        may = {
            key
            for key in ("lesson#c#a.test", "cleaning#c#s", "lease#a.test", "robots#x")
            if allows(stack.policies["CleanRole"], action, stack.arn("HostsTable"), key=key)
        }
        assert may == {"lesson#c#a.test", "cleaning#c#s"}, action


def test_policy_leases_analyses_only(stack):
    hosts = stack.arn("HostsTable")
    keys = ("lease#structure/a.test", "lease#a.test", "lesson#c#a.test")
    may = {key for key in keys if allows(stack.policies["StructureRole"], "dynamodb:UpdateItem", hosts, key=key)}
    assert may == {"lease#structure/a.test"}


@pytest.mark.parametrize("role", NEEDS)
def test_policy_never_allows(stack, role):
    everything = {stack.arn(name) for name in stack.physical if name not in ("Dashboard", "SchedulePermission")}
    everything |= {arn(stack, o) for o in OBJECTS}
    assert not [(a, r) for a in NEVER for r in everything if allows(stack.policies[role], a, r)]


@pytest.mark.parametrize("role", NEEDS)
def test_policy_writes_its_own_log_only(stack, role):
    logs = [name for name in stack.physical if name.endswith("Log")]
    assert len(logs) == len(NEEDS)
    may = [name for name in logs if allows(stack.policies[role], "logs:PutLogEvents", stack.arn(name))]
    assert may == [role.replace("Role", "Log")]


def denied(stack, role, action, resource):
    """Call moto as a role; tell whether it was refused, and not just a bad request."""
    service, name = action.split(":")
    client = stack.client(service, role)
    try:
        request(stack, client, name, resource)
    except ClientError as e:
        return e.response["ResponseMetadata"]["HTTPStatusCode"] == 403
    return False


def request(stack, client, name, resource):
    """Send the smallest request of an action; moto may reject its arguments."""
    table, queue = stack.physical.get(resource), {"QueueUrl": stack.physical.get(resource)}
    key = KEY.get(resource, OTHER_KEY)
    item = {"Bucket": stack.physical["Bucket"], "Key": resource}
    match name:
        case "SendMessage":
            client.send_message(**queue, MessageBody="x")
        case "ReceiveMessage":
            client.receive_message(**queue, WaitTimeSeconds=0)
        case "DeleteMessage":
            client.delete_message(**queue, ReceiptHandle="x")
        case "ChangeMessageVisibility":
            client.change_message_visibility(**queue, ReceiptHandle="x", VisibilityTimeout=1)
        case "GetQueueAttributes":
            client.get_queue_attributes(**queue, AttributeNames=["QueueArn"])
        case "PurgeQueue":
            client.purge_queue(**queue)
        case "GetItem":
            client.get_item(TableName=table, Key=key)
        case "BatchGetItem":
            client.batch_get_item(RequestItems={table: {"Keys": [key]}})
        case "Query":
            field = next(iter(key))
            client.query(
                TableName=table, KeyConditionExpression=f"{field} = :v", ExpressionAttributeValues={":v": {"S": "x"}}
            )
        case "PutItem":
            client.put_item(TableName=table, Item=key)
        case "UpdateItem":
            client.update_item(TableName=table, Key=key)
        case "DeleteItem":
            client.delete_item(TableName=table, Key=key)
        case "BatchWriteItem":
            client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": key}}]})
        case "Scan":
            client.scan(TableName=table)
        case "GetObject":
            client.get_object(**item)
        case "PutObject":
            client.put_object(**item, Body=b"x")
        case "ListBucket":
            client.list_objects_v2(Bucket=stack.physical["Bucket"], Prefix="topics/")
        case "DeleteObject":
            client.delete_object(**item)
        case "GetEventSourceMapping":
            client.get_event_source_mapping(UUID=table)
        case "UpdateEventSourceMapping":
            client.update_event_source_mapping(UUID=table, Enabled=False)
        case "EnableRule":
            client.enable_rule(Name=table)
        case "DisableRule":
            client.disable_rule(Name=table)
        case "CreateUser":
            client.create_user(UserName="intruder")
        case _:
            raise NotImplementedError(name)


# The first has no request of its own, moto mistakes the second for another one.
CALLED = [a for a in ACTIONS if a not in ("dynamodb:ConditionCheckItem", "lambda:GetEventSourceMapping")]


@pytest.mark.parametrize("role", NEEDS)
@pytest.mark.parametrize("action", CALLED)
def test_moto_lets_the_role_do_it(stack, role, action):
    for resource in NEEDS[role].get(action, []):
        if resource != HISTORY:
            assert not denied(stack, role, action, resource), resource


@pytest.mark.parametrize("role", NEEDS)
@pytest.mark.parametrize("action", CALLED)
def test_moto_denies_the_role_the_rest(stack, role, action):
    needed = NEEDS[role].get(action, [])
    if needed and action.split(":")[0] not in BY_RESOURCE:
        return  # the policies distinguish the resources
    for resource in kinds(action):
        if resource not in needed and resource != HISTORY:
            assert denied(stack, role, action, resource), resource


@pytest.mark.parametrize("role", NEEDS)
@pytest.mark.parametrize(
    ("action", "resource"),
    [("dynamodb:Scan", t) for t in TABLES]
    + [("s3:DeleteObject", o) for o in OBJECTS]
    + [("sqs:PurgeQueue", q) for q in QUEUES]
    + [("iam:CreateUser", "")],
)
def test_moto_never_lets(stack, role, action, resource):
    assert denied(stack, role, action, resource)
