-- Withdrawals that a bank returned after it had paid them.
--
-- Locks `transfer` and `platform_setting` against everything, while `transfer` is read once: milliseconds for 20,000
-- withdrawals.

-- The part of the fee that the platform gave back; NULL if the bank did not return the withdrawal.
ALTER TABLE transfer
    ADD COLUMN fee_given_back bigint,
    ADD CONSTRAINT transfer_fee_given_back CHECK (fee_given_back BETWEEN 0 AND fee),
    ADD CONSTRAINT transfer_returned CHECK (fee_given_back IS NULL OR (kind = 0 AND status = 4));

-- Whether the fee of a returned withdrawal goes back to the company: 1 for yes.
ALTER TABLE platform_setting
    DROP CONSTRAINT platform_setting_value_known,
    ADD CONSTRAINT platform_setting_value_known CHECK (
        CASE key
            WHEN 'terminal_rental' THEN value BETWEEN 1 AND 9999999999
            WHEN 'two_approvals_above' THEN value BETWEEN 0 AND 9999999999
            WHEN 'two_person_plan_changes' THEN value IN (0, 1)
            WHEN 'marked_destination_days' THEN value BETWEEN 0 AND 90
            WHEN 'buyer_data_days' THEN value BETWEEN 180 AND 3653
            WHEN 'two_person_company_approvals' THEN value IN (0, 1)
            -- The documents are a sum: 1 identity, 2 proof of address, 4 articles of association.
            WHEN 'documents_of_pf' THEN value BETWEEN 0 AND 3
            WHEN 'documents_of_pj' THEN value BETWEEN 0 AND 7
            -- What one person moves alone. NULL: any sum.
            WHEN 'credits_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'removals_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'releases_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'plan_exceptions_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'returned_withdrawal_fee' THEN value IN (0, 1)
            ELSE false
        END);
