"""Background work in the operator's console."""

import pytest
from playwright.sync_api import expect

from operator_steps import confirm, listed, open_console, schedule_post
from service import eventually
from steps import choose, dialog


@pytest.fixture
def writer(brand):
    return brand.create_key("Agent", scope="write")


@pytest.fixture
def running(service):
    """Jobs run again after the test."""
    yield
    service.api("POST", "/api/admin/jobs/resume", service.operator_token)


def jobs_of(brand, **filters):
    query = "".join(f"&{name}={value}" for name, value in filters.items())
    return brand.service.api("GET", f"/api/admin/jobs?brand={brand.brand_id}{query}", brand.service.operator_token)["jobs"]


def open_jobs(page, brand, filters=""):
    open_console(page, brand.service, f"?view=jobs&brand={brand.brand_id}{filters}", "Jobs")


def test_jobs_are_filtered_by_status_kind_and_brand(page, brand, writer):
    schedule_post(brand, writer)
    open_jobs(page, brand)
    expect(listed(page, "Jobs")).to_have_count(1)
    expect(listed(page, "Jobs")).to_contain_text("Publish a post")
    choose(page, "Kind", "Audit")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    choose(page, "Kind", "Publish a post")
    choose(page, "Status", "Waiting")
    expect(listed(page, "Jobs")).to_have_count(1)
    assert page.url.endswith(f"/operator?view=jobs&brand={brand.brand_id}&kind=publish&status=waiting")


def test_a_failed_job_shows_its_reason_and_is_tried_again(page, brand, writer):
    # The site does not exist.
    brand.call(writer, "run_audit")
    [job] = eventually(lambda: jobs_of(brand, status="failed"))
    open_jobs(page, brand, "&status=failed")
    row = listed(page, "Jobs")
    expect(row).to_contain_text(job["reason"])
    page.get_by_role("button", name=f"Retry the job for {job['subject']}").click()
    page.route("**/retry", lambda route: route.abort(), times=1)
    confirm(page, "Try again now")
    expect(dialog(page).get_by_role("alert")).to_contain_text("The job was not changed.")
    confirm(page, "Try again now")
    expect(page.locator(".toast")).to_contain_text("The job is tried again.")
    expect(row.get_by_text("Failed", exact=True)).to_have_count(0)


def test_a_job_whose_state_has_changed_is_refused_with_the_reason(page, brand, writer):
    schedule_post(brand, writer)
    open_jobs(page, brand)
    [job] = jobs_of(brand)
    brand.service.api("POST", f"/api/admin/jobs/{job['job_id']}/cancel", brand.service.operator_token)
    page.get_by_role("button", name="Cancel the job for").click()
    confirm(page, "Cancel job")
    expect(dialog(page).get_by_role("alert")).to_contain_text("The job was not changed.")


def test_a_waiting_job_is_cancelled(page, brand, writer):
    schedule_post(brand, writer)
    open_jobs(page, brand)
    page.get_by_role("button", name="Cancel the job for").click()
    confirm(page, "Cancel job")
    expect(listed(page, "Jobs")).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Cancel the job for")).to_have_count(0)
    assert [job["status"] for job in jobs_of(brand)] == ["cancelled"]


def test_all_jobs_are_held_and_resumed(page, brand, writer, running):
    open_jobs(page, brand)
    page.get_by_role("button", name="Hold all jobs…").click()
    confirm(page, "Hold all jobs")
    expect(page.get_by_text("An operator has held them since")).to_be_visible()
    expect(page.get_by_role("button", name="Hold all jobs…")).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("All jobs are held.")
    brand.call(writer, "run_audit")
    page.get_by_role("button", name="Refresh").click()
    expect(listed(page, "Jobs")).to_contain_text("Waiting")
    page.get_by_role("button", name="Resume all jobs…").click()
    expect(dialog(page).get_by_label("Also cancel everything that was due before the hold began")).not_to_be_checked()
    confirm(page, "Resume all jobs")
    expect(page.get_by_text("All jobs are held", exact=True)).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("All jobs run again. No job was too late.")
    eventually(lambda: [job["attempts"] for job in jobs_of(brand)] != [0])
