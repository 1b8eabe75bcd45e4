"""Jobs of a marketing manager, done by an agent through the bridge with the official client.

Each job has its own demo and a limit of tool calls. The agent does not guess: what it passes comes from the list of
tools or from an earlier result.
"""

import asyncio
import json
import re
import time
from datetime import date, datetime, timedelta, timezone
from email import message_from_bytes, policy
from zoneinfo import ZoneInfo

import pytest
from mcp import Client, StdioServerParameters

from agent import Agent, feed, next_monday, open_url, wait_for
from conftest import Service
from harness import SCRIPT, WAIT_TIMEOUT, bridge_environment

DEMO_POSTS = 6  # four published, one draft, one scheduled
REQUESTS_PER_MINUTE = 60


@pytest.fixture
def demo(tmp_path):
    """A demo of its own, so that what it contains is known exactly."""
    service = Service(tmp_path)
    service.folder = tmp_path
    yield service
    service.close()


@pytest.fixture
def play(demo):
    """Plays a job with a new key. It may make at most this number of calls."""

    def play(job, limit, key=None):
        key = key or demo.create_key("write")
        environment = bridge_environment(demo.url, key["api_key"])
        server = StdioServerParameters(command="/usr/bin/python3", args=[str(SCRIPT)], env=environment)
        failures = []  # raised outside the client, which would wrap them

        async def run():
            async with Client(server, mode="auto", read_timeout_seconds=WAIT_TIMEOUT) as client:
                agent = Agent(client)
                try:
                    await agent.list_tools()
                    await job(agent)
                except Exception as failure:
                    failures.append(failure)
                return agent

        agent = asyncio.run(run())
        if failures:
            raise failures[0]
        print(f"{len(agent.calls)} calls, {agent.sent} sent: {', '.join(agent.calls)}")
        assert len(agent.calls) <= limit, agent.calls

    return play


# 1. "What is wrong with our site, and what do we fix first?"


def test_job_1_what_to_fix_first(demo, play):
    site = demo.about["site_url"]

    async def job(agent):
        audit = await agent.work("run_audit")
        summary = audit["summary"]
        assert summary["end"] == "complete" and summary["left_out"] == 0
        assert (summary["score"], summary["html_pages"], summary["pages_with_errors"]) == (22.2, 9, 7)
        assert summary["counts"] == {"errors": 9, "warnings": 16, "notices": 20}

        first = audit["fixes"][0]
        assert first["title"] == "Page not found (4xx)" and first["severity"] == "error"
        assert first["codes"] == ["http_4xx", "canonical_to_error"]
        assert first["pages"] == [f"{site}/about-us", f"{site}/about"] and first["pages_total"] == 2
        assert first["linked_from"] == [f"{site}/about"]
        assert first["issues"] == 2
        # The fix repairs two of the seven pages with errors.
        assert first["score_gain"] == 22.2 == round(100 * (1 - 5 / 9) - 100 * (1 - 7 / 9), 1)
        severities = [fix["severity"] for fix in audit["fixes"]]
        assert severities == sorted(severities, key=["error", "warning", "notice"].index)
        # No error is missing.
        assert sum(fix["issues"] for fix in audit["fixes"] if fix["severity"] == "error") == summary["counts"]["errors"]

        listed = await agent.call("list_audit_issues", audit_id=audit["audit_id"], limit=100)
        assert "next_cursor" not in listed and listed["total"] == len(listed["items"])
        counts = {"errors": 0, "warnings": 0, "notices": 0}
        for item in listed["items"]:
            counts[item["severity"] + "s"] += item["issues"]
        assert counts == summary["counts"]
        [missing] = [item for item in listed["items"] if item["code"] == "http_4xx"]
        assert [page["url"] for page in missing["pages"]] == [f"{site}/about-us", f"{site}/events", f"{site}/jobs"]
        assert missing["pages"][0]["evidence"]["related"] == first["linked_from"]

    play(job, limit=2)
    # The site itself shows what the audit says.
    assert open_url(f"{site}/about-us")[0] == 404
    status, page = open_url(f"{site}/about")
    assert status == 200 and '<link rel="canonical" href="/about-us">' in page


def test_an_audit_says_if_it_does_not_show_all_fixes(play):
    async def job(agent):
        audit = await agent.work("run_audit")
        shown = sum(fix["issues"] for fix in audit["fixes"])
        found = sum(audit["summary"]["counts"].values())
        described = agent.tools["run_audit"]["description"] + json.dumps(agent.tools["run_audit"]["outputSchema"])
        says_so = (
            "fixes_total" in audit
            or any("fix" in note for note in audit["summary"].get("notes", []))
            or re.search(r"first 20|at most 20|20 at most", described)
        )
        assert shown == found or says_so, f"the fixes have {shown} of {found} issues, and nothing says so"

    play(job, limit=1)


# 2. "Post this on Monday at 9 our time."


def test_job_2_post_on_monday_at_nine(demo, play):
    async def job(agent):
        brand = await agent.call("get_brand")
        assert brand["time_zone"] == "Europe/Berlin"
        monday = next_monday(brand, 9)
        post = {
            "text": "New on Monday: a light roast from Huila.",
            "channels": [channel["channel"] for channel in brand["channels"]],
            "mode": "schedule",
            "scheduled_at": f"{monday:%Y-%m-%dT%H:%M}",  # without a zone
        }
        assert await agent.call("validate_post", **post) == {"valid": True, "issues": []}
        made = (await agent.call("create_post", **post))["post"]
        assert made["scheduled_at"].endswith("Z")
        at = datetime.fromisoformat(made["scheduled_at"])
        assert at == monday
        assert f"{at.astimezone(ZoneInfo('Europe/Berlin')):%A %H:%M:%S}" == "Monday 09:00:00"
        [target] = made["targets"]
        assert (target["channel"], target["status"]) == ("feed", "scheduled")

        # The demo's own scheduled post goes out a week after its start, which may be in the same minute.
        window = {"scheduled_from": post["scheduled_at"], "scheduled_to": f"{monday:%Y-%m-%dT%H}:01"}
        listed = await agent.call("list_posts", status="scheduled", **window)
        assert made in listed["items"]
        for item in listed["items"]:
            assert at <= datetime.fromisoformat(item["scheduled_at"]) < at + timedelta(minutes=1)

    play(job, limit=4)
    assert "New on Monday: a light roast from Huila." not in [item["content_text"] for item in feed(demo)]


# 3. "Publish the first draft, change the second, cancel the third."


def test_job_3_three_drafts(demo, play):
    texts = ["The first draft", "The secnd draft", "The third draft"]

    async def job(agent):
        made = []
        for number, text in enumerate(texts):
            draft = {"text": text, "channels": ["feed"], "idempotency_key": f"draft-{number}"}
            made.append((await agent.call("create_post", **draft))["post"])
            assert made[-1]["targets"][0]["status"] == "draft"
        repeated = (await agent.call("create_post", **draft))["post"]
        assert repeated == made[2]
        assert len({post["post_id"] for post in made}) == 3

        first, second, third = ({"post_id": post["post_id"], "expected_version": post["version"]} for post in made)
        published = (await agent.call("publish_post", **first))["post"]
        [target] = published["targets"]
        assert target["status"] == "published"
        assert target["url"] == f"{demo.url}/feeds/{demo.about['brand_id']}/posts/{first['post_id']}"
        changed = (await agent.call("update_post", text="The second draft", **second))["post"]
        assert changed["text"] == "The second draft" and changed["version"] == second["expected_version"] + 1
        assert changed["targets"][0]["status"] == "draft"
        assert (await agent.call("cancel_post", **third))["notes"] == ["The draft was deleted."]

        listed = await agent.call("list_posts", limit=100)
        assert listed["total"] == len(listed["items"]) == DEMO_POSTS + 2
        ours = [post for post in listed["items"] if post["text"].endswith("draft")]
        assert ours == [changed, published]  # newest first
        assert third["post_id"] not in [post["post_id"] for post in listed["items"]]

    play(job, limit=8)
    public = [item["content_text"] for item in feed(demo)]
    assert [text for text in public if text.endswith("draft")] == ["The first draft"]


# 4. "Send last week's report to everybody, and every Monday at 8 from now on."


def test_job_4_the_report_now_and_every_monday(demo, play):
    def posts_between(first, last):
        days = [datetime.fromisoformat(item["date_published"]).astimezone(timezone.utc).date() for item in feed(demo)]
        return sum(first <= day <= last for day in days)

    async def job(agent):
        brand = await agent.call("get_brand")
        assert brand["report_recipients"] == [{"recipient": "a…@acme.example", "status": "confirmed"}]
        today = date.fromisoformat(brand["local_time"][:10])
        first = today - timedelta(days=today.weekday() + 7)
        last = first + timedelta(days=6)
        period = {"from": str(first), "to": str(last)}
        before = {"from": str(first - timedelta(days=7)), "to": str(last - timedelta(days=7))}

        preview = await agent.call("preview_report", period=f"{first}/{last}")
        assert (preview["period"], preview["compared_with"]) == (period, before)
        assert f"Posts {posts_between(first, last)} (" in preview["summary"], preview["summary"]
        sent = await agent.call("send_report_email", period=f"{first}/{last}", idempotency_key="last-week")
        assert sent["dry_run"] is False and sent["recipients"] == ["a…@acme.example"]
        assert (sent["period"], sent["compared_with"]) == (period, before)
        assert (sent["subject"], sent["mails_left_today"]) == (preview["subject"], 19)
        [queued] = sent["emails"]
        done = await agent.poll(lambda listed: listed["items"][0]["status"] == "sent", "list_report_emails")
        [email] = done["items"]
        assert (email["email_id"], email["report_id"]) == (queued["email_id"], sent["report_id"])

        weekly = {"kind": "report", "every": "week", "weekday": "monday", "at": "08:00"}
        schedule = (await agent.call("create_schedule", **weekly))["schedule"]
        listed = await agent.call("list_schedules")
        assert listed["items"] == [schedule] and listed["total"] == 1
        assert {name: schedule[name] for name in weekly} == weekly
        assert schedule["time_zone"] == "Europe/Berlin"
        next_at = datetime.fromisoformat(schedule["next_at"])
        local = next_at.replace(tzinfo=None)
        assert (local.weekday(), local.time().isoformat("minutes")) == (0, "08:00")
        assert next_at.utcoffset() == local.replace(tzinfo=ZoneInfo("Europe/Berlin")).utcoffset()
        now = datetime.fromisoformat(schedule["created_at"])
        assert now < next_at <= now + timedelta(days=7, hours=1)  # an hour: the clocks may change

        deleted = await agent.call("delete_schedule", schedule_id=schedule["schedule_id"])
        assert deleted["deleted"] == schedule
        left = await agent.call("list_schedules")
        assert left["items"] == [] and left["total"] == 0
        return sent

    results = []

    async def keep(agent):
        results.append(await job(agent))

    play(keep, limit=8)
    [mail] = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mails(demo)]
    assert mail["To"] == "ada@acme.example" and mail["Subject"] == results[0]["subject"]


def mails(service):
    """The demo writes its mails as files."""
    return [path for path in (service.folder / "mail").iterdir() if path.suffix == ".eml"]


def test_a_report_does_not_show_a_search_without_seeds_as_empty_quotes(play):
    async def job(agent):
        await agent.call("keyword_research_search", gaps_only=True)
        preview = await agent.call("preview_report", period="last_7_days", sections=["keywords"])
        assert "Searches: 1" in preview["text"]
        assert "“”" not in preview["text"], preview["text"]

    play(job, limit=2)


# 5. "Which topics do our competitors cover and we do not?"


def test_job_5_topics_of_competitors(demo, play):
    port = demo.about["site_url"].rpartition(":")[2]
    competitors = (f"http://beans.localhost:{port}/", f"http://roast.localhost:{port}/")

    async def job(agent):
        await agent.work("run_audit")  # otherwise only a few of our pages are read
        found = await agent.call("keyword_research_search", gaps_only=True, limit=5)
        search = found["search"]
        assert search["seeds"] == [] and search["gaps_only"] is True
        read = {"own_pages": 5, "own_posts": 4, "competitor_pages": 4, "imported_rows": 16, "provider_rows": 0}
        assert search["read"] == read
        assert len(found["items"]) == 5
        rest = await agent.call(
            "get_keyword_search", search_id=search["search_id"], cursor=found["next_cursor"], limit=100
        )
        assert "next_cursor" not in rest and rest["search"] == search
        rows = found["items"] + rest["items"]
        keywords = [row["keyword"] for row in rows]
        assert found["total"] == rest["total"] == search["keywords"] == len(rows) == len(set(keywords))

        assert all(row["gap"] for row in rows)
        for row in rows:
            assert "own_pages" not in row["sources"] and "own_posts" not in row["sources"]
            assert row["found_on"] and all(page.startswith(competitors) for page in row["found_on"]), row
        single = [" " not in keyword for keyword in keywords]
        assert single == sorted(single), f"a single word is before a phrase: {keywords}"
        assert search["gaps"] == keywords[:10]
        assert {"espresso machines", "coffee subscription", "how long does cold brew last"} <= set(keywords)
        assert "cold brew" not in keywords  # it is on our menu

        volumes = {row["keyword"]: row["volume"] for row in rows if "volume" in row}
        assert volumes == {"coffee subscription": 18100}  # from the imported list
        notes = search.get("notes", [])
        assert any("volume" in note for note in notes), f"{len(rows) - 1} rows without a volume, and no note: {notes}"

    play(job, limit=3)


def test_gaps_without_seeds_say_which_are_left_out(play):
    async def job(agent):
        await agent.work("run_audit")
        described = agent.tools["keyword_research_search"]["inputSchema"]["properties"]["gaps_only"]["description"]
        assert "two or more" in described
        every = await agent.call("keyword_research_search", gaps_only=True, limit=100)
        # A competitor has a page with this title.
        seeded = await agent.call("keyword_research_search", gaps_only=True, seeds=["barista courses"])
        assert seeded["items"][0]["keyword"] == "barista courses" and seeded["items"][0]["gap"] is True
        keywords = [row["keyword"] for row in every["items"]]
        notes = every["search"].get("notes", [])
        explained = any("seed" in note for note in notes)
        assert "barista courses" in keywords or explained, f"gaps: {keywords}, notes: {notes}"

    play(job, limit=3)


def test_every_search_without_an_audit_says_that_few_pages_were_read(play):
    async def job(agent):
        for number in (1, 2):
            search = (await agent.call("keyword_research_search", gaps_only=True))["search"]
            assert search["read"]["own_pages"] < 5  # the site has five pages
            notes = search.get("notes", [])
            assert any("run_audit" in note for note in notes), f"search {number} has the notes {notes}"

    play(job, limit=2)


# 6. "Which of our pages is hardest to read, and does any duplicate another?"


def test_job_6_hardest_page_and_duplicates(demo, play):
    site = demo.about["site_url"]

    async def job(agent):
        await agent.work("run_audit")
        content = (await agent.work("run_analysis", kind="content", scope="pages"))["result"]
        ranking = content["ranking"]
        assert (ranking["texts"], ranking["hard"]) == (5, 0)
        assert content["findings"][0].startswith("0 of 5 texts are hard to read")
        order = ["/menu", "/about", "/blog/winter-roast", "/", "/blog/Choosing_Beans"]
        assert [item["name"] for item in ranking["items"]] == [site + path for path in order]
        assert [item["ease"] for item in ranking["items"]] == [60.7, 75.8, 76.2, 86.2, 109.0]
        assert ranking["items"][0]["verdict"] == "Not hard to read (Flesch 61, plain English is above 60)."

        pages = await agent.call("list_pages", query="menu", status="2xx")
        [menu] = pages["items"]
        assert menu["url"] == ranking["items"][0]["name"] and menu["words"] == ranking["items"][0]["words"] == 14

        compared = (await agent.work("run_analysis", kind="duplicates"))["result"]
        duplicates = compared["duplicates"]
        assert (duplicates["texts"], duplicates["empty"]) == (5 + DEMO_POSTS, 0)
        assert duplicates["threshold"] == 0.8 and duplicates["groups"] == [] and duplicates["groups_total"] == 0
        closest = duplicates["closest"]
        assert closest["first"] == f"{site}/blog/winter-roast" != closest["second"]
        assert closest["similarity"] == 0.0096
        [finding] = compared["findings"]
        assert "0.8" in finding and closest["first"] in finding and closest["second"] in finding
        post = await agent.call("get_post", post_id=closest["second"])
        assert post["title"] == "New: the winter roast"

    play(job, limit=5)


def test_the_list_of_pages_and_the_analysis_name_the_same_hardest_page(play):
    async def job(agent):
        await agent.work("run_audit")
        pages = await agent.call("list_pages", sort="hardest_to_read", status="2xx")
        content = await agent.work("run_analysis", kind="content", scope="pages")
        by_list = [page["url"] for page in pages["items"]]
        by_analysis = [item["name"] for item in content["result"]["ranking"]["items"]]
        assert sorted(by_list) == sorted(by_analysis)
        assert by_list[0] == by_analysis[0]

    play(job, limit=3)


# 7. "What did I do today, and how many requests do I have left?"


def test_job_7_activity_and_requests_left(demo, play):
    key = demo.create_key("write")
    written = f"{demo.keys_path}/{key['key_id']}/activity?kind=call"
    before = datetime.now(timezone.utc)
    start = time.monotonic()

    async def job(agent):
        listed = time.monotonic()  # the list of tools, the first request, was answered
        first = (await agent.call("get_brand"))["key"]
        assert (first["key_id"], first["scope"]) == (key["key_id"], "write")
        draft = (await agent.call("create_post", text="For one moment", channels=["feed"]))["post"]
        await agent.call("cancel_post", post_id=draft["post_id"])
        gone = json.loads(await agent.refusal("get_post", post_id=draft["post_id"]))
        assert gone["code"] == "post_not_found" and "list_posts" in gone["hint"]
        mistyped = await agent.refusal("list_activty")
        assert "Did you mean `list_activity`?" in mistyped
        wrong = (await agent.refusal("list_posts", limit="three")).splitlines()
        assert wrong[0] == "The arguments are invalid. Correct them and call the tool again:"
        assert wrong[1:] == ["- limit: must be a whole number, not a string"]

        # Events are written about a second later. The management API has no limit, so it is used to wait.
        await asyncio.to_thread(wait_for, lambda: len(demo.manage("GET", written)["events"]) == 6)
        activity = await agent.call("list_activity")
        done = [(item.get("tool"), item["outcome"], item.get("reason")) for item in activity["items"]]
        assert done == [
            ("list_posts", "denied", "invalid_arguments"),
            (None, "denied", "unknown_tool"),
            ("get_post", "error", "tool_failed"),
            ("cancel_post", "ok", None),
            ("create_post", "ok", None),
            ("get_brand", "ok", None),
        ]
        assert all((item["kind"], item["count"]) == ("call", 1) for item in activity["items"])
        times = [datetime.fromisoformat(item["at"]) for item in activity["items"]]
        assert times == sorted(times, reverse=True)
        assert before - timedelta(seconds=1) < times[-1] and times[0] <= datetime.now(timezone.utc)

        asked = time.monotonic()
        left = (await agent.call("get_brand"))["key"]
        answered = time.monotonic()
        assert left["requests_per_minute"] == REQUESTS_PER_MINUTE
        requests = agent.sent + 1  # the list of tools
        if answered - start < 60:
            assert left["requests_left"] == REQUESTS_PER_MINUTE - requests
            # The first request is free again when it is a minute old.
            assert 60 - (answered - start) - 1 <= left["reset_seconds"] <= 60 - (asked - listed) + 1
        else:  # a very slow machine: older requests are free again
            assert REQUESTS_PER_MINUTE - requests <= left["requests_left"] < REQUESTS_PER_MINUTE
            assert 0 < left["reset_seconds"] <= 60

    play(job, limit=8, key=key)
