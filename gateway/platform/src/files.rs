//! Uploaded files in the database: their type by content, their parts, and tenants' logos. A record that names a file
//! (a document of a company or of a hold, a logo) has its own table. When such a record is deleted, a trigger deletes its file.

use chrono::{DateTime, Utc};
use ledger_rows::get;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// The largest file: 10 MB, the limit of companies' documents.
pub const FILE_BYTES_MAX: usize = 10 * 1024 * 1024;
/// The largest part that a row of `stored_file_part` may have.
const PART_BYTES: usize = 256 * 1024;

ledger_domain::words! {
    pub enum MediaType {
        Pdf = "application/pdf",
        Jpeg = "image/jpeg",
        Png = "image/png",
    }
}

/// An image with fewer pixels shows no text that can be read.
const LONG_SIDE_MIN: u32 = 200;
const SHORT_SIDE_MIN: u32 = 100;

pub const TOO_SMALL_TO_READ: &str =
    "A imagem é pequena demais para ler o documento. Envie uma com pelo menos 200 × 100 pixels.";

/// By the width and the height of an image. Other files have none.
pub fn is_too_small_to_read(pixels: Option<(u32, u32)>) -> bool {
    pixels.is_some_and(|(width, height)| {
        width.max(height) < LONG_SIDE_MIN || width.min(height) < SHORT_SIDE_MIN
    })
}

impl MediaType {
    pub const fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png)
    }

    /// By the bytes with which files of the type begin. A name or a header can claim anything.
    pub fn of_content(content: &[u8]) -> Option<Self> {
        [
            (Self::Pdf, &b"%PDF-"[..]),
            (Self::Jpeg, b"\xff\xd8\xff"),
            (Self::Png, b"\x89PNG\r\n\x1a\n"),
        ]
        .into_iter()
        .find_map(|(media_type, magic)| content.starts_with(magic).then_some(media_type))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub id: Uuid,
    pub media_type: MediaType,
    pub byte_count: i32,
    pub sha256: Vec<u8>,
}

/// A file to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewFile<'a> {
    pub id: Uuid,
    pub media_type: MediaType,
    pub content: &'a [u8],
    pub sha256: &'a [u8],
    pub created_at: DateTime<Utc>,
}

/// Stores the file in the caller's transaction.
pub async fn file_create(client: &impl GenericClient, file: &NewFile<'_>) -> Result<(), Error> {
    let byte_count = i32::try_from(file.content.len()).unwrap_or(i32::MAX);
    client
        .execute_typed(
            "INSERT INTO stored_file (id, media_type, byte_count, sha256, created_at) VALUES ($1, $2, $3, $4, $5)",
            &[
                (&file.id, Type::UUID),
                (&file.media_type.as_str(), Type::TEXT),
                (&byte_count, Type::INT4),
                (&file.sha256, Type::BYTEA),
                (&file.created_at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    for (number, part) in (0_i32..).zip(file.content.chunks(PART_BYTES)) {
        client
            .execute_typed(
                "INSERT INTO stored_file_part (file_id, number, content) VALUES ($1, $2, $3)",
                &[
                    (&file.id, Type::UUID),
                    (&number, Type::INT4),
                    (&part, Type::BYTEA),
                ],
            )
            .await?;
    }
    Ok(())
}

/// One part of a file; `None` after the last one.
pub async fn file_part(
    client: &impl GenericClient,
    file: Uuid,
    number: i32,
) -> Result<Option<Vec<u8>>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT content FROM stored_file_part WHERE file_id = $1 AND number = $2",
            &[(&file, Type::UUID), (&number, Type::INT4)],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}

/// The whole file, for a reader that needs all of it, such as the decoder of an image.
pub async fn file_content(client: &impl GenericClient, file: &StoredFile) -> Result<Vec<u8>, Error> {
    let mut content = Vec::with_capacity(usize::try_from(file.byte_count).unwrap_or_default());
    for number in 0.. {
        match file_part(client, file.id, number).await? {
            Some(part) => content.extend(part),
            None => break,
        }
    }
    Ok(content)
}

/// The logo of the tenant with the host's label, else of the tenant of all hosts (label ''). `None` if that tenant has
/// no logo.
pub async fn logo_of(client: &impl GenericClient, label: &str) -> Result<Option<Uuid>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT logo.file_id FROM tenant LEFT JOIN tenant_logo logo USING (label)
              WHERE tenant.label IN ($1, '') ORDER BY tenant.label DESC LIMIT 1",
            &[(&label, Type::TEXT)],
        )
        .await?;
    Ok(row.and_then(|row| row.get(0)))
}

/// The logos by label.
pub async fn logos_all(client: &impl GenericClient) -> Result<Vec<(String, Uuid)>, Error> {
    let rows = client
        .query_typed("SELECT label, file_id FROM tenant_logo ORDER BY label", &[])
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The file of a logo; `None` if the id is of another file.
pub async fn logo_file(client: &impl GenericClient, file: Uuid) -> Result<Option<StoredFile>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT file.id, file.media_type, file.byte_count, file.sha256
               FROM tenant_logo logo JOIN stored_file file ON file.id = logo.file_id WHERE logo.file_id = $1",
            &[(&file, Type::UUID)],
        )
        .await?;
    row.as_ref().map(stored_file).transpose()
}

/// Removes the label's logo, and by the trigger its file. Returns the file's id.
pub async fn logo_remove(client: &impl GenericClient, label: &str) -> Result<Option<Uuid>, Error> {
    let row = client
        .query_typed_opt(
            "DELETE FROM tenant_logo WHERE label = $1 RETURNING file_id",
            &[(&label, Type::TEXT)],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}

/// The caller has removed the earlier logo.
pub async fn logo_add(client: &impl GenericClient, label: &str, file: Uuid) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO tenant_logo (label, file_id) VALUES ($1, $2)",
            &[(&label, Type::TEXT), (&file, Type::UUID)],
        )
        .await
        .map(drop)
}

/// A row with the columns `id`, `media_type`, `byte_count` and `sha256` of `stored_file`.
pub(crate) fn stored_file(row: &tokio_postgres::Row) -> Result<StoredFile, Error> {
    Ok(StoredFile {
        id: row.get("id"),
        media_type: get(row, "media_type")?,
        byte_count: row.get("byte_count"),
        sha256: row.get("sha256"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_follows_from_the_content() {
        for (content, media_type) in [
            (&b"%PDF-1.7\n"[..], Some(MediaType::Pdf)),
            (b"\xff\xd8\xff\xe0\x00\x10JFIF", Some(MediaType::Jpeg)),
            (b"\x89PNG\r\n\x1a\n\x00", Some(MediaType::Png)),
            (b"<html><script>alert(1)</script>", None),
            (b" %PDF-1.7", None),
            (b"GIF89a", None),
            (b"", None),
        ] {
            assert_eq!(MediaType::of_content(content), media_type);
        }
    }
}
