import os

import pytest

pytest.register_assert_rewrite("promises")

# SAM's translator asks boto3 for a region, though nothing here leaves the machine.
os.environ["AWS_DEFAULT_REGION"] = "us-east-1"
os.environ.pop("AWS_PROFILE", None)
