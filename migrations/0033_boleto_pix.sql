-- The PIX code of a boleto that can also be paid by PIX. It pays the same charge, and the printed boleto shows it too.

-- Why not in `pix_code`: that column is the code of a PIX attempt, and buyers see such an attempt as a PIX payment.
ALTER TABLE order_attempt
    ADD COLUMN boleto_pix_code text CHECK (length(boleto_pix_code) BETWEEN 1 AND 1000),
    ADD CHECK (boleto_line IS NOT NULL OR boleto_pix_code IS NULL);
