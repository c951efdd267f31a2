-- The numbers of providers are declared in the domain alone (`Provider`).
--
-- Why: each table repeated that there are eight, so a new provider needed a migration of ten tables. A number that a
-- program does not know is refused where its row is read.
--
-- Locks ten tables against everything while each is read once: a tenth of a second with 100,000 refunds and as many
-- attempts of orders.
ALTER TABLE acquirer_route
    DROP CONSTRAINT acquirer_route_providers_check,
    ADD CONSTRAINT acquirer_route_providers_check
        CHECK (array_position(providers, NULL) IS NULL AND 1 <= ALL (providers));
ALTER TABLE order_attempt
    DROP CONSTRAINT order_attempt_provider_check,
    ADD CONSTRAINT order_attempt_provider_check CHECK (provider > 0);
ALTER TABLE refund
    DROP CONSTRAINT refund_provider_check,
    ADD CONSTRAINT refund_provider_check CHECK (provider > 0);
ALTER TABLE exception
    DROP CONSTRAINT exception_provider_check,
    ADD CONSTRAINT exception_provider_check CHECK (provider > 0);
ALTER TABLE settlement_import
    DROP CONSTRAINT settlement_import_provider_check,
    ADD CONSTRAINT settlement_import_provider_check CHECK (provider > 0);
ALTER TABLE acquirer_receivable
    DROP CONSTRAINT acquirer_receivable_provider_check,
    ADD CONSTRAINT acquirer_receivable_provider_check CHECK (provider > 0);
ALTER TABLE settlement_difference
    DROP CONSTRAINT settlement_difference_provider_check,
    ADD CONSTRAINT settlement_difference_provider_check CHECK (provider > 0);
ALTER TABLE settlement_coverage
    DROP CONSTRAINT settlement_coverage_provider_check,
    ADD CONSTRAINT settlement_coverage_provider_check CHECK (provider > 0);
ALTER TABLE settlement_day
    DROP CONSTRAINT settlement_day_provider_check,
    ADD CONSTRAINT settlement_day_provider_check CHECK (provider > 0);
ALTER TABLE acquirer_rate
    DROP CONSTRAINT acquirer_rate_provider_check,
    ADD CONSTRAINT acquirer_rate_provider_check CHECK (provider > 0);
