-- Who has written which turn of gathered uses: a commit whose answer was lost is not written again.
CREATE TABLE writers (
    writer TEXT NOT NULL PRIMARY KEY,
    turn BIGINT NOT NULL,
    at BIGINT NOT NULL
);
