-- Adds the actor of the latest change of a transfer: who refused, approved, reopened or canceled it.
--
-- Why: the read model did not show who refused a transfer. The fold sets the column from the metadata of each event.
-- This migration fills it in from the events that are already recorded.

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
