import { Anchor, Checkbox, Text, VisuallyHidden } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { recordLabel } from '../../display/record-labels.ts';
import type { Selection } from './use-selection.ts';
import classes from './record-list.module.css';

/** Selects a record; with Shift all rows from the last one. */
export function RowCheckbox({ record, selection }: { record: TaxRecord; selection: Selection }) {
  return (
    <Checkbox
      className={classes['pick'] ?? ''}
      aria-label={`Pilih ${recordLabel(record)}`}
      checked={selection.has(record.id)}
      // Only a click knows the Shift key; the Space key makes one, too.
      onClick={(event: MouseEvent) => selection.toggle(record, { range: event.shiftKey })}
      onChange={() => {}}
    />
  );
}

/** A paper clip where a record has a payment proof. */
export function ProofMark({ record }: { record: TaxRecord }) {
  if (record.payment_proof === null) return null;
  return (
    <Text span inherit display="inline-flex" c="dimmed" title="Ada bukti pembayaran">
      <IconPaperclip size={16} aria-hidden />
      <VisuallyHidden>Ada bukti pembayaran</VisuallyHidden>
    </Text>
  );
}

/** The owner, only where the name in the record is another one. */
export function OwnerLink({ record }: { record: TaxRecord }) {
  const { user } = record;
  if (user.name.trim().toLowerCase() === record.name.trim().toLowerCase()) return null;
  return (
    <Anchor
      component={Link}
      to={paths.adminUser(user.id)}
      fz="inherit"
      underline="always"
      aria-label={`Pemilik: ${user.name}`}
    >
      {user.name}
    </Anchor>
  );
}

/** The elements that have an action of their own for a press. */
const CONTROLS = 'a, button, input, label, [role="menu"], [role="dialog"]';

/** A press anywhere on a row opens its record; keyboards and screen readers use the link with its name. */
export function useOpenRow() {
  const navigate = useNavigate();
  return (record: TaxRecord, event: MouseEvent<HTMLElement>): void => {
    const { target, currentTarget } = event;
    // React also passes on what was pressed in a dialog or menu that the row opened elsewhere in the document.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(CONTROLS)) return;
    // The press ended a selection of text, or asks for a new tab as on a link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || window.getSelection()?.toString()) return;
    void navigate(paths.adminRecord(record.id));
  };
}
