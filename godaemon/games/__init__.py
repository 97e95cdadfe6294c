"""Games and their players: what may be done when, as events in a log.

Imports `godaemon.rules`, `records`, `diagrams` and `errors`. It does no I/O: the transaction, the
moment, chance and limits come in as arguments. All but the modules that act within a transaction
are pure. What a player may not do raises a `Refusal`, whose sentence they read.

In the order of reading: `model` (a game), `commands` (what is asked), `staleness` and `decisions`
(commands to events), `events` and `state` (events to the next game), `notices` and `event_notices`
(who is told what); then what acts within one transaction: `store_protocols` (the store), `service`
(what the front ends call) and its `calls`, `owed_letters`, `running_clocks` (what happens by
itself), `time_off`, `summary`, `game_cache`, `proposal_limits`, `open_challenges`,
`address_suspension`, `invitation_blocks`, `email_settings`, `kept_notices`, `transfers`,
`forgetting`, `issued_keys`, `ratings`. Beside them `game_clock` with `days_off`, `vacation_days`,
`alarms` and `time_in_words`, `proposals`, `plans`, `undo`, `ranks`, `glicko`, `free_handicap`,
`dead_stones`, `engine_seats`, `seat_keys`, `signing` and `lessons`, and for those who look on,
`views` and `record_pictures`.
"""
