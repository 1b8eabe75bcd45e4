# The operator's console: deliveries of events.

operator-events-title = Events
operator-events-lead = What was sent to the event endpoints of brands and to your own, newest first.
operator-events-filters = Filter the deliveries
operator-events-filter-endpoint = Endpoint id
operator-events-event = Event
operator-events-endpoint = Endpoint
operator-events-answer = Last answer
operator-events-tries = Tries
operator-events-next = Next try: { $when }
operator-events-at = Happened
operator-events-empty = No deliveries yet
operator-events-empty-hint = Deliveries appear here once a brand has an event endpoint, or SVC_EVENTS_URL names yours.
operator-events-resend = Send again
operator-events-resend-of = Send again: { $type } to { $endpoint }
operator-events-resent = { $type } is sent again, with the same id.
operator-events-not-resent = The event is not sent again.
