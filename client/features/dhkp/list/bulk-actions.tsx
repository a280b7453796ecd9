import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconMapPin, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { AreaSelect } from '#client/features/areas/display/area-select.tsx';
import { CardDialog, type CardRequest } from '#client/features/users/display/cards/card-dialog.tsx';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { Money } from '#client/ui/data/money.tsx';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { SelectionBar } from '#client/ui/list/rows/selection-bar.tsx';
import type { Selection } from '#client/ui/list/rows/use-selection.ts';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { BULK_OBJECTS_MAX } from '#shared/limits.ts';
import { type AssessmentFilter, type BulkTarget, changeObjects, reloadList } from '../api.ts';
import { CardsButton } from './cards-button.tsx';

type Field = 'area' | 'collector';

type Props = {
  filter: AssessmentFilter;
  /** The number of found objects with their sum, and the number of them on this page. */
  found: { total: number; amount: number };
  rowCount: number;
  selection: Selection<Assessment>;
  /** Further actions on the chosen objects. */
  renderExport: (target: BulkTarget, label: string) => ReactNode;
};

/** Area and collector for the chosen objects, or for all that the filter finds. */
export function BulkActions({ filter, found, rowCount, selection, renderExport }: Props) {
  const filterKey = JSON.stringify(filter);
  /** The filter whose results are chosen as a whole; another filter ends it. */
  const [wholeKey, setWholeKey] = useState<string | null>(null);
  const [field, setField] = useState<Field | null>(null);
  const [cardRequest, setCardRequest] = useState<CardRequest | null>(null);
  const isWhole = wholeKey === filterKey && selection.rows.length > 0;
  const count = isWhole ? found.total : selection.rows.length;
  const amount = isWhole ? found.amount : totalAmount(selection.rows);
  const target: BulkTarget = isWhole ? { filter } : { ids: selection.rows.map(({ id }) => id) };

  function clear(): void {
    setWholeKey(null);
    selection.clear();
    focusHeading();
  }

  if (selection.rows.length === 0) return null;
  const isAnyOutside = !isWhole && selection.allOnPage && found.total > rowCount && count < found.total;
  return (
    <>
      <SelectionBar
        label="Objek yang dipilih"
        summary={
          <>
            <strong>{formatNumber(count)} objek dipilih</strong>
            {' · '}
            <Money amount={amount} />
          </>
        }
        selectableTotal={isAnyOutside ? found.total : null}
        selectAllMax={BULK_OBJECTS_MAX}
        rowsWord="objek"
        onSelectAll={() => setWholeKey(filterKey)}
        onClear={clear}
      >
        <Button px="md" leftSection={<IconMapPin size={18} aria-hidden />} onClick={() => setField('area')}>
          Wilayah
        </Button>
        <Button px="md" leftSection={<IconUser size={18} aria-hidden />} onClick={() => setField('collector')}>
          Kolektor
        </Button>
        <CardsButton target={target} rows={selection.rows} onRequest={setCardRequest} />
        {renderExport(target, `${formatNumber(count)} objek dipilih`)}
      </SelectionBar>
      {field === null ? null : (
        <BulkDialog field={field} target={target} count={count} onClose={() => setField(null)} onDone={clear} />
      )}
      <CardDialog request={cardRequest} onClose={() => setCardRequest(null)} />
    </>
  );
}

const dialogTexts: Record<Field, { title: string; clear: string; help: string }> = {
  area: {
    title: 'Wilayah',
    clear: 'Kosongkan wilayah',
    help: 'Diingat untuk NOP-nya, jadi daftar tahun depan memakainya juga. Tanpa wilayah sendiri, wilayah mengikuti blok.',
  },
  collector: {
    title: 'Kolektor',
    clear: 'Kosongkan kolektor',
    help: 'Diingat untuk NOP-nya, jadi daftar tahun depan memakainya juga.',
  },
};

type DialogProps = { field: Field; target: BulkTarget; count: number; onClose: () => void; onDone: () => void };

function BulkDialog({ field, target, count, onClose, onDone }: DialogProps) {
  const queryClient = useQueryClient();
  const [id, setId] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const texts = dialogTexts[field];

  const { submit, busy } = useSubmit(async (chosen: string | null) => {
    setFailure(null);
    try {
      const set = field === 'area' ? { area_id: chosen } : { collector_id: chosen };
      const { changed } = await changeObjects(target, set);
      await reloadList(queryClient);
      notify.success(`${formatNumber(changed)} objek diubah`);
      onClose();
      onDone();
    } catch (error) {
      setFailure(failureOf(error, 'Objek gagal diubah'));
    }
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (id !== '') void submit(id);
  }

  return (
    <Modal opened onClose={onClose} title={`${texts.title} untuk ${formatNumber(count)} objek`}>
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          <FormFailure failure={failure} />
          {field === 'area' ? (
            <AreaSelect label="Wilayah" value={id} onChange={setId} />
          ) : (
            <UserPicker label="Kolektor" clearable value={id} onChange={(user) => setId(user?.id ?? '')} />
          )}
          <Text fz="sm" c="dimmed">
            {texts.help}
          </Text>
          <Group justify="flex-end" gap="sm" className="dialog-actions">
            <Button variant="subtle" color="red" disabled={busy} onClick={() => void submit(null)}>
              {texts.clear}
            </Button>
            <SaveButton busy={busy} disabled={id === ''} aria-label="Simpan (Save)">
              Simpan
            </SaveButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
