-- The running processes of the installation, so that they share the shards and send each other commands.
--
-- A row is a process that other processes can reach. It counts while `seen_at` is younger than a lease and a connection
-- of the process lives (`is_owner_gone`).
--
-- Locks nothing: the table is new.

CREATE TABLE gateway_process (
    -- The name in `log_shard.owner`.
    owner        text PRIMARY KEY,
    -- Host and port of its listener for the other processes.
    address      text NOT NULL,
    -- Whether it has a writer, which takes its share of the shards.
    takes_shards boolean NOT NULL,
    -- Of the program, for operators.
    version      text NOT NULL,
    seen_at      timestamptz NOT NULL
);
