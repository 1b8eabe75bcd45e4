//! Plans, brands and members.

use svc_mcp_access::{Brand, Member, Plan, Quota, StoreError};
use svc_mcp_store::{DeletePlanError, MemberChange, PutBrandError, TextChange};

use crate::{
    make::{self, acme, id, umbrella},
    world::{World, at_once, retried},
};

on_both_engines! {
    plan_is_created_changed_and_deleted,
    plan_in_use_is_not_deleted,
    brand_is_created_and_changed,
    brand_needs_an_existing_plan,
    language_and_time_zone_change_alone,
    member_is_created_changed_and_removed,
    member_keeps_what_a_change_leaves_out,
    plan_keeps_the_quotas_that_a_change_leaves_out,
    member_needs_an_existing_brand,
    user_sees_only_their_brands,
}

async fn plan_is_created_changed_and_deleted(world: &World) {
    let plan = id("team-2");
    assert_eq!(world.store.plan(&plan).await, Ok(None));
    for (name, mcp_enabled, keys) in
        [("Team", true, Some(7)), ("Équipe “2”; DROP TABLE plans", false, None), ("Team", true, Some(0))]
    {
        let quotas = keys.map(|keys| (Quota::Keys, keys)).into_iter().collect();
        let put = Plan { plan_id: plan.clone(), name: name.into(), mcp_enabled, quotas };
        assert_eq!(world.store.put_plan(&put).await, Ok(()));
        assert_eq!(world.store.plan(&plan).await, Ok(Some(put)));
    }
    assert_eq!(world.store.delete_plan(&plan).await, Ok(()));
    assert_eq!(world.store.plan(&plan).await, Ok(None));
    assert_eq!(world.store.delete_plan(&plan).await, Ok(()), "twice is once");
    assert_eq!(world.store.plan(&id("pro")).await, Ok(Some(make::plan("pro", true))));
}

async fn plan_in_use_is_not_deleted(world: &World) {
    let pro = id("pro");
    assert_eq!(world.store.delete_plan(&pro).await, Err(DeletePlanError::InUse));
    assert_eq!(world.store.plan(&pro).await, Ok(Some(make::plan("pro", true))));
    for brand in ["acme", "umbrella"] {
        world.store.put_brand(&make::brand(brand, "free")).await.expect("the store answers");
    }
    assert_eq!(world.store.delete_plan(&pro).await, Ok(()));
    assert_eq!(world.store.delete_plan(&id("free")).await, Err(DeletePlanError::InUse));
}

async fn brand_is_created_and_changed(world: &World) {
    assert_eq!(world.store.brand(&id("nobody")).await, Ok(None));
    assert_eq!(
        world.store.brand(&acme()).await,
        Ok(Some((make::brand("acme", "pro"), make::plan("pro", true))))
    );
    let changed = Brand {
        name: "Ācme ‘n’ Sons".into(),
        website: "https://acme.example/?a=\"b\"".into(),
        competitors: vec!["https://umbrella.example".into(), "ünïcode, \"quoted\" \\ one".into()],
        language: Some("de".into()),
        time_zone: "Europe/Berlin".into(),
        ..make::brand("acme", "free")
    };
    world.store.put_brand(&changed).await.expect("the store answers");
    assert_eq!(world.store.brand(&acme()).await, Ok(Some((changed, make::plan("free", false)))));
    let untouched = Ok(Some((make::brand("umbrella", "pro"), make::plan("pro", true))));
    assert_eq!(world.store.brand(&umbrella()).await, untouched);
}

async fn language_and_time_zone_change_alone(world: &World) {
    let locale = async || {
        let (brand, _) = world.store.brand(&acme()).await.expect("the store answers").expect("it exists");
        assert_eq!(brand.name, make::brand("acme", "pro").name, "everything else is kept");
        (brand.language, brand.time_zone)
    };
    assert_eq!(locale().await, (None, "UTC".into()));
    world.store.set_brand_locale(&acme(), Some("pt"), None).await.expect("the store answers");
    assert_eq!(locale().await, (Some("pt".into()), "UTC".into()));
    world.store.set_brand_locale(&acme(), None, Some("America/Sao_Paulo")).await.expect("the store answers");
    assert_eq!(locale().await, (Some("pt".into()), "America/Sao_Paulo".into()));
    let (other, _) = world.store.brand(&umbrella()).await.expect("the store answers").expect("it exists");
    assert_eq!(other, make::brand("umbrella", "pro"), "other brands are kept");
}

async fn brand_needs_an_existing_plan(world: &World) {
    assert_eq!(
        world.store.put_brand(&make::brand("new", "none")).await,
        Err(PutBrandError::Store(StoreError::Internal))
    );
    assert_eq!(world.store.brand(&id("new")).await, Ok(None));
    assert_eq!(
        world.store.put_brand(&make::brand("acme", "none")).await,
        Err(PutBrandError::Store(StoreError::Internal))
    );
    let found = world.store.brand(&acme()).await.expect("the store answers");
    assert_eq!(found.expect("it is kept").0, make::brand("acme", "pro"));
}

async fn member_is_created_changed_and_removed(world: &World) {
    let ada = make::member("acme", "ada", "admin");
    let bob = Member {
        email: Some("bob@acme.example".into()),
        name: Some("Bob Ö’Brien".into()),
        ..make::member("acme", "bob", "admin")
    };
    world.store.put_member(&bob).await.expect("the store answers");
    assert_eq!(world.store.membership(&acme(), &id("bob")).await, Ok(Some(bob.clone())));
    assert_eq!(world.store.members(&acme()).await, Ok(vec![ada.clone(), bob]));
    let demoted = make::member("acme", "bob", "member");
    world.store.put_member(&demoted).await.expect("the store answers");
    assert_eq!(world.store.membership(&acme(), &id("bob")).await, Ok(Some(demoted)));

    assert_eq!(world.store.membership(&umbrella(), &id("bob")).await, Ok(None));
    assert_eq!(world.store.membership(&id("nobody"), &id("bob")).await, Ok(None));
    assert_eq!(world.store.remove_member(&umbrella(), &id("bob"), &make::removal()).await, Ok(false));
    assert_eq!(world.store.remove_member(&acme(), &id("bob"), &make::removal()).await, Ok(true));
    assert_eq!(world.store.remove_member(&acme(), &id("bob"), &make::removal()).await, Ok(false));
    assert_eq!(world.store.membership(&acme(), &id("bob")).await, Ok(None));
    assert_eq!(world.store.members(&acme()).await, Ok(vec![ada]));
    assert_eq!(world.store.members(&umbrella()).await, Ok(vec![make::member("umbrella", "uma", "admin")]));
}

async fn member_keeps_what_a_change_leaves_out(world: &World) {
    let text = |text: &str| TextChange::Set(text.to_owned());
    let change = async |change: MemberChange| {
        world.store.change_member(&acme(), &id("cleo"), &change).await.expect("the store answers")
    };
    let named = MemberChange { name: text("Cleo"), ..MemberChange::default() };
    assert_eq!(change(named.clone()).await, None, "a new member needs a role");
    assert_eq!(world.store.membership(&acme(), &id("cleo")).await, Ok(None));
    let member = make::member("acme", "cleo", "member");
    let role = |role: &str| MemberChange { role: Some(id(role)), ..MemberChange::default() };
    assert_eq!(change(role("member")).await, Some(member.clone()));
    let member = Member { name: Some("Cleo".into()), ..member };
    assert_eq!(change(named).await, Some(member.clone()));
    let member = Member { email: Some("cleo@acme.example".into()), ..member };
    let mail = MemberChange { email: text("cleo@acme.example"), ..role("admin") };
    let member = Member { role: id("admin"), ..member };
    assert_eq!(change(mail).await, Some(member.clone()));
    assert_eq!(change(MemberChange::default()).await, Some(member.clone()));
    let removed = MemberChange { email: TextChange::Remove, name: TextChange::Remove, role: None };
    assert_eq!(change(removed).await, Some(make::member("acme", "cleo", "admin")));
    assert_eq!(
        world.store.membership(&acme(), &id("cleo")).await,
        Ok(Some(make::member("acme", "cleo", "admin")))
    );
    let elsewhere = world.store.change_member(&id("nobody"), &id("cleo"), &role("member")).await;
    assert_eq!(elsewhere, Err(StoreError::Internal));
}

async fn plan_keeps_the_quotas_that_a_change_leaves_out(world: &World) {
    let team = id("team");
    let change = async |name: &str, limits: &[(Quota, Option<u32>)]| {
        let plan = world.store.change_plan(&team, name, true, limits).await.expect("the store answers");
        assert_eq!(world.store.plan(&team).await, Ok(Some(plan.clone())));
        assert_eq!(plan.name, name);
        plan.quotas.overrides().collect::<Vec<_>>()
    };
    assert_eq!(change("Team", &[]).await, []);
    assert_eq!(change("Team", &[(Quota::Keys, Some(3))]).await, [(Quota::Keys, 3)]);
    assert_eq!(change("Team 2", &[]).await, [(Quota::Keys, 3)]);
    let both = [(Quota::Drafts, 0), (Quota::Keys, 3)];
    assert_eq!(change("Team", &[(Quota::Drafts, Some(0)), (Quota::Schedules, None)]).await, both);
    assert_eq!(change("Team", &[(Quota::Keys, None)]).await, [(Quota::Drafts, 0)]);
    // Concurrent changes of different quotas are all kept.
    let stores = [world.store.clone(), world.another_process().await];
    let changes = Quota::ALL.iter().zip(stores.iter().cycle()).map(|(quota, store)| {
        let (store, team, quota) = (store.clone(), team.clone(), *quota);
        retried(move || {
            let (store, team) = (store.clone(), team.clone());
            async move { store.change_plan(&team, "Team", true, &[(quota, Some(7))]).await }
        })
    });
    for changed in at_once(changes).await {
        changed.expect("the store answers");
    }
    let plan = world.store.plan(&team).await.expect("the store answers").expect("a plan");
    assert!(Quota::ALL.iter().all(|quota| plan.quotas.limit(*quota) == 7), "{plan:?}");
}

async fn member_needs_an_existing_brand(world: &World) {
    assert_eq!(
        world.store.put_member(&make::member("nobody", "ada", "admin")).await,
        Err(StoreError::Internal)
    );
    assert_eq!(world.store.membership(&id("nobody"), &id("ada")).await, Ok(None));
}

async fn user_sees_only_their_brands(world: &World) {
    let named = |brand, name: &str| Brand { name: name.into(), ..make::brand(brand, "pro") };
    for brand in [named("acme", "Zeta"), named("umbrella", "Alpha"), named("third", "Alpha")] {
        world.store.put_brand(&brand).await.expect("the store answers");
    }
    world
        .store
        .put_brand(&Brand { name: "Middle".into(), ..make::brand("fourth", "free") })
        .await
        .expect("put");
    for (brand, role) in [("umbrella", "member"), ("third", "admin"), ("fourth", "member")] {
        world.store.put_member(&make::member(brand, "ada", role)).await.expect("the store answers");
    }
    let brands = world.store.brands_of(&id("ada")).await.expect("the store answers");
    let seen: Vec<_> = brands
        .iter()
        .map(|of| {
            (of.brand.brand_id.as_str(), of.plan.plan_id.as_str(), of.plan.mcp_enabled, of.role.as_str())
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("third", "pro", true, "admin"),
            ("umbrella", "pro", true, "member"),
            ("fourth", "free", false, "member"),
            ("acme", "pro", true, "admin"),
        ],
        "by name, then by id"
    );
    assert!(brands.iter().all(|of| of.brand.plan_id == of.plan.plan_id));
    assert!(world.store.brands_of(&id("stranger")).await.expect("the store answers").is_empty());
}
