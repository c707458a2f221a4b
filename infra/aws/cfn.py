"""Reads template.yaml as CloudFormation does, short tags and all."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "template.yaml"


class _Loader(yaml.SafeLoader):
    pass


def _tag(loader, suffix, node):
    """Turn `!Name value` into its long form, {"Fn::Name": value}."""
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _tag)


def load(path=PATH):
    """Return the template as plain dicts and lists."""
    return yaml.load(Path(path).read_text(encoding="utf-8"), _Loader)


def of(template, kind):
    """Return the properties of all resources of a type, by logical id."""
    return {
        name: r.get("Properties", {})
        for name, r in template["Resources"].items()
        if r["Type"] == kind
    }


def functions(template):
    """Return the functions' properties with the globals filled in, by logical id."""
    shared = template["Globals"]["Function"]
    return {
        name: shared | own | {"Environment": {"Variables": _variables(shared) | _variables(own)}}
        for name, own in of(template, "AWS::Serverless::Function").items()
    }


def _variables(properties):
    return properties.get("Environment", {}).get("Variables", {})


def target(value):
    """Return the logical id that a Ref, GetAtt or Sub of one name points to; "" for others."""
    match value:
        case {"Ref": name}:
            return name
        case {"Fn::GetAtt": [name, _]}:
            return name
        case {"Fn::Sub": str(text)}:
            names = targets(value)
            return names[0] if len(names) == 1 and not text.startswith("arn:") else ""
    return ""


def targets(value):
    """Return the logical ids in a Sub, in order, without CloudFormation's own."""
    names = re.findall(r"\$\{([A-Za-z0-9]+)(?:\.\w+)?\}", text(value))
    return [name for name in names if name != "Id"]


def text(value):
    """Return the text of a string or a Sub; "" for others."""
    match value:
        case str():
            return value
        case {"Fn::Sub": [str(pattern), _]}:
            return pattern
        case {"Fn::Sub": str(pattern)}:
            return pattern
    return ""


def listed(value):
    """Return a value that may be one or a list as a list."""
    return value if isinstance(value, list) else [value]


def strings(value):
    """Yield every string in a value, keys left out."""
    match value:
        case str():
            yield value
        case dict():
            for v in value.values():
                yield from strings(v)
        case list():
            for v in value:
                yield from strings(v)


def statements(template):
    """Yield (role, statement) of the roles' policies, actions and resources as lists."""
    for role, properties in of(template, "AWS::IAM::Role").items():
        for policy in properties.get("Policies", []):
            for s in policy["PolicyDocument"]["Statement"]:
                yield role, s | {"Action": listed(s["Action"]), "Resource": listed(s["Resource"])}
