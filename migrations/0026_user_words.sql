-- The words by which lists of users are searched, like `business_word` for companies.
--
-- Why words: a search of 100,000 users for any substring of a name, an e-mail address or a document reads all of them.
-- Why the complete e-mail address too: 'ana', 'gmail' and 'com' are common words, and a complete address is rare.
-- Why the indexes by user and word: a search for several words starts with the rarest word. For each user found, it
-- looks up the other words.

CREATE FUNCTION user_words(name text, email text, document text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT word FROM business_words(name, email, document) AS word WHERE word <> ''
    UNION
    SELECT folded(email) WHERE email <> '';
END;

CREATE TABLE seller_user_word (
    word       text COLLATE "C" NOT NULL,
    seller_id  uuid NOT NULL REFERENCES seller_user (id),
    PRIMARY KEY (word, seller_id)
);
CREATE INDEX seller_user_word_of_seller ON seller_user_word (seller_id, word);

CREATE TABLE admin_user_word (
    word      text COLLATE "C" NOT NULL,
    admin_id  uuid NOT NULL REFERENCES admin_user (id),
    PRIMARY KEY (word, admin_id)
);
CREATE INDEX admin_user_word_of_admin ON admin_user_word (admin_id, word);

-- A deleted user has no words, because lists do not show deleted users.
CREATE FUNCTION seller_user_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM seller_user_word WHERE seller_id = NEW.id;
    INSERT INTO seller_user_word (word, seller_id)
    SELECT word, NEW.id FROM user_words(NEW.name, NEW.email, NEW.document) AS word WHERE NEW.deleted_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER seller_user_words_added AFTER INSERT ON seller_user
    FOR EACH ROW EXECUTE FUNCTION seller_user_words_kept();
CREATE TRIGGER seller_user_words_changed AFTER UPDATE ON seller_user
    FOR EACH ROW
    WHEN ((NEW.name, NEW.email, NEW.document, NEW.deleted_at) IS DISTINCT FROM
          (OLD.name, OLD.email, OLD.document, OLD.deleted_at))
    EXECUTE FUNCTION seller_user_words_kept();
INSERT INTO seller_user_word (word, seller_id)
SELECT word, id FROM seller_user, user_words(name, email, document) AS word WHERE deleted_at IS NULL;

CREATE FUNCTION admin_user_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM admin_user_word WHERE admin_id = NEW.id;
    INSERT INTO admin_user_word (word, admin_id)
    SELECT word, NEW.id FROM user_words(NEW.name, NEW.email, NULL) AS word WHERE NEW.deleted_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER admin_user_words_added AFTER INSERT ON admin_user
    FOR EACH ROW EXECUTE FUNCTION admin_user_words_kept();
CREATE TRIGGER admin_user_words_changed AFTER UPDATE ON admin_user
    FOR EACH ROW
    WHEN ((NEW.name, NEW.email, NEW.deleted_at) IS DISTINCT FROM (OLD.name, OLD.email, OLD.deleted_at))
    EXECUTE FUNCTION admin_user_words_kept();
INSERT INTO admin_user_word (word, admin_id)
SELECT word, id FROM admin_user, user_words(name, email, NULL) AS word WHERE deleted_at IS NULL;

DROP INDEX business_word_of_business;
CREATE INDEX business_word_of_business ON business_word (business_id, word);
DROP INDEX contact_message_word_of_message;
CREATE INDEX contact_message_word_of_message ON contact_message_word (message_id, word);
