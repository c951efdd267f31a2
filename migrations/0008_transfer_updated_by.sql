-- Who did what happened last to a transfer: who refused, approved, reopened or canceled it.
--
-- Why: a refusal named nobody. The fold sets it from each event's metadata; what is recorded already is filled in here.

ALTER TABLE transfer ADD COLUMN updated_by text;

UPDATE transfer
   SET updated_by = last.actor
  FROM (SELECT DISTINCT ON (business_id, transfer_id) business_id, transfer_id, actor
          FROM (SELECT business_id, sequence, metadata->>'actor' AS actor,
                       substr(payload->event_type->>'transfer_id', 5)::uuid AS transfer_id
                  FROM event
                 WHERE event_type IN ('TransferApprovalGiven', 'TransferProcessing', 'TransferApproved',
                                      'TransferRefused', 'TransferFailed', 'TransferReopened',
                                      'TerminalRentalCanceled')) AS changes
         ORDER BY business_id, transfer_id, sequence DESC) AS last
 WHERE transfer.transfer_id = last.transfer_id AND transfer.business_id = last.business_id;
