use super::{Api, Sandbox, Service};

/// A running service with the brand `acme`, an administrator and a key.
#[derive(Debug)]
pub(crate) struct TestService {
    pub(crate) sandbox: Sandbox,
    pub(crate) service: Service,
    pub(crate) admin_token: String,
    /// A key of scope `write`.
    pub(crate) key: String,
}

impl TestService {
    pub(crate) async fn start(sandbox: Sandbox, arguments: &[&str]) -> Self {
        sandbox.add_brand("acme", "ada");
        let admin_token = sandbox.token("ada");
        let service = sandbox.serve(arguments);
        let key = service.api(&admin_token).key("acme", "write").await.secret;
        Self { sandbox, service, admin_token, key }
    }

    /// A client with the administrator's token.
    pub(crate) fn admin(&self) -> Api {
        self.service.api(&self.admin_token)
    }

    /// A client with the key.
    pub(crate) fn agent(&self) -> Api {
        self.service.api(&self.key)
    }
}
