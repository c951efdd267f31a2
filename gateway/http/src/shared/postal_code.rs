//! The postal code of an address, and its state against that of the address.

use ledger_domain::documents::Cep;

/// Reads a code that can exist: one in a state's range. The error is shown to the user.
pub fn read(text: &str) -> Result<Cep, &'static str> {
    let cep = Cep::parse(text).map_err(|_| "CEP inválido.")?;
    match cep.state() {
        Some(_) => Ok(cep),
        None => Err("Este CEP não existe. Confira os números."),
    }
}

/// The error is shown to the user.
pub fn check_state(cep: &Cep, state: &str) -> Result<(), String> {
    match cep.state() {
        Some(of_code) if of_code.as_str() != state => {
            let of_code = of_code.as_str();
            Err(format!("O CEP {cep} é de {of_code}. Confira o CEP e o estado."))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_no_state_has_does_not_exist() {
        let read = |text| read(text).map(|cep| cep.to_string());
        assert_eq!(read("01310100").as_deref(), Ok("01310-100"));
        for text in ["00000-000", "00999-999", "78950-000"] {
            assert_eq!(
                read(text),
                Err("Este CEP não existe. Confira os números."),
                "{text}"
            );
        }
        assert_eq!(read("0131"), Err("CEP inválido."));
    }
}
