//! A list's way into a file: pages are read, written beside by a thread that may block, and the finished file is
//! streamed out. Neither the rows nor the file are ever whole in memory.

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

use super::MEDIA_TYPE;
use super::sheet::{Column, Sheet, SheetError};
use super::wanted::Spreadsheet;
use crate::problem::{Problem, Result};

/// One short statement each.
pub const PAGE_ROWS: u32 = 1_000;
/// Read while the ones before are written.
const PAGES_AHEAD: usize = 2;
/// Written at the same time; more would only wait for the same processors.
static TURNS: Semaphore = Semaphore::const_new(2);
const CHUNK_BYTES: usize = 64 * 1024;

/// A table: its file's name where the client gives none, and its columns.
pub struct Table<Row: 'static> {
    pub name: &'static str,
    pub columns: &'static [Column<Row>],
}

/// All pages of a list. `read` gets the place where the page before ended, nothing for the first, and tells where its
/// own page ended, nothing for the last.
pub fn pages<Row, Place, Reading>(
    read: impl Fn(Option<Place>) -> Reading,
) -> impl Stream<Item = Result<Vec<Row>>>
where
    Reading: Future<Output = Result<(Vec<Row>, Option<Place>)>>,
{
    stream::try_unfold((Some(None), read), |(from, read)| async move {
        let Some(place) = from else { return Ok(None) };
        let (rows, next) = read(place).await?;
        Ok(Some((rows, (next.map(Some), read))))
    })
}

impl Spreadsheet {
    /// The answer that carries all the rows. It begins when the file is whole, so that what fails is still a problem.
    pub async fn of<Row: Send + 'static>(
        self,
        table: &Table<Row>,
        pages: impl Stream<Item = Result<Vec<Row>>>,
    ) -> Result<Response> {
        let turn = TURNS.acquire().await.map_err(Problem::internal)?;
        let (sender, mut receiver) = mpsc::channel::<Vec<Row>>(PAGES_AHEAD);
        let (columns, zone) = (table.columns, self.zone);
        let writing = tokio::task::spawn_blocking(move || -> Result<File, SheetError> {
            let mut sheet = Sheet::open(columns, zone)?;
            while let Some(page) = receiver.blocking_recv() {
                page.iter().try_for_each(|row| sheet.write(row))?;
            }
            sheet.finish()
        });
        let read = hand_over(pages, sender).await;
        let written = writing.await.map_err(Problem::internal)?;
        drop(turn);
        read?;
        self.answer(table.name, written?)
    }

    fn answer(&self, default_name: &str, file: File) -> Result<Response> {
        let length = file.metadata().map_err(SheetError::File)?.len();
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)),
            (header::CONTENT_LENGTH, HeaderValue::from(length)),
            (header::CONTENT_DISPOSITION, self.disposition(default_name)),
        ];
        Ok((headers, Body::from_stream(chunks(file))).into_response())
    }
}

/// Ends early where nobody writes any more; why is the writer's to tell.
async fn hand_over<Row>(
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
