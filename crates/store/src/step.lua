-- One decision in one round trip: is what the caller knows still true, and has the key a request left?
-- KEYS: the key's window, the stamp of its brand, the stamp of its plan.
-- ARGV: limit, span (µs), 1 to count or 0 to peek, the stamps the caller read its standing at, a time for tests or ''.
-- Returns {1 admitted | 0 refused | -1 the standing is stale, remaining, µs until one is free}.
if redis.call('GET', KEYS[2]) ~= ARGV[4] or redis.call('GET', KEYS[3]) ~= ARGV[5] then
  return {-1, 0, 0}
end
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[6])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local clock = now
local latest = redis.call('LINDEX', KEYS[1], -1)
if latest and tonumber(latest) > now then now = tonumber(latest) end
local gone = 0
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and now - tonumber(oldest) >= span do
  gone = gone + 1
  oldest = redis.call('LINDEX', KEYS[1], gone)
end
local counted = redis.call('LLEN', KEYS[1]) - gone
local admitted = counted < limit
-- Only a counted request lets go of the old ones: it is remembered itself, and with it how late it was.
if admitted and ARGV[3] == '1' then
  if gone > 0 then redis.call('LPOP', KEYS[1], gone) end
  -- %.0f, because Lua would write so large a number with 14 digits and lose the last ones.
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(span / 1000) + 1000)
  counted = counted + 1
  oldest = oldest or now
end
local frees_in = 0
-- By the clock as it was read, because who waits will wait by it.
if oldest then frees_in = tonumber(oldest) + span - clock end
return {admitted and 1 or 0, limit - counted, frees_in}
