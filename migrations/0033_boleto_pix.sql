-- Boletos that can be paid by PIX too: the acquirer's code of the same charge, which the printed boleto has beside its bars.

-- Why a column and not `pix_code`: that one is what a PIX attempt is paid with, and its buyers see it as such.
ALTER TABLE order_attempt
    ADD COLUMN boleto_pix_code text CHECK (length(boleto_pix_code) BETWEEN 1 AND 1000),
    ADD CHECK (boleto_line IS NOT NULL OR boleto_pix_code IS NULL);
