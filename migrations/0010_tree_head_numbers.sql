-- Signed tree heads count up by one in each shard, and the number is signed with the rest.
--
-- Why: a head names the one before it, so a head deleted from the middle showed, but not one from the beginning, and of
-- one kept outside nobody could say which row it should be. Heads from before were signed without a number: they keep
-- their layout, so that their signatures stay true.

ALTER TABLE checkpoint
    ADD COLUMN number bigint CHECK (number >= 1),
    ADD COLUMN layout smallint NOT NULL DEFAULT 1 CHECK (layout IN (1, 2));

UPDATE checkpoint SET number = numbered.number
  FROM (SELECT shard, position, row_number() OVER (PARTITION BY shard ORDER BY position) AS number
          FROM checkpoint) AS numbered
 WHERE checkpoint.shard = numbered.shard AND checkpoint.position = numbered.position;

ALTER TABLE checkpoint
    ALTER COLUMN number SET NOT NULL,
    ALTER COLUMN layout DROP DEFAULT,
    ADD UNIQUE (shard, number);
