-- Since when the outcome of an attempt to publish is unknown: the attempt was sent, and the service knows no answer.
ALTER TABLE post_targets ADD COLUMN unknown_since BIGINT;
