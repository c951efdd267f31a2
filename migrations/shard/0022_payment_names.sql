-- The names of payments outside of the platform (end-to-end id, txid, NSU, TID, …), and the search of sales by them.
--
-- `names` has the names as the event has them. It is JSON because nothing filters or orders by one of them: which names
-- a payment has depends on its type, and acquirers add kinds.
-- `search_names` has every text by which the sale is found, in lower case: the names of the payment and of its refunds,
-- the authorization and the provider's id.
--
-- Why an array with a GIN index, and no table of names: most sales have two or three names. A row of another table for
-- each would cost a heap row and an index entry for each name, and a key that repeats the sale. The index has the
-- entries alone, and gathers new ones in its pending list. A name's row never changes after it is written, so later
-- updates of a sale stay on their page (HOT).
--
-- Existing sales are found by their authorization and the provider's id. Their other names were not recorded. This
-- updates every sale once: some minutes for some million sales, while which the followers wait.
--
-- Locks `sale` against everything for that time: 59 seconds for a million sales, on two busy processors. Lists and
-- reports of sales wait too; sales are recorded.

SET LOCAL lock_timeout = '30s';

ALTER TABLE sale
    ADD COLUMN names        json,
    ADD COLUMN search_names text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT sale_search_names_known CHECK (array_position(search_names, NULL) IS NULL);

-- `lower` with the collation C changes ASCII letters only, as the fold does.
UPDATE sale SET search_names = ARRAY(
    SELECT DISTINCT lower(btrim(name) COLLATE "C") COLLATE "C" AS key
      FROM unnest(ARRAY[authorization_code, nullif(external_id, 'sal_' || sale_id)]) AS name
     WHERE btrim(name) <> ''
     ORDER BY key);

CREATE INDEX sale_by_name ON sale USING gin (search_names);

-- The bank's names of a withdrawal's payment, and of its return.
ALTER TABLE transfer
    ADD COLUMN names        json,
    ADD COLUMN return_names json;
