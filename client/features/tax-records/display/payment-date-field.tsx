import type { KeyboardEvent, ReactNode } from 'react';
import { today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { PAYMENT_AFTER_TODAY } from './record-labels.ts';

/** The day of payment stands on the paper that the bank or the office gives, the STTS. */
export const STTS_DATE_LABEL = 'Tanggal pada STTS';

type Props = {
  label?: string;
  description?: ReactNode;
  /** yyyy-mm-dd; begins with null, because only a person knows the day (R-CHECK-40). */
  value: string | null;
  onChange: (value: string | null) => void;
  disabled?: boolean;
  withAsterisk?: boolean;
  /** Takes a date after today, too. */
  acceptsLater?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  isLabelInside?: boolean;
  /** False beside the photo that shows the date. */
  hasCalendar?: boolean;
  /** Gets the focus when its dialog opens. */
  autofocus?: boolean;
  error?: ReactNode;
};

/** The day of a payment: never filled in without the person, and 'Hari ini' is one press. */
export function PaymentDateField(props: Props) {
  const { label = taxRecordFields.payment_date.label, description = STTS_DATE_LABEL, acceptsLater = false } = props;
  const {
    value,
    onChange,
    disabled = false,
    withAsterisk = false,
    isLabelInside = false,
    hasCalendar = true,
    autofocus = false,
    error,
  } = props;
  return (
    <DateField
      label={label}
      description={description}
      withToday
      isLabelInside={isLabelInside}
      hasCalendar={hasCalendar}
      autofocus={autofocus}
      withAsterisk={withAsterisk}
      {...(acceptsLater ? {} : { latest: { date: today(), text: PAYMENT_AFTER_TODAY } })}
      value={value}
      onChange={onChange}
      {...(props.onKeyDown ? { onKeyDown: props.onKeyDown } : {})}
      disabled={disabled}
      error={error}
    />
  );
}
