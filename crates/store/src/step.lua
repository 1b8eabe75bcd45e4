-- Steps the rate limit windows of a batch of requests, and checks whether their key states are stale.
-- KEYS, three for each request: the key's window, the stamp of its brand, the stamp of its plan.
-- ARGV: limit, span (µs); then four for each request: 1 to count or 0 to peek, the stamps of brand and plan at which
-- the key state was read, a time for tests or ''.
-- Returns a text with three numbers for each request: 1 admitted | 0 refused | -1 stale, remaining, µs until one is free.
-- One text is parsed much faster than a list of numbers.
--
-- A window is a string with eight bytes for each admitted request, oldest first. One command reads all keys, and one
-- command for each changed window writes it, because commands cost more than the rest of the script.
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local server_time = time[1] * 1000000 + time[2]
local stored = redis.call('MGET', unpack(KEYS))
-- Changed windows: a key may have several requests in one batch.
local windows = {}

-- A double holds microseconds exactly for the next two centuries.
local function time_at(window, number)
  return (struct.unpack('<d', window, 8 * number - 7))
end

local function step(name, window, counts, at)
  local now = tonumber(at) or server_time
  local clock = now
  local length = #window / 8
  if length > 0 then now = math.max(now, time_at(window, length)) end
  local gone = 0
  while gone < length and now - time_at(window, gone + 1) >= span do gone = gone + 1 end
  local counted = length - gone
  local admitted = counted < limit
  -- Only a counted request removes old times. Its own time is then the latest, so time cannot run backwards.
  if admitted and counts == '1' then
    if gone > 0 then window = string.sub(window, 8 * gone + 1) end
    window = window .. struct.pack('<d', now)
    windows[name] = window
    gone, counted = 0, counted + 1
  end
  local frees_in = 0
  -- Relative to the clock as it was read, because the client waits by that clock.
  if counted > 0 then frees_in = time_at(window, gone + 1) + span - clock end
  return string.format('%d %d %.0f', admitted and 1 or 0, limit - counted, frees_in)
end

local replies = {}
for i = 1, #KEYS / 3 do
  local key, arg = 3 * i, 4 * i
  if stored[key - 1] ~= ARGV[arg] or stored[key] ~= ARGV[arg + 1] then
    replies[i] = '-1 0 0'
  else
    local name = KEYS[key - 2]
    replies[i] = step(name, windows[name] or stored[key - 2] or '', ARGV[arg - 1], ARGV[arg + 2])
  end
end
for name, window in pairs(windows) do
  redis.call('SET', name, window, 'PX', math.ceil(span / 1000) + 1000)
end
return table.concat(replies, ' ')
