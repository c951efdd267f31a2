-- Numbers the signed tree heads of each shard 1, 2, 3, … The signature of a new head covers its number.
--
-- Why: each head names the previous one, so a head deleted from the middle was noticed. One deleted from the beginning
-- was not, and a copy outside the database did not tell which row it belongs to. Older heads were signed without a
-- number. They keep layout 1 of the signed bytes, so that their signatures stay valid.

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
