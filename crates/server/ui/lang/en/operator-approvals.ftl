# The operator's console: approvals of all brands.

operator-approvals-title = Approvals
operator-approvals-lead = Calls of agents that wait for a person of their brand, newest first. Only people of the brand decide.
operator-approvals-filters = Filter the approvals
operator-approvals-tool = Tool
operator-approvals-note = Reason or note
operator-approvals-requested = Requested
operator-approvals-decided = Decided
operator-approvals-expires = Expires
operator-approvals-empty = No approvals yet
operator-approvals-empty-hint = Calls of keys that ask a person first are listed here.
