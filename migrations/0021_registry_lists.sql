-- Indexes for filters that were slow with 100,000 companies (measured with `just bench-reads`).
--
-- Why partial: each index has only the rows of its filter, in the order of the list. So a page, and the count up to
-- 10,000, read entries of the index and not every row of the table.

CREATE INDEX terminal_in_use ON terminal (serial_number) WHERE business_id IS NOT NULL;
CREATE INDEX terminal_not_rented ON terminal (serial_number) WHERE billing_type = 0 AND business_id IS NOT NULL;
CREATE INDEX seller_user_inactive ON seller_user (name_key, id) WHERE deleted_at IS NULL AND NOT active;
