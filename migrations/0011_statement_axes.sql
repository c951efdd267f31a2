-- Indexes to read the statement and the journal by one kind of time: when events occurred, or when they were recorded.
--
-- Why: the order of rows, the running balance and the filter by period must use the same time. Before, rows were read
-- by business date and number, which is neither of the two. So the balances did not add up.

DROP INDEX statement_line_by_date;
CREATE INDEX statement_line_by_occurrence ON statement_line (business_id, occurred_at, number);

DROP INDEX journal_by_date;
DROP INDEX journal_of_available;
DROP INDEX journal_of_in_transfer;
DROP INDEX journal_of_held_by_staff;
DROP INDEX journal_of_in_dispute;

CREATE INDEX journal_by_occurrence ON journal (business_id, occurred_at, sequence);
-- Nearly all rows of a journal are captures, which do not change these four accounts. With partial indexes, a query for
-- postings of these accounts, by either time, reads no captures.
CREATE INDEX journal_of_available ON journal (business_id, occurred_at, sequence) WHERE available IS NOT NULL;
CREATE INDEX journal_of_in_transfer ON journal (business_id, occurred_at, sequence) WHERE in_transfer IS NOT NULL;
CREATE INDEX journal_of_held_by_staff ON journal (business_id, occurred_at, sequence) WHERE held_by_staff IS NOT NULL;
CREATE INDEX journal_of_in_dispute ON journal (business_id, occurred_at, sequence) WHERE in_dispute IS NOT NULL;
CREATE INDEX journal_of_available_recorded ON journal (business_id, recorded_at, sequence) WHERE available IS NOT NULL;
CREATE INDEX journal_of_in_transfer_recorded ON journal (business_id, recorded_at, sequence)
    WHERE in_transfer IS NOT NULL;
CREATE INDEX journal_of_held_by_staff_recorded ON journal (business_id, recorded_at, sequence)
    WHERE held_by_staff IS NOT NULL;
CREATE INDEX journal_of_in_dispute_recorded ON journal (business_id, recorded_at, sequence)
    WHERE in_dispute IS NOT NULL;
