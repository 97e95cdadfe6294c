"""Games and their players: what may be done when, as events in a log.

Imports `godaemon.rules`, `records`, `diagrams` and `errors`. It does no I/O: the transaction, the
moment, chance and limits come in as arguments. Only the modules that act within a transaction are
not pure. What a player may not do raises a `Refusal`, whose sentence they read.

In the order of reading: `model` (a game), `commands` (what is asked), `awaited_decisions` and
`decisions` (commands to events), `events` and `state` (events to the next game), `notices` (who is
told what). Beside these `opening`, `proposals`, `planned_moves`, `special_moves`, `dead_stones` and
`engine_seats`; of time `game_clock`, `time_systems`, `days_off` and `reminders`.

Within one transaction: `stored_values` (the store), `service` (what the front ends call) with
`service_calls` and `game_cache`, `owed_letters` and `wanted_emails`, `stranger_limits`,
`invitation_limits`, `people`, `uncounted_time` and `running_clocks` (what happens by itself),
`player_settings`, `player_calendar`, `vacations`, `public_games`, `ratings` with `glicko2`,
`seat_keys`, `bouncing_addresses`, `forgetting` and `transfers`. For readers: `views`, `game_json`,
`record_pictures` and `lessons`.
"""
