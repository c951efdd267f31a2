-- At least one row in each chained table, written as by the program. `$company`, `$plan`, `$receiving`, `$seller`,
-- `$admin` and `$terminal` stand for ids of rows that exist.
INSERT INTO one_time_code (id, purpose, audience, user_id, email, code_hash, expires_at)
VALUES (gen_random_uuid(), 'reset-password', 'seller', '$seller', 'a@loja.example', sha256('1'), now() + interval '1 day');
INSERT INTO session (family, audience, user_id, refresh_hash, expires_at)
VALUES (gen_random_uuid(), 'seller', '$seller', sha256('2'), now() + interval '1 day');
INSERT INTO business_address (id, business_id, address, neighborhood, city, state, postal_code)
VALUES (gen_random_uuid(), '$company', 'Rua A', 'Centro', 'Recife', 'PE', '50010000');
INSERT INTO company_decision (id, business_id, approval, missing_documents, status, decided_at)
VALUES (gen_random_uuid(), '$company', 'enabled', '{}', 'pending', now());
INSERT INTO stored_file (id, media_type, byte_count, sha256, created_at)
VALUES ('00000000-0000-0000-0000-0000000000f1', 'image/png', 3, sha256('abc'), now()),
       ('00000000-0000-0000-0000-0000000000f2', 'image/png', 3, sha256('abd'), now()),
       ('00000000-0000-0000-0000-0000000000f3', 'image/png', 3, sha256('abe'), now());
INSERT INTO stored_file_part (file_id, number, content)
VALUES ('00000000-0000-0000-0000-0000000000f1', 0, 'ab'), ('00000000-0000-0000-0000-0000000000f1', 1, 'c'),
       ('00000000-0000-0000-0000-0000000000f2', 0, 'abd'), ('00000000-0000-0000-0000-0000000000f3', 0, 'abe');
INSERT INTO business_document (id, business_id, kind, file_name, audience, uploaded_by, uploaded_at)
VALUES ('00000000-0000-0000-0000-0000000000f1', '$company', 'identity', 'rg.png', 'seller', '$seller', now());
INSERT INTO hold_document (id, business_id, hold_id, asked, file_name, sent_by, sent_at, state)
VALUES ('00000000-0000-0000-0000-0000000000f3', '$company', gen_random_uuid(), 'Nota fiscal', 'nota.png', '$seller', now(),
        'sent');
INSERT INTO tenant_logo (label, file_id) VALUES ('', '00000000-0000-0000-0000-0000000000f2');
INSERT INTO bank_account (id, business_id, is_default, bank_code, account_type, routing_number, account_number, account_digit)
VALUES (gen_random_uuid(), '$company', true, '341', 'CHECKING', '1', '12345', '6');
INSERT INTO destination_change (business_id, changed_at, marked_until)
VALUES ('$company', now(), now() + interval '7 days');
INSERT INTO contact_message (id, seller_id, business_id, panel_url, subject, body, created_at, updated_at)
VALUES ('00000000-0000-0000-0000-0000000000c1', '$seller', '$company', 'https://loja.example', 'Dúvida', 'Oi', now(), now());
INSERT INTO contact_answer (id, message_id, admin_id, body, created_at)
VALUES (gen_random_uuid(), '00000000-0000-0000-0000-0000000000c1', '$admin', 'Oi', now());
INSERT INTO plan_default (solution, plan_id) SELECT solution, id FROM plan WHERE id = '$plan';
INSERT INTO plan_change (id, plan_id, revision, form, before, after, requested_by, requested_at)
VALUES (gen_random_uuid(), '$plan', 1, '{}', '{}', '{}', '$admin', now());
INSERT INTO acquirer_route (business_id, solution, payment_type, number, providers, valid_from, set_by)
VALUES ('$company', 4, 'pix', 1, '{4}', now(), '$admin');
INSERT INTO acquirer_rate (id, provider, payment_type, installments_from, valid_from, percent, flat, set_by, set_at)
VALUES (gen_random_uuid(), 1, 'pix', 1, current_date, 1, 0, '$admin', now());
INSERT INTO terminal (id, serial_number) VALUES ('$terminal', 'SN-1');
INSERT INTO terminal_owner (terminal_id, business_id) VALUES ('$terminal', '$company');
INSERT INTO terminal_billing (terminal_id, billing_type, acquisition, rental_cents) VALUES ('$terminal', 1, 1, 4990);
INSERT INTO rental_month (due_date) VALUES ('2026-01-01');
INSERT INTO holiday (date, name) VALUES ('2026-06-24', 'São João');
INSERT INTO platform_setting (key, number, value, valid_from, set_by)
VALUES ('terminal_rental', 1, 4990, now(), '$admin');
INSERT INTO payment_link (id, business_id, code, description, amount, payment_types, installments_max, payer, uses, active,
                          created_at, updated_at)
VALUES ('00000000-0000-0000-0000-0000000000a1', '$company', 'ABCDEFGHJKMN', 'Bolo', 1000, '{pix}', 1, 'seller', 1, true,
        now(), now());
INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url, request_key, created_at,
                        idle_since)
VALUES ('00000000-0000-0000-0000-0000000000b1', 'ABCDEFGHJK', '00000000-0000-0000-0000-0000000000a1', '$company', 'Bolo',
        1000, 'https://loja.example', sha256('3'), now(), now());
INSERT INTO order_buyer (order_id, name, document, email, phone, request_hash)
VALUES ('00000000-0000-0000-0000-0000000000b1', 'Maria', '52998224725', 'maria@example.com', '81987654321', sha256('4'));
INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, payment_type, installments, total, ordered_at,
                           expires_at, acquirer_id, pix_code)
VALUES (gen_random_uuid(), '00000000-0000-0000-0000-0000000000b1', 1, '$company', 4, 'pix', 1, 1000, now(),
        now() + interval '30 minutes', 'ch-1', '000201');
INSERT INTO card_closure (id, link_id, declines, closed_at, closed_until)
VALUES (gen_random_uuid(), '00000000-0000-0000-0000-0000000000a1', 20, now(), now() + interval '1 hour');
INSERT INTO exception (id, provider, notice_id, notice_type, fingerprint, body, reason, business_id, next_try_at)
VALUES (gen_random_uuid(), 1, 'n-1', 'sale.captured', sha256('5'), '{}', 'unknown_sale', '$company', now());
INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination)
VALUES (gen_random_uuid(), gen_random_uuid(), '$company', 100, '{}');
INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount)
VALUES (gen_random_uuid(), gen_random_uuid(), '$company', 1, 'nsu-1', 100);
INSERT INTO settlement_import (id, source, provider, format, state, sha256, created_at)
VALUES ('00000000-0000-0000-0000-0000000000d1', 'file', 1, 'card_file', 'waiting', sha256('6'), now());
INSERT INTO settlement_bad_line (import_id, line, reason) VALUES ('00000000-0000-0000-0000-0000000000d1', 1, 'short');
INSERT INTO acquirer_receivable (provider, reference, installment, entry, gross, cost, net, canceled, day, import_id,
                                 reported_at)
VALUES (1, 'nsu-1', 1, 'payment', 1000, 30, 970, false, '2026-01-02', '00000000-0000-0000-0000-0000000000d1', now());
INSERT INTO settlement_difference (id, kind, provider, day, installment, receivable_id, delta, found_at)
SELECT gen_random_uuid(), 'unknown', 1, '2026-01-02', 1, id, 1000, now() FROM acquirer_receivable;
INSERT INTO settlement_coverage (provider, since) VALUES (1, '2026-01-02');
INSERT INTO settlement_day (provider, day, reported, cost) VALUES (1, '2026-01-02', 1000, 30);
INSERT INTO adjustment_alone (id, kind, business_id, amount, made_by, made_at, idempotency_key, fingerprint)
VALUES (gen_random_uuid(), 'credit', '$company', 1000, '$admin', now(), substring(sha256('7') FOR 16),
        substring(sha256('8') FOR 16));
INSERT INTO adjustment_request (id, kind, business_id, amount, reason, allow_negative, requested_by, requested_at,
                                idempotency_key, fingerprint)
VALUES (gen_random_uuid(), 'credit', '$company', 500000, 'Estorno', false, '$admin', now(),
        substring(sha256('9') FOR 16), substring(sha256('10') FOR 16));
INSERT INTO email_change (id, audience, user_id, email_before, email, asked_by_audience, asked_by, panel_url, asked_at, waits_until)
VALUES (gen_random_uuid(), 'seller', '$seller', 'a@loja.example', 'b@loja.example', 'admin', '$admin', 'https://loja.example',
        now(), now() + interval '48 hours');
INSERT INTO reserve_rules (id, business_id, version, valid_from, percentage, days, reason, recorded_by, recorded_at)
VALUES (gen_random_uuid(), '$company', 1, '2030-01-02', 10, 30, 'Contestações', '$admin', now());
INSERT INTO withdrawal_schedule (business_id, frequency, minimum, kept, destination, set_by, set_at)
VALUES ('$company', 'day', 10000, 0, 1, '$seller', now());
