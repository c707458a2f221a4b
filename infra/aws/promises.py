"""The promises of template.yaml, one function each, named after the promise.

Each takes the parsed template and raises AssertionError where it does not
hold. test_template.py runs them, and breaks the template to see each one fail.
"""

import json
import re

from cfn import functions, listed, of, statements, strings, target, targets, text

LANES = ["FrontierHighQueue", "FrontierNormalQueue", "FrontierLowQueue"]
DEAD = {"SeedsQueue": "SeedsDeadQueue", "CleanQueue": "CleanDeadQueue", "StructureQueue": "StructureDeadQueue"} | {
    lane: "FrontierDeadQueue" for lane in LANES
}
FEEDS = {"SeedsQueue": "SeedFunction", "CleanQueue": "CleanFunction", "StructureQueue": "StructureFunction"} | {
    lane: "CrawlFunction" for lane in LANES
}
SWITCHED = ["FrontierHighMapping", "FrontierNormalMapping", "FrontierLowMapping", "CleanMapping"]
FUNCTIONS = {"SeedFunction", "CrawlFunction", "CleanFunction", "KeeperFunction", "StructureFunction"}
KEYS = {
    "UrlsTable": ["k"],
    "BacklogTable": ["p", "s"],
    "HostsTable": ["p", "s"],
    "CrawlsTable": ["p", "s"],
}
WAYS = ("Read", "Write")
OUTPUTS = {*KEYS, *DEAD.values(), *FUNCTIONS} | {
    "Bucket", "FrontierQueues", "SeedsQueue", "CleanQueue", "StructureQueue", "Mappings", "Schedule", "StructureMapping",
    "RenderQueue", "Capacity",
}  # fmt: skip
VARIABLES = {
    "SLUICE_STACK", "SLUICE_CAPACITY", "SLUICE_URLS_TABLE", "SLUICE_BACKLOG_TABLE", "SLUICE_HOSTS_TABLE",
    "SLUICE_CRAWLS_TABLE", "SLUICE_BUCKET", "SLUICE_FRONTIER_QUEUES",
    "SLUICE_FRONTIER_DEAD_QUEUE", "SLUICE_SEEDS_QUEUE", "SLUICE_SEEDS_DEAD_QUEUE",
    "SLUICE_CLEAN_QUEUE", "SLUICE_CLEAN_DEAD_QUEUE", "SLUICE_STRUCTURE_QUEUE",
    "SLUICE_STRUCTURE_DEAD_QUEUE", "SLUICE_CONTACT", "SLUICE_PROXY",
    "SLUICE_ALLOW_ADDRESSES", "SLUICE_MAX_PAGES", "SLUICE_DELAY_MS", "SLUICE_RENDER_QUEUE",
}  # fmt: skip
SWITCHES = {"SLUICE_MAPPINGS", "SLUICE_SCHEDULE"}  # only for functions that switch the stack on and off


def queues(t):
    return of(t, "AWS::SQS::Queue")


def mappings(t):
    """Return (name, properties, queue, function) of each mapping."""
    return [
        (name, m, target(m["EventSourceArn"]), target(m["FunctionName"]))
        for name, m in of(t, "AWS::Lambda::EventSourceMapping").items()
    ]


def bucket(t):
    (properties,) = of(t, "AWS::S3::Bucket").values()
    return properties


# The frontier and the other queues.


def lanes_are_standard_queues(t):
    assert set(queues(t)) == {*DEAD, *DEAD.values()}
    assert not [q for q, p in queues(t).items() if "FifoQueue" in p]


def every_queue_has_a_dead_letter_queue(t):
    for queue, dead in DEAD.items():
        policy = queues(t)[queue]["RedrivePolicy"]
        assert target(policy["deadLetterTargetArn"]) == dead
        assert policy["maxReceiveCount"] > 6, "the edge gives up at the 6th receipt"


def dead_letters_outlive_their_queue(t):
    for queue, dead in DEAD.items():
        assert queues(t)[dead]["MessageRetentionPeriod"] > queues(t)[queue]["MessageRetentionPeriod"]


def queues_poll_long(t):
    assert {p.get("ReceiveMessageWaitTimeSeconds") for p in queues(t).values()} == {20}


def queues_are_encrypted(t):
    assert {p.get("SqsManagedSseEnabled") for p in queues(t).values()} == {True}


def queues_refuse_plain_text(t):
    refusing = set()
    for policy in of(t, "AWS::SQS::QueuePolicy").values():
        (queue,) = policy["Queues"]
        refusing |= {
            target(s["Resource"])
            for s in policy["PolicyDocument"]["Statement"]
            if denies_plain_text(s, "sqs:*") and target(s["Resource"]) == target(queue)
        }
    assert refusing == set(queues(t))


def denies_plain_text(s, action):
    condition = {"Bool": {"aws:SecureTransport": "false"}}
    return (s["Effect"], s["Principal"], s["Action"], s["Condition"]) == ("Deny", "*", action, condition)


def visibility_is_six_timeouts(t):
    for name, _, queue, function in mappings(t):
        least = 6 * functions(t)[function]["Timeout"]
        assert queues(t)[queue]["VisibilityTimeout"] >= least, f"{name}: at least {least} s"


# From the queues to the functions.


def queues_feed_their_functions(t):
    assert {queue: function for _, _, queue, function in mappings(t)} == FEEDS


def mappings_take_partial_failures(t):
    for name, m, _, _ in mappings(t):
        assert m.get("FunctionResponseTypes") == ["ReportBatchItemFailures"], name


def mappings_wait_for_batches(t):
    for name, m, _, _ in mappings(t):
        assert m.get("MaximumBatchingWindowInSeconds", 0) >= 1, f"{name}: also what a batch above 10 needs"
        assert 1 <= m["BatchSize"] <= 10_000, name


def mappings_limit_concurrency(t):
    for name, m, queue, _ in mappings(t):
        limit = m["ScalingConfig"]["MaximumConcurrency"]
        if queue in (*LANES, "CleanQueue", "StructureQueue"):
            limit = t["Parameters"][target(limit)]["Default"]
        assert 2 <= limit <= 1000, name
    of_lanes = [target(m["ScalingConfig"]["MaximumConcurrency"]) for _, m, q, _ in mappings(t) if q in LANES]
    assert len(set(of_lanes)) == len(LANES), "a limit for each lane"


def an_idle_stack_is_switched_off(t):
    on = [name for name, m, _, _ in mappings(t) if m.get("Enabled", True)]
    assert on == ["SeedsMapping"], "the doorbell, and nothing else"
    assert {r.get("State") for r in of(t, "AWS::Events::Rule").values()} == {"DISABLED"}


def keeper_runs_each_minute(t):
    ((name, rule),) = of(t, "AWS::Events::Rule").items()
    assert rule["ScheduleExpression"] == "rate(1 minute)"
    assert [target(r["Arn"]) for r in rule["Targets"]] == ["KeeperFunction"]
    (permission,) = of(t, "AWS::Lambda::Permission").values()
    assert permission["Principal"] == "events.amazonaws.com"
    assert (target(permission["FunctionName"]), target(permission["SourceArn"])) == ("KeeperFunction", name)
    variables = functions(t)["KeeperFunction"]["Environment"]["Variables"]
    assert variables["SLUICE_SCHEDULE"] == rule["Name"], "the name is written twice, lest there be a circle"


# The functions.


def functions_are_static_binaries_on_arm(t):
    assert set(functions(t)) == FUNCTIONS
    assert t["Parameters"]["Architecture"]["Default"] == "arm64"
    for name, f in functions(t).items():
        assert (f["Runtime"], f["Handler"]) == ("provided.al2023", "bootstrap"), name
        assert f["Architectures"] == [{"Ref": "Architecture"}], name
        assert f["CodeUri"] == f"functions/{name.removesuffix('Function').lower()}/"
        assert t["Resources"][name]["Metadata"]["BuildMethod"] == "go1.x", name


def only_crawl_and_clean_may_feed_themselves(t):
    looping = {name: f.get("RecursiveLoop") for name, f in functions(t).items()}
    assert looping == dict.fromkeys(FUNCTIONS) | {"CrawlFunction": "Allow", "CleanFunction": "Allow"}


def functions_know_the_stack(t):
    for name, f in functions(t).items():
        want = VARIABLES | (SWITCHES if name in ("SeedFunction", "KeeperFunction") else set())
        want |= {"SLUICE_STRUCTURE_MAPPING"} if name == "KeeperFunction" else set()
        assert set(f["Environment"]["Variables"]) - {"GOMEMLIMIT"} == want, name
    variables = t["Globals"]["Function"]["Environment"]["Variables"]
    assert targets(variables["SLUICE_FRONTIER_QUEUES"]) == LANES, "the best lane first"


def logs_are_json_and_expire(t):
    groups = {}
    for name, f in functions(t).items():
        assert f["LoggingConfig"]["LogFormat"] == "JSON", name
        groups[target(f["LoggingConfig"]["LogGroup"])] = name
    assert set(groups) == set(of(t, "AWS::Logs::LogGroup")), "a group each, none to spare"
    assert len(groups) == len(FUNCTIONS)
    for name, group in of(t, "AWS::Logs::LogGroup").items():
        assert t["Parameters"][target(group["RetentionInDays"])]["Default"] >= 1, name


def functions_are_traced_if_asked(t):
    assert t["Parameters"]["Tracing"]["Default"] == "off"
    assert t["Conditions"]["Traces"] == {"Fn::Equals": [{"Ref": "Tracing"}, "on"]}
    for name, f in functions(t).items():
        assert f["Tracing"] == {"Fn::If": ["Traces", "Active", "PassThrough"]}, name
    daemon = {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/AWSXRayDaemonWriteAccess"}
    for name, role in of(t, "AWS::IAM::Role").items():
        assert role["ManagedPolicyArns"] == {"Fn::If": ["Traces", [daemon], {"Ref": "AWS::NoValue"}]}, name
    assert not of(t, "AWS::IAM::Policy"), "a function could be made before it: Lambda tries the role then"


UNTAGGED = {  # they take no tags
    "AWS::ApplicationAutoScaling::ScalableTarget", "AWS::ApplicationAutoScaling::ScalingPolicy",
    "AWS::CloudWatch::Dashboard", "AWS::Lambda::Permission", "AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy",
}  # fmt: skip


def a_bill_names_the_stack(t):
    name = {"Ref": "AWS::StackName"}
    assert t["Globals"]["Function"]["Tags"] == {"sluice": name}
    for resource, r in t["Resources"].items():
        if r["Type"] not in UNTAGGED | {"AWS::Serverless::Function"}:
            assert {"Key": "sluice", "Value": name} in r["Properties"]["Tags"], resource


# What the functions may do.


def each_function_has_its_own_role(t):
    roles = {name: target(f["Role"]) for name, f in functions(t).items()}
    assert roles == {name: name.replace("Function", "Role") for name in FUNCTIONS}
    assert set(of(t, "AWS::IAM::Role")) == set(roles.values())
    for name, role in of(t, "AWS::IAM::Role").items():
        (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Principal"] == {"Service": "lambda.amazonaws.com"}, name


def no_action_is_a_pattern(t):
    for role, s in statements(t):
        assert s["Effect"] == "Allow" and "NotAction" not in s, role
        for action in s["Action"]:
            assert re.fullmatch(r"[a-z0-9]+:[A-Za-z]+", action), f"{role}: {action}"


def every_resource_is_named(t):
    """The one * is for the objects under a prefix. All actions used here have a resource level."""
    for role, s in statements(t):
        for resource in s["Resource"]:
            name = text(resource)
            if name.startswith("${Bucket.Arn}"):
                assert re.fullmatch(r"\$\{Bucket\.Arn\}/[a-z]+/\*", name), f"{role}: {name}"
            else:
                assert resource != "*" and "*" not in name, f"{role}: {resource}"


def nothing_scans_or_deletes_data(t):
    """Rows of the backlog, journals and messages are work, not data: they are deleted once they are done."""
    journals = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["journal#*"]}}
    for role, s in statements(t):
        for action in s["Action"]:
            assert action != "dynamodb:Scan", role
            if action == "dynamodb:DeleteItem":
                assert [target(r) for r in s["Resource"]] == ["BacklogTable"], role
            elif "Delete" in action:
                assert action == "sqs:DeleteMessage", f"{role}: {action}"
            if action == "dynamodb:BatchWriteItem":  # it can delete as well
                table = "CrawlsTable" if s.get("Condition") == journals else "BacklogTable"
                assert [target(r) for r in s["Resource"]] == [table], role


def each_role_writes_its_own_prefixes(t):
    writes = {role: set() for role in of(t, "AWS::IAM::Role")}
    for role, s in statements(t):
        if "s3:PutObject" in s["Action"]:
            writes[role] |= {text(r).split("/")[1] for r in s["Resource"]}
    assert writes == {
        "SeedRole": set(), "KeeperRole": {"learned"}, "CrawlRole": {"raw"}, "CleanRole": {"corpus", "rejects"},
        "StructureRole": {"looks", "records", "sites"},
    }  # fmt: skip


def readers_learn_what_is_missing(t):
    """S3 answers 404 with permission to list, else 403; a read has no prefix, hence IfExists."""
    reads, lists = {}, {}
    for role, s in statements(t):
        if "s3:GetObject" in s["Action"]:
            reads[role] = [text(r).removeprefix("${Bucket.Arn}/") for r in s["Resource"]]
        if "s3:ListBucket" in s["Action"]:
            assert [target(r) for r in s["Resource"]] == ["Bucket"], role
            ((operator, condition),) = s["Condition"].items()
            assert (operator, list(condition)) == ("StringLikeIfExists", ["s3:prefix"]), role
            lists[role] = condition["s3:prefix"]
    assert reads and lists == reads, "what is read may be listed, and nothing else"


def switches_are_for_seed_and_keeper(t):
    may = {}
    for role, s in statements(t):
        if "lambda:UpdateEventSourceMapping" in s["Action"]:
            may[role] = [name for r in s["Resource"] for name in targets(r)]
    assert may == {"SeedRole": SWITCHED, "KeeperRole": [*SWITCHED, "StructureMapping"]}
    ends = {role for role, s in statements(t) if "events:DisableRule" in s["Action"]}
    assert ends == {"KeeperRole"}


def arns_name_the_partition(t):
    for s in strings(t["Resources"]):
        assert not re.search(r"\barn:(?!\$\{AWS::Partition\}:)", s), s


# The tables and the bucket.


def tables_cost_nothing_idle_and_can_go_back(t):
    tables = of(t, "AWS::DynamoDB::Table")
    assert set(tables) == set(KEYS)
    assert t["Parameters"]["Capacity"]["Default"] == "on-demand"
    assert t["Conditions"]["Provisioned"] == {"Fn::Equals": [{"Ref": "Capacity"}, "provisioned"]}
    for name, table in tables.items():
        assert table["BillingMode"] == {"Fn::If": ["Provisioned", "PROVISIONED", "PAY_PER_REQUEST"]}, name
        assert table["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}, name
        back = table.get("PointInTimeRecoverySpecification", {}).get("PointInTimeRecoveryEnabled", False)
        assert back == (name != "BacklogTable"), f"{name}: waiting links change all the time and are found again"


def provisioned_units_follow_the_load(t):
    least = {"Ref": "LeastUnits"}
    units = {f"{way}CapacityUnits": least for way in WAYS}
    begin = {"Fn::If": ["Provisioned", units, {"Ref": "AWS::NoValue"}]}
    places = set()
    for name, table in of(t, "AWS::DynamoDB::Table").items():
        places.add(f"table/${{{name}}}")
        assert table["ProvisionedThroughput"] == begin, name
        for index in table.get("GlobalSecondaryIndexes", []):
            places.add(f"table/${{{name}}}/index/{index['IndexName']}")
            assert index["ProvisionedThroughput"] == begin, name
    followed = {}
    for name, u in of(t, "AWS::ApplicationAutoScaling::ScalableTarget").items():
        assert t["Resources"][name]["Condition"] == "Provisioned", name
        assert u["ServiceNamespace"] == "dynamodb" and u["MinCapacity"] == least, name
        place, (_, kind, way) = u["ResourceId"]["Fn::Sub"], u["ScalableDimension"].split(":")
        assert kind == ("index" if "/index/" in place else "table"), name
        followed[name] = (place, way.removesuffix("CapacityUnits"))
    assert set(followed.values()) == {(place, way) for place in places for way in WAYS}
    for name, s in of(t, "AWS::ApplicationAutoScaling::ScalingPolicy").items():
        assert (t["Resources"][name]["Condition"], s["PolicyType"]) == ("Provisioned", "TargetTrackingScaling"), name
        follow = s["TargetTrackingScalingPolicyConfiguration"]
        _, way = followed.pop(target(s["ScalingTargetId"]))
        metric = {"PredefinedMetricType": f"DynamoDB{way}CapacityUtilization"}
        assert follow == {"TargetValue": 70, "PredefinedMetricSpecification": metric}, f"{name}: cost/prices.go has the 70"
    assert not followed, "each has a policy"


def tables_go_with_the_stack_and_no_sooner(t):
    """An update that replaces a table must not lose its crawls."""
    for name in KEYS:
        r = t["Resources"][name]
        assert (r.get("DeletionPolicy"), r.get("UpdateReplacePolicy")) == ("Delete", "Retain"), name


def tables_have_the_keys_of_the_design(t):
    for name, table in of(t, "AWS::DynamoDB::Table").items():
        assert [k["AttributeName"] for k in table["KeySchema"]] == KEYS[name], name
    (index,) = of(t, "AWS::DynamoDB::Table")["UrlsTable"]["GlobalSecondaryIndexes"]
    assert index["IndexName"] == "history"
    assert [k["AttributeName"] for k in index["KeySchema"]] == ["hc", "hk"]
    assert index["Projection"] == {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["u", "r"]}


def the_bucket_is_encrypted(t):
    (rule,) = bucket(t)["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] in ("AES256", "aws:kms")


def the_bucket_is_private(t):
    block = bucket(t)["PublicAccessBlockConfiguration"]
    assert block == dict.fromkeys(
        ["BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"], True
    )


def the_bucket_refuses_plain_text(t):
    (policy,) = of(t, "AWS::S3::BucketPolicy").values()
    (s,) = policy["PolicyDocument"]["Statement"]
    assert denies_plain_text(s, "s3:*")
    assert s["Resource"] == [{"Fn::GetAtt": ["Bucket", "Arn"]}, {"Fn::Sub": "${Bucket.Arn}/*"}]


def the_bucket_outlives_the_stack(t):
    for name in ("Bucket", "BucketPolicy"):
        r = t["Resources"][name]
        kept = (r.get("DeletionPolicy"), r.get("UpdateReplacePolicy"))
        assert kept == ("RetainExceptOnCreate", "Retain"), f"{name}: a creation that fails leaves no empty bucket"


def the_bucket_tidies_itself(t):
    rules = [r for r in bucket(t)["LifecycleConfiguration"]["Rules"] if r["Status"] == "Enabled"]
    assert [r for r in rules if "AbortIncompleteMultipartUpload" in r and "Prefix" not in r]
    ((prefix, (move,)),) = [(r["Prefix"], r["Transitions"]) for r in rules if "Transitions" in r]
    assert (prefix, move["StorageClass"]) == ("raw/", "STANDARD_IA")
    assert t["Parameters"][target(move["TransitionInDays"])]["Default"] >= 30, "S3 takes no less"
    assert not [r for r in rules if any(key.startswith("Expiration") for key in r)]


def objects_ring_their_queues(t):
    rings = {}
    for c in bucket(t)["NotificationConfiguration"]["QueueConfigurations"]:
        ((name, value),) = [(r["Name"], r["Value"]) for r in c["Filter"]["S3Key"]["Rules"]]
        assert (name, c["Event"]) == ("prefix", "s3:ObjectCreated:*")
        rings[value] = target(c["Queue"])
    assert rings == {"seeds/": "SeedsQueue", "raw/": "CleanQueue"}
    assert {f"{q}Policy" for q in rings.values()} <= set(t["Resources"]["Bucket"]["DependsOn"])


def only_the_bucket_rings(t):
    (own,) = listed(bucket(t)["BucketName"]["Fn::Sub"][:1])
    allowed = set()
    for policy in of(t, "AWS::SQS::QueuePolicy").values():
        for s in policy["PolicyDocument"]["Statement"]:
            if s["Effect"] == "Allow":
                assert (s["Principal"], s["Action"]) == ({"Service": "s3.amazonaws.com"}, "sqs:SendMessage")
                assert s["Condition"]["StringEquals"]["aws:SourceAccount"] == {"Ref": "AWS::AccountId"}
                source = s["Condition"]["ArnEquals"]["aws:SourceArn"]
                assert text(source) == f"arn:${{AWS::Partition}}:s3:::{own}"
                assert source["Fn::Sub"][1] == bucket(t)["BucketName"]["Fn::Sub"][1]
                allowed.add(target(s["Resource"]))
    assert allowed == {"SeedsQueue", "CleanQueue"}


# Dashboard and alarms.


def alarms_watch_queues_functions_and_tables(t):
    watched = set()
    for name, a in of(t, "AWS::CloudWatch::Alarm").items():
        dimension, *index = a["Dimensions"]
        of_index = tuple(i["Value"] for i in index if i["Name"] == "GlobalSecondaryIndexName")
        assert len(of_index) == len(index), name
        watched.add((a["Namespace"], a["MetricName"], dimension["Name"], target(dimension["Value"]), *of_index))
        assert (a["ComparisonOperator"], a["TreatMissingData"]) == ("GreaterThanThreshold", "notBreaching"), name
        assert a["Statistic"] == ("Maximum" if a["Namespace"] == "AWS/SQS" else "Sum"), name
        assert a["AlarmActions"]["Fn::If"][0] == "HasAlarmTopic", name
    queue, function, table = ("AWS/SQS", "QueueName"), ("AWS/Lambda", "FunctionName"), ("AWS/DynamoDB", "TableName")
    want = {(queue[0], "ApproximateNumberOfMessagesVisible", queue[1], q) for q in DEAD.values()}
    want |= {(queue[0], "ApproximateAgeOfOldestMessage", queue[1], q) for q in DEAD}
    want |= {(function[0], m, function[1], f) for m in ("Errors", "Throttles") for f in FUNCTIONS}
    tables = [(name,) for name in KEYS] + [("UrlsTable", "history")]
    want |= {(table[0], f"{way}ThrottleEvents", table[1], *name) for name in tables for way in WAYS}
    assert watched == want


def the_alarm_of_dead_links_allows_for_some(t):
    alarms = of(t, "AWS::CloudWatch::Alarm")
    assert alarms["FrontierDeadAlarm"]["Threshold"] >= 1000, "some links of every crawl cannot be fetched"


def the_dashboard_shows_everything(t):
    (dashboard,) = of(t, "AWS::CloudWatch::Dashboard").values()
    body = dashboard["DashboardBody"]["Fn::Sub"]
    shown = set(targets(body))
    assert shown == {*DEAD, *DEAD.values(), *FUNCTIONS, *KEYS}
    for widget in json.loads(body)["widgets"]:
        assert widget["properties"]["region"] == "${AWS::Region}"
        assert widget["properties"]["metrics"]


def deploy_asks_nothing(t):
    for name, p in t["Parameters"].items():
        assert "Default" in p and p.get("Description"), name


def outputs_are_what_the_cli_reads(t):
    assert set(t["Outputs"]) == OUTPUTS
    for name in OUTPUTS - {"FrontierQueues", "Mappings", "RenderQueue"}:
        assert t["Outputs"][name]["Value"] == {"Ref": name}
    assert t["Outputs"]["RenderQueue"] == {"Condition": "Renders", "Value": {"Ref": "RenderQueueUrl"}}
    assert targets(t["Outputs"]["FrontierQueues"]["Value"]) == LANES
    assert targets(t["Outputs"]["Mappings"]["Value"]) == SWITCHED
    for name in ("SeedFunction", "KeeperFunction"):
        assert functions(t)[name]["Environment"]["Variables"]["SLUICE_MAPPINGS"] == t["Outputs"]["Mappings"]["Value"]
