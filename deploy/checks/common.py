"""What the checks of deploy/ share."""

import sys

import yaml


def check(condition, what):
    if not condition:
        sys.exit(f"deploy: {what}")


def done(what):
    print(f"ok: {what}", flush=True)


def documents(text):
    return [document for document in yaml.safe_load_all(text) if document]
