import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '#client/lib/api/api-error.ts';
import { onReachableAgain } from '#client/lib/api/server-reachability.ts';
import { showDateShort } from '#client/lib/format.ts';
import { statusLabels } from '#shared/labels.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { fetchRecord, recordKeys, reloadRecords } from '../../api.ts';
import { recordHeading } from '../../display/record-labels.ts';
import {
  checkRecord,
  type Decision,
  inboundQuery,
  inboundSumsQuery,
  isAlreadyStored,
  undoCheck,
} from './inbound-api.ts';
import type { InboundQueue } from './use-inbound-queue.ts';

const FAILED_TEXT = 'Pencocokan gagal disimpan';

/** A decision that is on its way, with the version of the record that was looked at. */
type Sending = { record: TaxRecord; decision: Decision };

/** The message above a record whose decision is not stored. */
export type Notice = { id: string; message: string; hint?: string };

const nameOf = (record: TaxRecord): string => `${recordHeading(record)}, ${record.user.name}`;

function hasNoAnswer(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

export function decisionText({ result, reason, payment }: Decision): string {
  if (result === 'rejected') return `Tidak cocok: ${reason}`;
  return payment === null ? 'Cocok' : `Cocok & tandai lunas, dibayar ${showDateShort(payment.payment_date)}`;
}

/** The stored decision, in the words of the toast. */
function storedText({ verification, status, payment_date: date }: TaxRecord, { payment }: Decision): string {
  if (verification.state !== 'matched') return payment ? 'Tidak cocok, menjadi Belum Lunas' : 'Tidak cocok';
  if (payment) return `Cocok, Lunas ${showDateShort(date)}`;
  return status === 'lunas' ? 'Cocok' : `Cocok, tetap ${statusLabels[status]}`;
}

/** Stores what the admin decides, and undoes it (R-CHECK-22, R-CHECK-23). @param focus focuses a record once it is shown, or the end of the queue */
export function useRecordCheck(queue: InboundQueue, focus: (id: string | null) => void) {
  const queryClient = useQueryClient();
  /** The queue as it is when an answer comes: a decision that is sent late may be about another record than the one on the screen. */
  const latest = useRef(queue);
  useEffect(() => {
    latest.current = queue;
  });
  /** Decided, but the server did not answer; sent again as soon as it can be reached. */
  const [unsent, setUnsent] = useState<Sending | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  /** The records checked in this visit, as the check left them; the newest is last. */
  const [done, setDone] = useState<readonly TaxRecord[]>([]);
  /** A typed reason that is not stored, and its record. */
  const [draft, setDraft] = useState({ id: '', reason: '' });

  /** Shows a record as the server has it now, before the lists are loaded again. */
  function show(record: TaxRecord): void {
    queryClient.setQueryData(recordKeys.record('admin', record.id), record);
    const isPending = record.verification.state === 'pending';
    queryClient.setQueryData(inboundQuery.queryKey, (list) => {
      if (!list?.data.some(({ id }) => id === record.id)) return list;
      const data = list.data.flatMap((item) => (item.id === record.id ? (isPending ? [record] : []) : [item]));
      return { ...list, data, total: list.total - (list.data.length - data.length) };
    });
    const left = queryClient.getQueryData(inboundQuery.queryKey)?.total;
    queryClient.setQueryData(inboundSumsQuery.queryKey, (sums) =>
      sums && left !== undefined ? { ...sums, pending: { ...sums.pending, count: left } } : sums,
    );
  }

  /** Shows the record as it is now, and asks again. */
  async function askAgain({ record, decision }: Sending): Promise<void> {
    const fresh = await fetchRecord('admin', record.id);
    if (isAlreadyStored(fresh, decision)) return finish(fresh, decision);
    show(fresh);
    setUnsent(null);
    if (decision.reason !== null) setDraft({ id: record.id, reason: decision.reason });
    setNotice({
      id: record.id,
      message: 'Data ini baru saja diubah, jadi keputusan Anda belum disimpan.',
      hint: `Periksa lagi, lalu putuskan. Tadi: ${decisionText(decision)}.`,
    });
    void reloadRecords(queryClient);
    sayElsewhere({ record });
    if (latest.current.record?.id === record.id) focus(record.id);
  }

  function finish(stored: TaxRecord, decision: Decision): void {
    setUnsent(null);
    setNotice(null);
    setDraft({ id: '', reason: '' });
    show(stored);
    queue.remember(stored);
    setDone((checks) => [...checks.filter(({ id }) => id !== stored.id), stored]);
    const message = `${storedText(stored, decision)} · ${nameOf(stored)}`;
    notify.undo({ message, pageKey: 'Z', onUndo: () => void undo(stored) });
    void reloadRecords(queryClient);
    const { record: shown, nextId, goTo } = latest.current;
    if (shown && shown.id !== stored.id) return;
    goTo(nextId);
    focus(nextId);
  }

  /** Says it where the record itself is not on the screen. */
  function sayElsewhere({ record }: Pick<Sending, 'record'>): void {
    const { record: shown } = latest.current;
    if (shown && shown.id !== record.id) notify.error(FAILED_TEXT, nameOf(record));
  }

  async function fail(error: unknown, sending: Sending): Promise<void> {
    const { id } = sending.record;
    if (error instanceof ApiError && error.status === 409) {
      try {
        await askAgain(sending);
      } catch (later) {
        await fail(later, sending);
      }
      return;
    }
    if (hasNoAnswer(error)) {
      setUnsent(sending);
      return;
    }
    setUnsent(null);
    if (sending.decision.reason !== null) setDraft({ id, reason: sending.decision.reason });
    setNotice({ id, message: messageOf(error, FAILED_TEXT) });
    sayElsewhere(sending);
    void reloadRecords(queryClient);
  }

  const { submit: send, busy } = useSubmit(async (sending: Sending) => {
    setNotice(null);
    try {
      finish(await checkRecord(sending.record, sending.decision), sending.decision);
    } catch (error) {
      await fail(error, sending);
    }
  });

  const { submit: undo, busy: undoing } = useSubmit(async (stored: TaxRecord) => {
    const { id } = stored;
    notify.hideUndo();
    try {
      const waiting = await undoCheck(stored);
      show(waiting);
      notify.info(`Pencocokan dibatalkan, status ${statusLabels[waiting.status]} · ${nameOf(waiting)}`);
    } catch (error) {
      if (hasNoAnswer(error)) {
        notify.failure(error, 'Pencocokan belum dibatalkan');
        return;
      }
      notify.error('Pencocokan tidak dapat dibatalkan', messageOf(error, 'Data ini sudah diubah lagi.'));
    }
    setDone((checks) => checks.filter((check) => check.id !== id));
    queue.forget(id);
    queue.goTo(id);
    void reloadRecords(queryClient);
    focus(id);
  });

  useEffect(() => {
    if (!unsent) return undefined;
    return onReachableAgain(() => void send(unsent));
  });
  useUnsavedWarning(unsent !== null);

  const last = done.at(-1);
  return {
    busy: busy || undoing,
    unsent,
    notice,
    draft,
    setDraft,
    decide: (record: TaxRecord, decision: Decision) => void send({ record, decision }),
    retry: () => {
      if (unsent) void send(unsent);
    },
    /** Gives up what was decided and not sent. */
    discard: () => {
      if (unsent?.decision.reason) setDraft({ id: unsent.record.id, reason: unsent.decision.reason });
      setUnsent(null);
    },
    /** Undoes the check of a record, or the newest one of this visit. */
    undo: (record?: TaxRecord) => {
      const check = record ? (done.find(({ id }) => id === record.id) ?? record) : last;
      if (check) void undo(check);
      else notify.info('Tidak ada yang bisa diurungkan');
    },
  };
}
export type RecordCheck = ReturnType<typeof useRecordCheck>;
