-- The decisions of many requests in one trip: is what the caller knows still true, and has the key a request left?
-- KEYS, three for each: the key's window, the stamp of its brand, the stamp of its plan.
-- ARGV: limit, span (µs); then four for each: 1 to count or 0 to peek, the stamps the caller read its standing at, a
-- time for tests or ''.
-- Returns a text, three numbers for each: 1 admitted | 0 refused | -1 the standing is stale, remaining, µs until one is
-- free. One text is read far quicker than as many numbers.
--
-- A window is one text, eight bytes for each admitted moment, oldest first. All that is asked about is read by one
-- command, and what has changed is written by one for each window: commands cost more than all the rest.
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local machine = time[1] * 1000000 + time[2]
local stored = redis.call('MGET', unpack(KEYS))
-- Those that have changed, as they are now: a key may ask more than once in one trip.
local windows = {}

-- A double holds microseconds exactly for the next two centuries.
local function moment(window, number)
  return (struct.unpack('<d', window, 8 * number - 7))
end

local function step(name, window, counts, at)
  local now = tonumber(at) or machine
  local clock = now
  local length = #window / 8
  if length > 0 then now = math.max(now, moment(window, length)) end
  local gone = 0
  while gone < length and now - moment(window, gone + 1) >= span do gone = gone + 1 end
  local counted = length - gone
  local admitted = counted < limit
  -- Only a counted request lets go of the old ones: it is remembered itself, and with it how late it was.
  if admitted and counts == '1' then
    if gone > 0 then window = string.sub(window, 8 * gone + 1) end
    window = window .. struct.pack('<d', now)
    windows[name] = window
    gone, counted = 0, counted + 1
  end
  local frees_in = 0
  -- By the clock as it was read, because who waits will wait by it.
  if counted > 0 then frees_in = moment(window, gone + 1) + span - clock end
  return string.format('%d %d %.0f', admitted and 1 or 0, limit - counted, frees_in)
end

local answers = {}
for i = 1, #KEYS / 3 do
  local key, arg = 3 * i, 4 * i
  if stored[key - 1] ~= ARGV[arg] or stored[key] ~= ARGV[arg + 1] then
    answers[i] = '-1 0 0'
  else
    local name = KEYS[key - 2]
    answers[i] = step(name, windows[name] or stored[key - 2] or '', ARGV[arg - 1], ARGV[arg + 2])
  end
end
for name, window in pairs(windows) do
  redis.call('SET', name, window, 'PX', math.ceil(span / 1000) + 1000)
end
return table.concat(answers, ' ')
