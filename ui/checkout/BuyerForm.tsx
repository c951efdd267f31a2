// The buyer's data, and the address that a boleto needs.
import { masks } from "../src/format/masks";
import { STATES } from "../src/format/states";
import { ADDRESS_LENGTHS, type AddressFields, type BuyerFields, type FieldErrors } from "./buyer";
import { type FieldEvent, MaskedField, SelectField, TextField } from "./Field";
import { words } from "./words";

interface Props {
  buyer: BuyerFields;
  onChange: (buyer: BuyerFields) => void;
  errors: FieldErrors;
  /** A field that is not empty was left. */
  onLeave: (field: string) => void;
  needsAddress: boolean;
}

// Leaving an empty field does not check it.
const leaveUnlessEmpty =
  (onLeave: Props["onLeave"], field: string) =>
  ({ currentTarget }: FieldEvent) => {
    if (currentTarget.value !== "") onLeave(field);
  };

export function BuyerForm({ buyer, onChange, errors, onLeave, needsAddress }: Props) {
  const of = (name: "name" | "document" | "email" | "phone") => ({
    field: `buyer.${name}`,
    label: words.buyer[name],
    value: buyer[name],
    error: errors[`buyer.${name}`],
    onChange: (text: string) => onChange({ ...buyer, [name]: text }),
    onBlur: leaveUnlessEmpty(onLeave, `buyer.${name}`),
  });
  return (
    <fieldset className="card">
      <legend>{words.buyer.title}</legend>
      <TextField {...of("name")} name="name" autoComplete="name" autoCapitalize="words" maxLength={120} />
      <div className="pair long">
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
          errors={errors}
          onLeave={onLeave}
        />
      )}
    </fieldset>
  );
}

interface AddressProps extends Pick<Props, "errors" | "onLeave"> {
  address: AddressFields;
  onChange: (address: AddressFields) => void;
}

export function AddressForm({ address, onChange, errors, onLeave }: AddressProps) {
  const of = (name: keyof AddressFields) => ({
    field: `buyer.address.${name}`,
    label: words.address[name],
    value: address[name],
    error: errors[`buyer.address.${name}`],
    onChange: (text: string) => onChange({ ...address, [name]: text }),
    onBlur: leaveUnlessEmpty(onLeave, `buyer.address.${name}`),
  });
  return (
    <fieldset className="address">
      <legend className="subtitle">{words.address.title}</legend>
      <div className="pair">
        <MaskedField {...of("postal_code")} mask={masks.postalCode} autoComplete="postal-code" />
        <TextField
          {...of("number")}
          inputMode="numeric"
          autoComplete="off"
          maxLength={ADDRESS_LENGTHS.number}
        />
      </div>
      <TextField {...of("street")} autoComplete="address-line1" maxLength={ADDRESS_LENGTHS.street} />
      <TextField {...of("complement")} autoComplete="address-line2" maxLength={ADDRESS_LENGTHS.complement} />
      <TextField {...of("district")} autoComplete="address-level3" maxLength={ADDRESS_LENGTHS.district} />
      <div className="pair wide-first">
        <TextField {...of("city")} autoComplete="address-level2" maxLength={ADDRESS_LENGTHS.city} />
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
