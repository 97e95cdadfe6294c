CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE answered_from (
    address TEXT NOT NULL,
    game INTEGER NOT NULL,
    ours TEXT NOT NULL,
    CONSTRAINT pk_answered_from PRIMARY KEY (address, game)
) STRICT;
CREATE TABLE block (
    address TEXT NOT NULL,
    other TEXT NOT NULL,
    CONSTRAINT pk_block PRIMARY KEY (address, other)
) STRICT;
CREATE TABLE board (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    sgf TEXT NOT NULL,
    size TEXT NOT NULL,
    move_number INTEGER NOT NULL,
    opened TEXT NOT NULL,
    updated TEXT NOT NULL,
    CONSTRAINT ck_board_move_number CHECK (move_number >= 0)
) STRICT;
CREATE TABLE event (
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    payload TEXT NOT NULL,
    cause TEXT NOT NULL,
    at TEXT NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_event PRIMARY KEY (game, number),
    CONSTRAINT ck_event_number CHECK (number >= 0),
    CONSTRAINT ck_event_version CHECK (version >= 1),
    CONSTRAINT fk_event_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE fetched (
    box TEXT NOT NULL,
    validity INTEGER NOT NULL,
    uid INTEGER NOT NULL,
    filed TEXT NOT NULL,
    at TEXT NOT NULL,
    CONSTRAINT pk_fetched PRIMARY KEY (box, validity, uid),
    CONSTRAINT ck_fetched_filed CHECK (filed IN ('owed', 'done', 'left'))
) STRICT;
CREATE TABLE game (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    phase TEXT,
    size TEXT,
    rules TEXT,
    black TEXT,
    white TEXT,
    black_name TEXT,
    white_name TEXT,
    move_number INTEGER,
    to_move TEXT,
    result TEXT,
    updated TEXT,
    deadline TEXT,
    alarm TEXT,
    events INTEGER NOT NULL,
    digest TEXT NOT NULL,
    damaged TEXT,
    CONSTRAINT ck_game_phase CHECK (phase IN ('proposed', 'playing', 'scoring', 'finished', 'declined', 'withdrawn', 'expired')),
    CONSTRAINT ck_game_to_move CHECK (to_move IN ('black', 'white')),
    CONSTRAINT ck_game_move_number CHECK (move_number >= 0),
    CONSTRAINT ck_game_headline CHECK (phase IS NULL OR (size IS NOT NULL AND rules IS NOT NULL AND black IS NOT NULL AND white IS NOT NULL AND move_number IS NOT NULL AND updated IS NOT NULL)),
    CONSTRAINT ck_game_events CHECK (events >= 0)
) STRICT;
CREATE TABLE game_address (
    address TEXT NOT NULL,
    game INTEGER NOT NULL,
    CONSTRAINT pk_game_address PRIMARY KEY (address, game),
    CONSTRAINT fk_game_address_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE gui_key (
    game INTEGER NOT NULL,
    color TEXT NOT NULL,
    generation INTEGER NOT NULL,
    enabled INTEGER NOT NULL,
    CONSTRAINT pk_gui_key PRIMARY KEY (game, color),
    CONSTRAINT ck_gui_key_color CHECK (color IN ('black', 'white')),
    CONSTRAINT ck_gui_key_generation CHECK (generation >= 1),
    CONSTRAINT ck_gui_key_enabled CHECK (enabled IN (0, 1)),
    CONSTRAINT fk_gui_key_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE held (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    game INTEGER NOT NULL,
    side TEXT NOT NULL,
    sender TEXT NOT NULL,
    nonce TEXT NOT NULL,
    envelope_recipient TEXT NOT NULL,
    envelope_sender TEXT NOT NULL,
    raw BLOB NOT NULL,
    CONSTRAINT ck_held_side CHECK (side IN ('proposer', 'invited')),
    CONSTRAINT fk_held_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE holder (
    id INTEGER NOT NULL,
    CONSTRAINT pk_holder PRIMARY KEY (id)
) STRICT;
CREATE TABLE identity (
    id TEXT NOT NULL,
    "key" TEXT NOT NULL,
    CONSTRAINT pk_identity PRIMARY KEY (id)
) STRICT;
CREATE TABLE inbox (
    fingerprint TEXT NOT NULL,
    message_id TEXT NOT NULL,
    at TEXT NOT NULL,
    CONSTRAINT pk_inbox PRIMARY KEY (fingerprint)
) STRICT;
CREATE TABLE kept (
    game INTEGER NOT NULL,
    color TEXT NOT NULL,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    digest TEXT NOT NULL, holder INTEGER,
    CONSTRAINT pk_kept PRIMARY KEY (game, color),
    CONSTRAINT ck_kept_color CHECK (color IN ('black', 'white')),
    CONSTRAINT fk_kept_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE mailbox (
    address TEXT NOT NULL,
    score REAL NOT NULL,
    at TEXT NOT NULL,
    error TEXT NOT NULL,
    suspended TEXT,
    CONSTRAINT pk_mailbox PRIMARY KEY (address)
) STRICT;
CREATE TABLE next_key (
    replaced TEXT NOT NULL,
    "key" TEXT NOT NULL,
    wrapped BLOB NOT NULL,
    CONSTRAINT pk_next_key PRIMARY KEY (replaced)
) STRICT;
CREATE TABLE old_inbox (
    fingerprint BLOB NOT NULL,
    CONSTRAINT pk_old_inbox PRIMARY KEY (fingerprint)
) STRICT;
CREATE TABLE old_log (
    game INTEGER NOT NULL,
    events BLOB NOT NULL,
    CONSTRAINT pk_old_log PRIMARY KEY (game),
    CONSTRAINT fk_old_log_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE outbox (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    recipient_key TEXT NOT NULL,
    behalf TEXT NOT NULL,
    behalf_key TEXT NOT NULL,
    game INTEGER,
    seat TEXT,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    answers TEXT NOT NULL,
    about TEXT NOT NULL,
    owed_at TEXT NOT NULL,
    due_at TEXT NOT NULL,
    lease TEXT,
    attempts INTEGER NOT NULL,
    status TEXT NOT NULL,
    message_id TEXT,
    letter BLOB,
    last_error TEXT,
    sent_at TEXT, holder INTEGER, ours TEXT,
    CONSTRAINT ck_outbox_status CHECK (status IN ('waiting', 'sent', 'undeliverable')),
    CONSTRAINT ck_outbox_seat CHECK (seat IN ('b', 'w', 'p', 'i')),
    CONSTRAINT ck_outbox_attempts CHECK (attempts >= 0),
    CONSTRAINT ck_outbox_letter CHECK ((letter IS NULL) OR (message_id IS NOT NULL)),
    CONSTRAINT ck_outbox_lease CHECK ((status = 'waiting') OR (lease IS NULL)),
    CONSTRAINT uq_outbox_uid UNIQUE (uid),
    CONSTRAINT fk_outbox_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE pencil (
    game INTEGER NOT NULL,
    color TEXT NOT NULL,
    move TEXT NOT NULL,
    position_rev INTEGER NOT NULL, holder INTEGER,
    CONSTRAINT pk_pencil PRIMARY KEY (game, color),
    CONSTRAINT ck_pencil_color CHECK (color IN ('black', 'white')),
    CONSTRAINT fk_pencil_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE player (
    address TEXT NOT NULL,
    game INTEGER NOT NULL,
    receipts INTEGER,
    receipts_sent INTEGER NOT NULL,
    emails TEXT,
    reviews INTEGER,
    CONSTRAINT pk_player PRIMARY KEY (address, game),
    CONSTRAINT ck_player_receipts CHECK (receipts IN (0, 1)),
    CONSTRAINT ck_player_receipts_sent CHECK (receipts_sent >= 0),
    CONSTRAINT ck_player_emails CHECK (emails IN ('all', 'my-turn', 'daily', 'none')),
    CONSTRAINT ck_player_reviews CHECK (reviews IN (0, 1))
) STRICT;
CREATE TABLE profile (
    address TEXT NOT NULL,
    zone TEXT NOT NULL,
    digest_at INTEGER,
    digest_due TEXT,
    name TEXT,
    plain INTEGER NOT NULL,
    vacations TEXT NOT NULL,
    weekends_off INTEGER NOT NULL,
    away_by_itself INTEGER NOT NULL,
    sends_words INTEGER NOT NULL,
    line TEXT,
    listed TEXT,
    boards TEXT,
    language TEXT NOT NULL,
    utc_offset INTEGER NOT NULL,
    calendar INTEGER NOT NULL,
    CONSTRAINT pk_profile PRIMARY KEY (address),
    CONSTRAINT ck_profile_digest_at CHECK (digest_at BETWEEN 0 AND 1439),
    CONSTRAINT ck_profile_plain CHECK (plain IN (0, 1)),
    CONSTRAINT ck_profile_weekends_off CHECK (weekends_off IN (0, 1)),
    CONSTRAINT ck_profile_away_by_itself CHECK (away_by_itself IN (0, 1)),
    CONSTRAINT ck_profile_sends_words CHECK (sends_words IN (0, 1)),
    CONSTRAINT ck_profile_calendar CHECK (calendar IN (0, 1))
) STRICT;
CREATE TABLE quarantine (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    envelope_recipient TEXT NOT NULL,
    envelope_sender TEXT NOT NULL,
    raw BLOB NOT NULL,
    fault TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE TABLE quota (
    hour INTEGER NOT NULL,
    name TEXT NOT NULL,
    holder INTEGER DEFAULT '0' NOT NULL,
    spent INTEGER NOT NULL,
    CONSTRAINT pk_quota PRIMARY KEY (hour, name, holder),
    CONSTRAINT ck_quota_spent CHECK (spent >= 0)
) STRICT;
CREATE TABLE rated_game (
    address TEXT NOT NULL,
    game INTEGER NOT NULL,
    at TEXT NOT NULL,
    value REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    CONSTRAINT pk_rated_game PRIMARY KEY (address, game),
    CONSTRAINT fk_rated_game_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE transfer (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    game INTEGER,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    nonce TEXT NOT NULL,
    old_agreed INTEGER NOT NULL,
    new_agreed INTEGER NOT NULL, begun_at TEXT,
    CONSTRAINT ck_transfer_old_agreed CHECK (old_agreed IN (0, 1)),
    CONSTRAINT ck_transfer_new_agreed CHECK (new_agreed IN (0, 1)),
    CONSTRAINT fk_transfer_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE TABLE watcher (
    game INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    address TEXT NOT NULL,
    told TEXT NOT NULL,
    since INTEGER NOT NULL,
    due TEXT,
    CONSTRAINT pk_watcher PRIMARY KEY (game, "key"),
    CONSTRAINT ck_watcher_since CHECK (since >= 0),
    CONSTRAINT fk_watcher_game_game FOREIGN KEY(game) REFERENCES game (id)
) STRICT;
CREATE INDEX ix_board_updated ON board (updated);
CREATE INDEX ix_game_address_game ON game_address (game);
CREATE INDEX ix_game_alarm ON game (alarm) WHERE alarm IS NOT NULL;
CREATE INDEX ix_game_damaged ON game (damaged) WHERE damaged IS NOT NULL;
CREATE INDEX ix_game_phase_updated ON game (phase, updated);
CREATE INDEX ix_held_game ON held (game);
CREATE INDEX ix_inbox_at ON inbox (at);
CREATE INDEX ix_outbox_behalf_key_kind_owed_at ON outbox (behalf_key, kind, owed_at);
CREATE INDEX ix_outbox_recipient_key_kind_owed_at ON outbox (recipient_key, kind, owed_at);
CREATE INDEX ix_outbox_status_due_at ON outbox (status, due_at);
CREATE INDEX ix_profile_digest_due ON profile (digest_due);
CREATE INDEX ix_rated_game_at_game ON rated_game (at, game);
CREATE INDEX ix_watcher_due ON watcher (due);
CREATE INDEX ix_watcher_key ON watcher ("key");
INSERT INTO alembic_version VALUES ('0030');
