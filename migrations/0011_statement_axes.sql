-- Statement and journal are read along one axis of time: rows, their running balance and the filter by period go by when
-- things happened, or all by when they were recorded. By business date and number, which is neither, they did not add up.

DROP INDEX statement_line_by_date;
CREATE INDEX statement_line_by_occurrence ON statement_line (business_id, occurred_at, number);

DROP INDEX journal_by_date;
DROP INDEX journal_of_available;
DROP INDEX journal_of_in_transfer;
DROP INDEX journal_of_held_by_staff;
DROP INDEX journal_of_in_dispute;

CREATE INDEX journal_by_occurrence ON journal (business_id, occurred_at, sequence);
-- Captures, which are nearly all of a journal, leave these accounts alone: their postings are found on either axis without
-- walking past every capture.
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
