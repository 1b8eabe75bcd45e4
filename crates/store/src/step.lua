-- The decisions of many requests in one trip: is what the caller knows still true, and has the key a request left?
-- KEYS, three for each: the key's window, the stamp of its brand, the stamp of its plan.
-- ARGV: limit, span (µs); then four for each: 1 to count or 0 to peek, the stamps the caller read its standing at, a
-- time for tests or ''.
-- Returns a text, three numbers for each: 1 admitted | 0 refused | -1 the standing is stale, remaining, µs until one is
-- free. One text is read far quicker than as many numbers.
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local machine = time[1] * 1000000 + time[2]

local function step(window, brand, plan, counts, brand_stamp, plan_stamp, at)
  local stamps = redis.call('MGET', brand, plan)
  if stamps[1] ~= brand_stamp or stamps[2] ~= plan_stamp then
    return '-1 0 0'
  end
  local now = tonumber(at) or machine
  local clock = now
  local latest = redis.call('LINDEX', window, -1)
  if latest and tonumber(latest) > now then now = tonumber(latest) end
  local gone = 0
  local oldest = redis.call('LINDEX', window, 0)
  while oldest and now - tonumber(oldest) >= span do
    gone = gone + 1
    oldest = redis.call('LINDEX', window, gone)
  end
  local counted = redis.call('LLEN', window) - gone
  local admitted = counted < limit
  -- Only a counted request lets go of the old ones: it is remembered itself, and with it how late it was.
  if admitted and counts == '1' then
    if gone > 0 then redis.call('LPOP', window, gone) end
    -- %.0f, because Lua would write so large a number with 14 digits and lose the last ones.
    redis.call('RPUSH', window, string.format('%.0f', now))
    redis.call('PEXPIRE', window, math.ceil(span / 1000) + 1000)
    counted = counted + 1
    oldest = oldest or now
  end
  local frees_in = 0
  -- By the clock as it was read, because who waits will wait by it.
  if oldest then frees_in = tonumber(oldest) + span - clock end
  return string.format('%d %d %.0f', admitted and 1 or 0, limit - counted, frees_in)
end

local answers = {}
for i = 1, #KEYS / 3 do
  local key, arg = 3 * i, 4 * i
  answers[i] =
    step(KEYS[key - 2], KEYS[key - 1], KEYS[key], ARGV[arg - 1], ARGV[arg], ARGV[arg + 1], ARGV[arg + 2])
end
return table.concat(answers, ' ')
