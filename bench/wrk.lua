-- wrk sends the request of one file with the keys of another file, one after the other.
--   wrk … -s wrk.lua URL -- REQUEST KEYS FIRST
local requests, count, at = {}, 0, 0

function init(args)
  local before, after = assert(io.open(args[1], "rb")):read("*a"):match("^(.-){KEY}(.*)$")
  for key in io.lines(args[2]) do
    count = count + 1
    requests[count] = before .. key .. after
  end
  at = tonumber(args[3]) % count
end

function request()
  at = at % count + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "seconds": %f, "p50_us": %d, "p99_us": %d, "refused": %d, "broken": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
