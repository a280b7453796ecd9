import { Anchor, Modal, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFileOff, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import { RecordAmount } from '#client/features/tax-records/display/record-amount.tsx';
import { PaymentDate } from '#client/features/tax-records/display/user-records/record-row.tsx';
import { recordTitle } from '#client/features/tax-records/display/record-labels.ts';
import { VerificationMark } from '#client/features/tax-records/display/verification/verification-mark.tsx';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import { formatNumber, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { SEARCH_MAX } from '#shared/limits.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { setRecordDraft } from '../../drafts/record-draft.ts';
import { type CardRecord, type CardScope, useCardScope } from '../records/card-record.ts';
import { conversationRecordsQuery, sortForChoice } from '../records/conversation-records.ts';
import classes from './share-record.module.css';

/** Numbers are typed with spaces, dots or without. */
const foldNumber = (text: string): string => text.toLowerCase().replaceAll(/[\s./-]/g, '');

/** The records in which every word occurs: in title, address, name, year, or number. */
function searchRecords(records: readonly CardRecord[], search: string): CardRecord[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...records];
  const number = foldNumber(search);
  return records.filter((record) => {
    const sptNumber = foldNumber(record.spt_number);
    if (number !== '' && sptNumber.includes(number)) return true;
    const text = `${recordTitle(record)} ${record.address} ${record.name} ${record.year}`.toLowerCase();
    return words.every((word) => text.includes(word) || sptNumber.includes(foldNumber(word) || word));
  });
}

type Props = {
  userId: string;
  opened: boolean;
  onClose: () => void;
  /** Gives the focus to the message field. */
  focusField: () => void;
};

/** Fewer fit on one screen and need no search field. */
const SEARCH_FROM = 7;
/** More rows are found by searching. */
const ROWS_MAX = 50;

/** Chooses a record of the user of a conversation, which the next message then carries (R-CARD-14). */
export function ShareRecordDialog({ userId, opened, onClose, focusField }: Props) {
  const isSmallScreen = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  function choose(record: CardRecord): void {
    setRecordDraft(userId, record);
    // At once, within the press: otherwise a phone shows no keyboard.
    flushSync(onClose);
    focusField();
  }
  function cancel(): void {
    onClose();
    // The menu that led here is gone. A phone would open its keyboard over the messages.
    if (!isTouch) focusField();
  }
  return (
    <Modal
      opened={opened}
      onClose={cancel}
      title="Bagikan data PBB"
      size="lg"
      fullScreen={isSmallScreen}
      // Above the chat that fills a phone.
      zIndex={300}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      // React passes events of a portal to its parent component: the keys of the chat must not react to what is typed here.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <RecordChoice userId={userId} isSmallScreen={isSmallScreen} onChoose={choose} />
    </Modal>
  );
}

type ChoiceProps = { userId: string; isSmallScreen: boolean; onChoose: (record: CardRecord) => void };

function RecordChoice({ userId, ...choice }: ChoiceProps) {
  const scope = useCardScope();
  const query = useQuery({ ...conversationRecordsQuery(scope, userId), staleTime: 0 });
  return (
    <QueryView
      query={query}
      failedText="Gagal memuat data pajak"
      loading={{ text: 'Memuat data PBB…', rows: 3, height: 72 }}
    >
      {(records) =>
        records.length === 0 ? (
          <NoRecords isOwn={scope === 'own'} userId={userId} />
        ) : (
          <LoadedChoice {...choice} scope={scope} records={records} />
        )
      }
    </QueryView>
  );
}

type LoadedProps = Omit<ChoiceProps, 'userId'> & { scope: CardScope; records: readonly CardRecord[] };

function LoadedChoice({ scope, records, isSmallScreen, onChoose }: LoadedProps) {
  const [text, setText] = useState('');
  const search = useDeferredValue(text);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover the records.
    const stops = isSmallScreen ? 'button' : 'input, button';
    box.current?.querySelector<HTMLElement>(stops)?.focus();
  }, [isSmallScreen]);
  const found = searchRecords(sortForChoice(records, today()), search);
  const shown = found.slice(0, ROWS_MAX);

  /** The arrows lead through the records and back to the field, as in a menu. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
    const index = stops.findIndex((stop) => stop === document.activeElement);
    const next = stops[index + (event.key === 'ArrowDown' ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- for the arrows of what is inside
    <div ref={box} onKeyDown={onKeyDown}>
      {records.length >= SEARCH_FROM ? (
        <TextInput
          type="search"
          aria-label="Cari data PBB"
          placeholder="Cari alamat, nomor SPT, tahun, atau nama"
          leftSection={<IconSearch size={18} aria-hidden />}
          maxLength={SEARCH_MAX}
          autoComplete="off"
          data-autofocus={!isSmallScreen || undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = searchRecords(sortForChoice(records, today()), event.currentTarget.value);
            if (event.key === 'Enter' && first && !event.nativeEvent.isComposing) onChoose(first);
          }}
        />
      ) : null}
      <VisuallyHidden component="output">
        {search.trim() === '' ? '' : `${formatNumber(found.length)} data ditemukan`}
      </VisuallyHidden>
      {found.length === 0 ? (
        <Text c="dimmed" py="md" ta="center">
          Tidak ada data PBB yang cocok
        </Text>
      ) : null}
      <ul className={classes['rows']}>
        {shown.map((record, index) => (
          <li key={record.id}>
            <UnstyledButton
              className={classes['row'] ?? ''}
              data-autofocus={(index === 0 && (isSmallScreen || records.length < SEARCH_FROM)) || undefined}
              onClick={() => onChoose(record)}
            >
              <span className={classes['title']}>{recordTitle(record)}</span>
              <RecordAmount record={record} className={classes['amount'] ?? ''} />
              <span className={`${classes['number']} tabular`}>
                PBB {record.year} · {formatSptNumber(record.spt_number)}
              </span>
              <span className={classes['state']}>
                <StatusBadge status={record.status} />
                <span className="tabular">
                  <PaymentDate record={record} />
                </span>
                <VerificationMark record={record} scope={scope} text="label" />
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {found.length > shown.length ? (
        <Text c="dimmed" fz="sm" ta="center">
          {formatNumber(found.length - shown.length)} data lain ditemukan lewat pencarian
        </Text>
      ) : null}
    </div>
  );
}

function NoRecords({ isOwn, userId }: { isOwn: boolean; userId: string }) {
  return (
    <EmptyState
      icon={IconFileOff}
      title={isOwn ? 'Anda belum punya data PBB' : 'Warga ini belum punya data PBB'}
      action={
        <Anchor component={Link} to={isOwn ? paths.recordCreate : paths.adminRecordCreateFor(userId)}>
          Tambah data PBB
        </Anchor>
      }
    />
  );
}
