"""Games and their players: commands are decided, and become events in a log.

Imports `godaemon.rules`, `records`, `diagrams` and `errors`. Does no I/O: the transaction, the
time, randomness and limits are arguments. Only the modules that act within a transaction are not
pure. A forbidden action raises a `Refusal`; the player reads its sentence.

Read in this order: `model` (a game), `commands`, `awaited_decisions` and `decisions` (commands to
events), `events` and `state` (events to the next game), `notices` (emails to be sent). Then
`opening`, `proposals`, `planned_moves`, `special_moves`, `dead_stones` and `engine_seats`; about
time `game_clock`, `time_systems` and `days_off`.

Within one transaction: `stored_values` (the store), `service` (the front ends call it) with
`service_calls` and `game_cache`, `email_queue` and `wanted_emails`, `stranger_limits`,
`invitation_limits`, `people`, `uncounted_time` and `running_clocks` (changes that no player
causes), `player_settings`, `player_calendar`, `vacations`, `public_games`, `ratings` with
`glicko2`, `seat_keys`, `bouncing_addresses`, `forgetting` and `transfers`. For readers: `views`,
`record_pictures` and `lessons`.
"""
