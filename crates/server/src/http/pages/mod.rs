//! Public pages and files: the Settings page, the bridge and its bundle, the API document, mail links and health checks.

pub(crate) mod bridge;
mod bridge_script;
pub(crate) mod bundle;
pub(crate) mod bundle_file;
pub(crate) mod docs;
mod document;
pub(crate) mod download;
pub(crate) mod health;
pub(crate) mod mail_links;
mod page_settings;
mod script;
pub(crate) mod settings;
mod settings_page;
mod stored_zip;

pub(crate) use document::Document;
pub(crate) use page_settings::PageSettings;
pub(crate) use settings_page::{SettingsPage, operator_page};
