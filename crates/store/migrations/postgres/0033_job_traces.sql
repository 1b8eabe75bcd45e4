-- The span that queued the job (W3C Trace Context). Null: none, or traces are off.
ALTER TABLE jobs ADD COLUMN traceparent TEXT;
