/// Why the store gave no result. It is never a reason to admit a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached or is overloaded. The same request may succeed later.
    #[error("the store does not answer")]
    Unavailable,
    /// A stored value is unreadable, or a statement is wrong. A retry does not help.
    #[error("the store holds unreadable data or rejects a statement; the log says which")]
    Internal,
}
