-- The records of one installation, by the counts of the table `size`.
--
-- Without triggers, which take minutes for 300,000 terminals: the statements write what the triggers would.
SET LOCAL session_replication_role = replica;

CREATE FUNCTION pg_temp.numbered(prefix text, number int) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN
    (prefix || '-5b1e-7c3a-8000-' || lpad(to_hex(number), 12, '0'))::uuid;

CREATE FUNCTION pg_temp.surname(number int) RETURNS text LANGUAGE sql IMMUTABLE RETURN
    (ARRAY['Souza', 'Pereira', 'Lima', 'Alves', 'Rocha', 'Nunes', 'Melo', 'Barros', 'Ramos', 'Teles', 'Costa', 'Dias',
           'Prado', 'Reis', 'Moura', 'Freitas', 'Campos', 'Duarte', 'Farias', 'Gomes'])[1 + number % 20];

INSERT INTO business (id, name, document, type, receiving_plan_id, approval, created_at)
SELECT pg_temp.numbered('0193f0a0', number),
       (ARRAY['Padaria', 'Farmácia', 'Mercado', 'Oficina', 'Livraria', 'Papelaria', 'Floricultura', 'Lanchonete',
              'Restaurante', 'Academia', 'Clínica', 'Ótica', 'Sapataria', 'Joalheria', 'Perfumaria', 'Mercearia',
              'Açougue', 'Peixaria', 'Sorveteria', 'Confeitaria'])[1 + number / 20 % 20]
           || ' ' || pg_temp.surname(number) || ' ' || number,
       lpad(number::text, CASE WHEN number % 10 = 0 THEN 11 ELSE 14 END, '0'),
       CASE WHEN number % 10 = 0 THEN 'PF' ELSE 'PJ' END,
       (SELECT id FROM receiving_plan LIMIT 1),
       CASE WHEN number % 50 = 0 THEN 'pending' WHEN number % 50 = 1 THEN 'denied' ELSE 'enabled' END,
       now() - number * interval '1 minute'
  FROM generate_series(1, (SELECT companies FROM size)) AS number;

INSERT INTO business_word (word, business_id)
SELECT DISTINCT word, id FROM business, business_words(name, trade_name, document) AS word
 WHERE word <> '' AND id::text LIKE '0193f0a0%';

INSERT INTO seller_user (id, name, email, password_hash, document, active)
SELECT pg_temp.numbered('0193f0a1', number),
       (ARRAY['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Flora', 'Gil'])[1 + number % 7]
           || ' ' || pg_temp.surname(number) || ' ' || number,
       'pessoa-' || number || '@loja.example',
       (SELECT password_hash FROM admin_user LIMIT 1), lpad(number::text, 11, '0'), number % 100 > 0
  FROM generate_series(1, (SELECT companies FROM size)) AS number;

INSERT INTO seller_user_word (word, seller_id)
SELECT word, id FROM seller_user, user_words(name, email, document) AS word WHERE id::text LIKE '0193f0a1%';

INSERT INTO business_access (seller_id, business_id, role_id)
SELECT pg_temp.numbered('0193f0a1', number), pg_temp.numbered('0193f0a0', number), 1
  FROM generate_series(1, (SELECT companies FROM size)) AS number;

-- One terminal in ten is in stock, and one in three is rented.
INSERT INTO terminal (id, serial_number, created_at, business_id, owned_since, billing_type, acquisition, billed_since)
SELECT pg_temp.numbered('0193f0a2', number), 'MAQ' || lpad((number * 7919::bigint % 1000003)::text, 7, '0'),
       now() - number * interval '1 minute',
       CASE WHEN number % 10 > 0
            THEN pg_temp.numbered('0193f0a0', 1 + number % (SELECT companies FROM size)) END,
       now(), (number % 3 = 0)::int, (number % 3 = 0)::int, now()
  FROM generate_series(1, (SELECT 3 * companies FROM size)) AS number;

INSERT INTO terminal_owner (terminal_id, business_id, valid_from)
SELECT id, business_id, owned_since FROM terminal WHERE id::text LIKE '0193f0a2%';

INSERT INTO terminal_billing (terminal_id, billing_type, acquisition, valid_from)
SELECT id, billing_type, acquisition, billed_since FROM terminal WHERE id::text LIKE '0193f0a2%';

INSERT INTO plan (id, description, solution, active, created_at)
SELECT pg_temp.numbered('0193f0a3', number), 'Plano ' || number, model.solution, number % 5 > 0,
       now() - number * interval '1 minute'
  FROM generate_series(1, (SELECT plans FROM size)) AS number, (SELECT solution FROM plan LIMIT 1) AS model;

INSERT INTO plan_version (plan_id, version, terms)
SELECT pg_temp.numbered('0193f0a3', number), 1,
       (model.terms::jsonb || jsonb_build_object('name', 'Plano ' || number, 'version', 1, 'plan_id',
                                                 'pln_' || pg_temp.numbered('0193f0a3', number)))::json
  FROM generate_series(1, (SELECT plans FROM size)) AS number, (SELECT terms FROM plan_version LIMIT 1) AS model;

INSERT INTO receiving_plan (id, description, flat_rate, created_at)
SELECT pg_temp.numbered('0193f0a4', number), 'Saque ' || number, number, now() - number * interval '1 minute'
  FROM generate_series(1, (SELECT plans / 3 FROM size)) AS number;

INSERT INTO admin_user (id, name, email, password_hash, roles)
SELECT pg_temp.numbered('0193f0a5', number), 'Edu ' || pg_temp.surname(number) || ' ' || number,
       'equipe-' || number || '@razao.example', (SELECT password_hash FROM admin_user LIMIT 1),
       ARRAY[(ARRAY['admin', 'sac', 'commercial'])[1 + number % 3]]
  FROM generate_series(1, (SELECT staff FROM size)) AS number;

INSERT INTO admin_user_word (word, admin_id)
SELECT word, id FROM admin_user, user_words(name, email, NULL) AS word WHERE id::text LIKE '0193f0a5%';
