//! The meaning of a boleto's movement. Each bank has a table of its own, and one code may be a payment at one bank and
//! the fee of a notary at another.
//!
//! Only codes that move money are listed. All others, such as registrations, changes and fees, are information; if one
//! of them has a paid amount nevertheless, the reader of the file must show it to staff.
//!
//! Sources of the codes: the banks' manuals, as the tables of public implementations repeat them
//! (eduardokum/laravel-boleto, `src/Cnab/Retorno`; for Safra ACBr, `ACBrBancoSafra.pas`).

use std::fmt;

/// Two characters, usually digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MovementCode([u8; 2]);

impl MovementCode {
    /// The first two characters of the text.
    pub fn new(text: &str) -> Self {
        let mut bytes = text.bytes().chain([b' ', b' ']);
        Self([(); 2].map(|()| bytes.next().unwrap_or(b' ')))
    }

    fn is_one_of(self, codes: &[&str]) -> bool {
        codes.iter().any(|code| code.as_bytes() == self.0)
    }
}

impl fmt::Display for MovementCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", char::from(self.0[0]), char::from(self.0[1]))
    }
}

impl fmt::Debug for MovementCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Payment,
    /// A part of the boleto's amount. Others may follow.
    PartialPayment,
    /// The bank takes a payment back.
    Reversal,
    /// The cheque that paid the boleto bounced, so the bank takes the payment back.
    BouncedCheque,
    /// Paid by a cheque that is not cleared yet. Another movement reports the result.
    PendingCheque,
    /// No money moves.
    Information,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Cnab240,
    Cnab400,
}

struct Codes {
    payments: &'static [&'static str],
    partial: &'static [&'static str],
    reversals: &'static [&'static str],
    bounced: &'static [&'static str],
    pending: &'static [&'static str],
}

const NONE: Codes = Codes {
    payments: &[],
    partial: &[],
    reversals: &[],
    bounced: &[],
    pending: &[],
};

/// FEBRABAN's table, which most banks use in CNAB 240.
const FEBRABAN: Codes = Codes {
    // 45: paid by a cheque that is cleared.
    payments: &["06", "17", "45"],
    bounced: &["44"],
    pending: &["50"],
    ..NONE
};
const ITAU: Codes = Codes {
    // 08: at the notary. 10: written off because it was paid. 59: credited by SISPAG. 76: the cheque is cleared.
    payments: &["06", "08", "10", "59", "76"],
    partial: &["07"],
    bounced: &["69"],
    pending: &["65"],
    ..NONE
};
const C6: Codes = Codes {
    payments: &["06", "07", "08"],
    partial: &["75"],
    bounced: &["69"],
    pending: &["65"],
    ..NONE
};
const SAFRA: Codes = Codes {
    // 15: at the notary. 41: after the write-off.
    payments: &["06", "15", "41"],
    partial: &["07"],
    ..NONE
};

const fn codes_240(bank: &[u8]) -> &'static Codes {
    match bank {
        // Santander, Banrisul, Sicredi: these have no codes of cheques.
        b"033" | b"041" | b"748" => &Codes {
            payments: &["06", "17"],
            ..NONE
        },
        // Ailos: 76 and 77 are payments of boletos that the cooperative prints.
        b"085" => &Codes {
            payments: &["06", "17", "76", "77"],
            ..NONE
        },
        // Caixa: 46 is the online payment, which 47 takes back; 44 takes the others back; 45 is a change of data.
        b"104" => &Codes {
            payments: &["06", "17", "46"],
            reversals: &["44", "47"],
            ..NONE
        },
        b"336" => &C6,
        b"341" => &ITAU,
        b"422" => &SAFRA,
        _ => &FEBRABAN,
    }
}

const fn codes_400(bank: &[u8]) -> &'static Codes {
    match bank {
        // Banco do Brasil. 05: not registered. 07: on account, 08: the rest. 15: at the notary.
        b"001" => &Codes {
            payments: &["05", "06", "15"],
            partial: &["07", "08"],
            bounced: &["44"],
            pending: &["46"],
            ..NONE
        },
        // Santander. 07: on account, 08: the rest. 17: at the notary.
        b"033" => &Codes {
            payments: &["06", "17"],
            partial: &["07", "08"],
            ..NONE
        },
        // Banrisul. 08: the rest. 15: at the notary.
        b"041" => &Codes {
            payments: &["06", "15"],
            partial: &["07", "08"],
            ..NONE
        },
        // Inter.
        b"077" => &Codes {
            payments: &["06"],
            ..NONE
        },
        // Caixa. 22: at the notary.
        b"104" => &Codes {
            payments: &["21", "22"],
            reversals: &["33"],
            ..NONE
        },
        // Bradesco. 15: at the notary. 17: after the write-off. 22: the payment is canceled. 40: it is taken back.
        b"237" => &Codes {
            payments: &["06", "15", "17"],
            reversals: &["22", "40"],
            pending: &["16"],
            ..NONE
        },
        b"341" => &ITAU,
        b"422" => &SAFRA,
        // Sicredi. 15: at the notary. 17: after the write-off.
        b"748" => &Codes {
            payments: &["06", "15", "17"],
            ..NONE
        },
        // Sicoob. 05: not registered. 15: at the notary.
        b"756" => &Codes {
            payments: &["05", "06", "15"],
            ..NONE
        },
        _ => &NONE,
    }
}

/// What the bank means with a code in files of the layout.
pub fn meaning_of(layout: Layout, bank: &str, code: MovementCode) -> Meaning {
    let codes = match layout {
        Layout::Cnab240 => codes_240(bank.as_bytes()),
        Layout::Cnab400 => codes_400(bank.as_bytes()),
    };
    let listed = [
        (codes.payments, Meaning::Payment),
        (codes.partial, Meaning::PartialPayment),
        (codes.reversals, Meaning::Reversal),
        (codes.bounced, Meaning::BouncedCheque),
        (codes.pending, Meaning::PendingCheque),
    ];
    let mut listed = listed.into_iter();
    listed
        .find(|(codes, _)| code.is_one_of(codes))
        .map_or(Meaning::Information, |(_, meaning)| meaning)
}
