// The buyer's data, and the address that a boleto needs.
import { masks } from "../src/format/masks";
import type { AddressFields, BuyerFields, Faults } from "./buyer";
import { type FieldEvent, MaskedField, SelectField, TextField } from "./Field";
import { STATES, words } from "./words";

interface Props {
  buyer: BuyerFields;
  onChange: (buyer: BuyerFields) => void;
  faults: Faults;
  /** The field was left. */
  onLeave: (field: string) => void;
  needsAddress: boolean;
}

export function BuyerForm({ buyer, onChange, faults, onLeave, needsAddress }: Props) {
  const of = (name: "name" | "document" | "email" | "phone") => ({
    field: `buyer.${name}`,
    label: words.buyer[name],
    value: buyer[name],
    error: faults[`buyer.${name}`],
    onChange: (text: string) => onChange({ ...buyer, [name]: text }),
    onBlur: ({ currentTarget }: FieldEvent) => {
      // A field that is left empty is only waiting for its turn.
      if (currentTarget.value !== "") onLeave(`buyer.${name}`);
    },
  });
  return (
    <fieldset className="card">
      <legend>{words.buyer.title}</legend>
      <TextField {...of("name")} name="name" autoComplete="name" autoCapitalize="words" maxLength={120} />
      <div className="pair">
        <MaskedField
          {...of("document")}
          mask={masks.taxId}
          name="document"
          inputMode="text"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <MaskedField
          {...of("phone")}
          mask={masks.phone}
          name="phone"
          inputMode="tel"
          autoComplete="tel-national"
        />
      </div>
      <TextField
        {...of("email")}
        type="email"
        name="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={254}
      />
      {needsAddress && (
        <AddressForm
          address={buyer.address}
          onChange={(address) => onChange({ ...buyer, address })}
          faults={faults}
          onLeave={onLeave}
        />
      )}
    </fieldset>
  );
}

interface AddressProps extends Pick<Props, "faults" | "onLeave"> {
  address: AddressFields;
  onChange: (address: AddressFields) => void;
}

export function AddressForm({ address, onChange, faults, onLeave }: AddressProps) {
  const of = (name: keyof AddressFields) => ({
    field: `buyer.address.${name}`,
    label: words.address[name],
    value: address[name],
    error: faults[`buyer.address.${name}`],
    onChange: (text: string) => onChange({ ...address, [name]: text }),
    onBlur: ({ currentTarget }: FieldEvent) => {
      // A field that is left empty is only waiting for its turn.
      if (currentTarget.value !== "") onLeave(`buyer.address.${name}`);
    },
  });
  return (
    <fieldset className="address">
      <legend className="subtitle">{words.address.title}</legend>
      <div className="pair">
        <MaskedField {...of("postal_code")} mask={masks.postalCode} autoComplete="postal-code" />
        <TextField {...of("number")} inputMode="numeric" autoComplete="off" maxLength={20} />
      </div>
      <TextField {...of("street")} autoComplete="address-line1" maxLength={120} />
      <TextField {...of("complement")} autoComplete="address-line2" maxLength={60} />
      <TextField {...of("district")} autoComplete="address-level3" maxLength={60} />
      <div className="pair wide-first">
        <TextField {...of("city")} autoComplete="address-level2" maxLength={60} />
        <SelectField {...of("state")} autoComplete="address-level1">
          <option value="">{words.address.chooseState}</option>
          {STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </SelectField>
      </div>
    </fieldset>
  );
}
