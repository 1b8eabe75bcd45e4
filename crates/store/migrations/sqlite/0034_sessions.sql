-- Codes that the host application hands to a browser. Each is exchanged once for a session.
CREATE TABLE sign_in_codes (
    digest     BLOB   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    -- When the application token expires with which the code was made. The session ends no later.
    ends_at    BIGINT NOT NULL
);
CREATE INDEX sign_in_codes_of_user ON sign_in_codes (user_id, expires_at);
CREATE INDEX sign_in_codes_by_age ON sign_in_codes (expires_at);

-- Browsers in which a person is signed in.
CREATE TABLE sessions (
    digest     BLOB   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_age ON sessions (expires_at);
