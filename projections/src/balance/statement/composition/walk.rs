//! The way from a part of a debit to the credits that it consists of, or from a part of a credit to the debits that it
//! went to.
//!
//! Both ways are one. A line's part of the sum of its sign (`credited` or `debited`) is on one axis with the parts of the
//! other sign, and lines of both signs at one place of the axis belong together. If the line there has a taker, the way
//! goes on: a credit of a taker is what the taker's debits took, and a debit of a taker went to what the taker gave back.
//! Each cent has at most one next place, and no two cents have the same one. So a way never comes back to its beginning,
//! and it ends.

use std::collections::VecDeque;

use uuid::Uuid;

use crate::Error;

/// The sign of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Credit,
    Debit,
}

impl Sign {
    pub const fn other(self) -> Self {
        match self {
            Self::Credit => Self::Debit,
            Self::Debit => Self::Credit,
        }
    }
}

/// A line with its place on the axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacedLine<Line> {
    pub number: i64,
    pub sign: Sign,
    /// Without its sign.
    pub amount: i64,
    /// The sum of the lines of its sign, before and after it. Its first cents are missing between the two if other
    /// lines of its event cancel them out.
    pub from: i64,
    pub to: i64,
    /// The taker, and the line's end among the taker's lines of this sign: their sum. A credit also counts what the taker
    /// gave elsewhere before, as a hold does to a court.
    pub taker: Option<(Uuid, i64)>,
    pub line: Line,
}

impl<Line> PlacedLine<Line> {
    /// The number of the line's first cents that lines of its event cancel out.
    pub const fn canceled(&self) -> i64 {
        self.amount - (self.to - self.from)
    }
}

/// The lines of a business.
pub(crate) trait Lines {
    type Line: Clone;

    /// The first lines of the sign whose place ends after `position`, in order. At least one, if there is one.
    async fn after(
        &self,
        sign: Sign,
        position: i64,
        limit: usize,
    ) -> Result<Vec<PlacedLine<Self::Line>>, Error>;

    /// The same on the axis of a taker.
    async fn of_taker_after(
        &self,
        taker: Uuid,
        sign: Sign,
        position: i64,
        limit: usize,
    ) -> Result<Vec<PlacedLine<Self::Line>>, Error>;

    /// The lines of the event that has the line with this number, in order.
    async fn of_event(&self, number: i64) -> Result<Vec<PlacedLine<Self::Line>>, Error>;
}

/// Consecutive cents of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece<Line> {
    /// `None`: of the debit, no credit has come yet; of the credit, no debit has taken it.
    pub line: Option<Line>,
    /// The number of the line's cents before the piece.
    pub offset: i64,
    pub amount: i64,
}

/// The next step of a walk.
enum Step<Line> {
    /// The end.
    Found(Piece<Line>),
    /// To the place on the axis of all lines.
    OfAll { from: i64, to: i64 },
    /// To the place on the axis of a taker. If it has no line there, the walk ends at `otherwise`, which begins at
    /// `begins_at` on the same axis.
    OfTaker {
        taker: Uuid,
        from: i64,
        to: i64,
        begins_at: i64,
        otherwise: Option<Line>,
    },
    /// From canceled cents of the line with this number to the lines of its event that cancel them out.
    OfEvent { number: i64, from: i64, to: i64 },
}

/// A walk to the lines of one sign.
pub(crate) struct Walk<'a, Source: Lines> {
    lines: &'a Source,
    sign: Sign,
    /// In the order of the cents.
    steps: VecDeque<Step<Source::Line>>,
}

impl<'a, Source: Lines> Walk<'a, Source> {
    /// From cents of a line to the lines of the other sign: those from `from` to `to`, counted within the line.
    pub fn from_line(lines: &'a Source, line: &PlacedLine<Source::Line>, (from, to): (i64, i64)) -> Self {
        Self {
            lines,
            sign: line.sign.other(),
            steps: steps_from(line, from, to).collect(),
        }
    }

    /// To the credits behind what a taker took: the cents from `from` to `to` of all that it took.
    pub fn from_taker(lines: &'a Source, taker: Uuid, (from, to): (i64, i64)) -> Self {
        let step = Step::OfTaker {
            taker,
            from,
            to,
            begins_at: 0,
            otherwise: None,
        };
        Self {
            lines,
            sign: Sign::Credit,
            steps: VecDeque::from([step]),
        }
    }

    /// At most `limit` pieces, in the order of the cents.
    pub async fn pieces(mut self, limit: usize) -> Result<Vec<Piece<Source::Line>>, Error> {
        let mut pieces = vec![];
        while pieces.len() < limit
            && let Some(step) = self.steps.pop_front()
        {
            let steps = match step {
                Step::Found(piece) => {
                    pieces.extend((piece.amount > 0).then_some(piece));
                    continue;
                }
                Step::OfAll { from, to } => self.of_all((from, to), limit - pieces.len()).await?,
                Step::OfTaker {
                    taker,
                    from,
                    to,
                    begins_at,
                    otherwise,
                } => {
                    self.of_taker(taker, (from, to), (begins_at, otherwise), limit - pieces.len())
                        .await?
                }
                Step::OfEvent { number, from, to } => self.of_event(number, (from, to)).await?,
            };
            for step in steps.into_iter().rev() {
                self.steps.push_front(step);
            }
        }
        Ok(pieces)
    }

    async fn of_all(&self, (from, to): (i64, i64), limit: usize) -> Result<Vec<Step<Source::Line>>, Error> {
        let (mut at, mut steps) = (from, vec![]);
        for line in self.lines.after(self.sign, from, limit).await? {
            let end = line.to.min(to);
            if at >= end {
                break;
            }
            let offset = line.canceled() + at - line.from;
            steps.push(step_at(line, offset, end - at));
            at = end;
        }
        let rest = match steps.is_empty() {
            true => Step::Found(Piece {
                line: None,
                offset: 0,
                amount: to - at,
            }),
            false => Step::OfAll { from: at, to },
        };
        steps.extend((at < to).then_some(rest));
        Ok(steps)
    }

    async fn of_taker(
        &self,
        taker: Uuid,
        (from, to): (i64, i64),
        (begins_at, otherwise): (i64, Option<Source::Line>),
        limit: usize,
    ) -> Result<Vec<Step<Source::Line>>, Error> {
        let sign = self.sign.other();
        let (mut at, mut steps) = (from, vec![]);
        for line in self.lines.of_taker_after(taker, sign, from, limit).await? {
            let line_ends_at = line.taker.map_or(at, |(_, taken)| taken);
            let (line_begins_at, end) = (line_ends_at - line.amount, line_ends_at.min(to));
            // Cents between two lines went elsewhere, so the walk ends for them.
            let gap_ends_at = line_begins_at.min(to);
            if at < gap_ends_at {
                steps.push(Step::Found(Piece {
                    line: otherwise.clone(),
                    offset: at - begins_at,
                    amount: gap_ends_at - at,
                }));
                at = gap_ends_at;
            }
            if at >= end {
                break;
            }
            steps.extend(steps_from(&line, at - line_begins_at, end - line_begins_at));
            at = end;
        }
        let rest = match steps.is_empty() {
            true => Step::Found(Piece {
                line: otherwise,
                offset: at - begins_at,
                amount: to - at,
            }),
            false => Step::OfTaker {
                taker,
                from: at,
                to,
                begins_at,
                otherwise,
            },
        };
        steps.extend((at < to).then_some(rest));
        Ok(steps)
    }

    async fn of_event(&self, number: i64, (from, to): (i64, i64)) -> Result<Vec<Step<Source::Line>>, Error> {
        let lines = self.lines.of_event(number).await?;
        let earlier = lines
            .iter()
            .filter(|line| line.sign != self.sign && line.number < number);
        let before: i64 = earlier.map(PlacedLine::canceled).sum();
        let (from, to) = (before + from, before + to);
        let (mut line_begins_at, mut steps) = (0, vec![]);
        for line in lines.into_iter().filter(|line| line.sign == self.sign) {
            let line_ends_at = line_begins_at + line.canceled();
            let (at, end) = (from.max(line_begins_at), to.min(line_ends_at));
            if at < end {
                steps.push(step_at(line, at - line_begins_at, end - at));
            }
            line_begins_at = line_ends_at;
        }
        Ok(steps)
    }
}

/// The steps from cents of a line: first those that its event cancels out.
fn steps_from<Line>(
    line: &PlacedLine<Line>,
    from: i64,
    to: i64,
) -> impl Iterator<Item = Step<Line>> + use<Line> {
    let canceled = line.canceled();
    let of_event = Step::OfEvent {
        number: line.number,
        from,
        to: to.min(canceled),
    };
    let place = |cent: i64| line.from + cent - canceled;
    let of_all = Step::OfAll {
        from: place(from.max(canceled)),
        to: place(to),
    };
    let steps = [(from < canceled, of_event), (to > canceled, of_all)];
    steps
        .into_iter()
        .filter_map(|(exists, step)| exists.then_some(step))
}

/// The step at a line that was found: the way ends here, or it goes on at the line's taker.
fn step_at<Line>(line: PlacedLine<Line>, offset: i64, amount: i64) -> Step<Line> {
    match line.taker {
        None => Step::Found(Piece {
            line: Some(line.line),
            offset,
            amount,
        }),
        Some((taker, taken)) => {
            let begins_at = taken - line.amount;
            Step::OfTaker {
                taker,
                from: begins_at + offset,
                to: begins_at + offset + amount,
                begins_at,
                otherwise: Some(line.line),
            }
        }
    }
}
