//! Exports a list into a file. Pages are read while a blocking thread writes the sheet. The finished file is then
//! streamed, and is never completely in memory.

use std::fs::File;
use std::future::Future;
use std::io;
use std::pin::pin;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::BytesMut;
use futures::stream::{self, Stream, TryStreamExt};
use tokio::io::AsyncReadExt;
use tokio::sync::{Semaphore, mpsc};

use super::csv::CsvFile;
use super::response_format::{FileKind, Spreadsheet};
use super::sheet::{Column, Sheet, SheetError};
use crate::problem::{Problem, Result};

/// The rows of a page. Each page is read by a separate SQL statement, so that no statement runs long.
pub const PAGE_ROWS: u32 = 1_000;
/// Pages that are read ahead while earlier ones are written.
const PAGES_AHEAD: usize = 2;
/// Sheets that are written at the same time. More would only compete for the same processors.
pub(super) static EXPORT_SLOTS: Semaphore = Semaphore::const_new(2);
const CHUNK_BYTES: usize = 64 * 1024;

/// A table: its columns, and the file's default name.
pub struct Table<Row: 'static> {
    pub name: &'static str,
    pub columns: &'static [Column<Row>],
}

/// All pages of a list. `read` gets the end of the previous page (`None` for the first page). It returns the end of the
/// page that it read (`None` for the last page).
pub fn pages<Row, Cursor, Reading>(
    read: impl Fn(Option<Cursor>) -> Reading,
) -> impl Stream<Item = Result<Vec<Row>>>
where
    Reading: Future<Output = Result<(Vec<Row>, Option<Cursor>)>>,
{
    stream::try_unfold((Some(None), read), |(from, read)| async move {
        let Some(cursor) = from else { return Ok(None) };
        let (rows, next) = read(cursor).await?;
        Ok(Some((rows, (next.map(Some), read))))
    })
}

impl Spreadsheet {
    /// The answer with all rows. It begins when the file is complete, so that a failure is still answered as a problem.
    pub(crate) async fn respond<Row: Send + 'static>(
        self,
        table: &Table<Row>,
        pages: impl Stream<Item = Result<Vec<Row>>>,
    ) -> Result<Response> {
        let slot = EXPORT_SLOTS.acquire().await.map_err(Problem::internal)?;
        let (sender, mut receiver) = mpsc::channel::<Vec<Row>>(PAGES_AHEAD);
        let (columns, zone, kind) = (table.columns, self.zone, self.kind);
        let writing = tokio::task::spawn_blocking(move || -> Result<File, SheetError> {
            match kind {
                FileKind::Xlsx => {
                    let mut sheet = Sheet::open(columns, zone)?;
                    while let Some(page) = receiver.blocking_recv() {
                        page.iter().try_for_each(|row| sheet.write(row))?;
                    }
                    sheet.finish()
                }
                FileKind::Csv => {
                    let mut file = CsvFile::open(columns, zone)?;
                    while let Some(page) = receiver.blocking_recv() {
                        page.iter().try_for_each(|row| file.write(row))?;
                    }
                    file.finish()
                }
            }
        });
        let read = send_pages(pages, sender).await;
        let written = writing.await.map_err(Problem::internal)?;
        drop(slot);
        read?;
        self.answer(table.name, written?)
    }

    /// The answer with a finished file.
    pub fn answer(&self, default_name: &str, file: File) -> Result<Response> {
        let length = file.metadata().map_err(SheetError::File)?.len();
        let headers = [
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static(self.kind.content_type()),
            ),
            (header::CONTENT_LENGTH, HeaderValue::from(length)),
            (header::CONTENT_DISPOSITION, self.disposition(default_name)),
        ];
        Ok((headers, Body::from_stream(chunks(file))).into_response())
    }
}

/// Ends early if the writer has stopped. The writer returns the reason.
async fn send_pages<Row>(
    pages: impl Stream<Item = Result<Vec<Row>>>,
    sender: mpsc::Sender<Vec<Row>>,
) -> Result<()> {
    let mut pages = pin!(pages);
    while let Some(page) = pages.try_next().await? {
        if sender.send(page).await.is_err() {
            break;
        }
    }
    Ok(())
}

fn chunks(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(tokio::fs::File::from_std(file), |mut file| async move {
        let mut chunk = BytesMut::with_capacity(CHUNK_BYTES);
        let read = file.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), file)))
    })
}
