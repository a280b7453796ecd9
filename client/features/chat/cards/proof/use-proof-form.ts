import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useStore } from 'jotai';
import { useState } from 'react';
import { changeRecords, fileProof, reloadRecords } from '#client/features/tax-records/api.ts';
import { PAYMENT_CHOICE_MISSING } from '#client/features/tax-records/display/payment-choice.tsx';
import { restoreRecords } from '#client/features/tax-records/display/mark-paid/mark-paid.ts';
import { recordHeading, statusLabel } from '#client/features/tax-records/display/record-labels.ts';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { showDate, showDateShort, today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';
import { dispatchAtom, readConversation } from '../../state/selectors.ts';
import { type CardRecord, useCardScope } from '../records/card-record.ts';
import { conversationRecordsQuery, sortForChoice } from '../records/conversation-records.ts';

/** A card further up belongs to another matter. */
const MESSAGES_ABOVE_MAX = 20;

/**
 * The record that a photo most likely belongs to: that of the nearest card above it that still lacks a payment or a proof, else the
 * only record that is not paid; undefined if neither exists (R-CARD-31).
 */
function suggestRecord(
  records: readonly CardRecord[],
  photoMessage: Message,
  messages: readonly Message[],
): CardRecord | undefined {
  const at = messages.findIndex(({ _id }) => _id === photoMessage._id);
  const above = at === -1 ? [] : messages.slice(Math.max(0, at - MESSAGES_ABOVE_MAX), at).toReversed();
  for (const { record: card } of [photoMessage, ...above]) {
    const record = card && records.find(({ id }) => id === card.id);
    if (record && (record.status !== 'lunas' || !record.has_proof)) return record;
  }
  const open = records.filter(({ status }) => status !== 'lunas');
  return open.length === 1 ? open[0] : undefined;
}

/** The change of the record besides the photo: a new status, or none. */
export type ProofAct = 'proses' | 'lunas' | 'keep';

type Failure = { message: string; hint?: string | undefined };

const FAILED = 'Gagal menyimpan bukti';

function describeStored({ status, payment_date: date, has_proof }: CardRecord): string {
  const paid = status === 'lunas' && date !== null ? `, dibayar ${showDate(date)}` : '';
  return `Yang tersimpan sekarang: ${statusLabel(status)}${paid}${has_proof ? ', dengan bukti' : ''}. Periksa, lalu simpan lagi.`;
}

function describeFiled(stored: TaxRecord, act: ProofAct): string {
  const done = {
    keep: '',
    proses: ' · ditandai Proses',
    lunas: ` · Lunas, dibayar ${showDateShort(stored.payment_date)}`,
  };
  return `Bukti tersimpan: ${recordHeading(stored)}${done[act]}`;
}

/** The state of 'Jadikan bukti'. After every error all choices stay. */
export function useProofForm(attachment: Attachment, message: Message, onSaved: () => void) {
  const scope = useCardScope();
  const queryClient = useQueryClient();
  const store = useStore();
  const { dispatch } = useAtomValue(dispatchAtom);
  const userId = message.user_id;
  const { data, error, isFetching, refetch } = useQuery({ ...conversationRecordsQuery(scope, userId), staleTime: 0 });
  // Later messages do not move the choice under the pointer.
  const [messages] = useState(() => readConversation(store, userId).messages);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [chosenAct, setChosenAct] = useState<ProofAct | null>(null);
  const [date, setDate] = useState<string | null>(null);
  const [actError, setActError] = useState<string>();
  const [recordError, setRecordError] = useState<string>();
  const [dateError, setDateError] = useState<string>();
  const [failure, setFailure] = useState<Failure | null>(null);

  const records = data && sortForChoice(data, today());
  const suggested = records && suggestRecord(records, message, messages);
  const record = chosenId === null ? suggested : records?.find(({ id }) => id === chosenId);
  // A paid record takes only a photo, as in the report of a payment (R-REC-30).
  const isPaid = record?.status === 'lunas';
  const act: ProofAct | null = isPaid ? 'keep' : chosenAct;

  async function showError(caught: unknown): Promise<void> {
    if (caught instanceof ApiError && caught.status === 409) {
      const { data: fresh } = await refetch();
      const stored = fresh?.find(({ id }) => id === record?.id);
      setFailure({
        message: 'Data ini baru saja diubah dari tempat lain.',
        hint: stored ? describeStored(stored) : 'Data itu sudah dihapus.',
      });
      return;
    }
    const fieldText = caught instanceof ApiError ? Object.values(caught.errors ?? {})[0]?.[0] : undefined;
    setFailure({ message: fieldText ?? messageOf(caught, FAILED), hint: hintOf(caught) });
    if (caught instanceof ApiError && caught.status === 404) void refetch();
  }

  /** Takes back what was said about the payment; the photo stays. */
  async function restoreStatus(before: CardRecord, { updated_at: updatedAt }: TaxRecord): Promise<void> {
    const { signal } = new AbortController();
    const options = { send: changeRecords, onProgress: () => {}, signal };
    const { failed } = await restoreRecords([{ record: before, updatedAt }], options);
    if (failed[0]) notify.error('Status tidak dapat dikembalikan', failed[0].reason);
    else notify.info(`Status kembali ${statusLabel(before.status)}. Fotonya tetap tersimpan sebagai bukti.`);
    void reloadRecords(queryClient);
  }

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    if (!record) {
      setRecordError('Pilih data PBB');
      return;
    }
    if (act === null) {
      setActError(scope === 'own' ? PAYMENT_CHOICE_MISSING : 'Pilih dulu apa yang dilakukan dengan foto ini');
      return;
    }
    if (act === 'lunas' && date === null) {
      setDateError(fieldTexts.paymentDateRequired);
      return;
    }
    const report = {
      keep: {},
      proses: { status: 'proses' as const },
      lunas: { status: 'lunas' as const, payment_date: date },
    }[act];
    try {
      const stored = await fileProof(scope, record, { attachment_id: attachment.id, ...report });
      const proofOf = { record_id: stored.id, year: stored.year };
      dispatch({ type: 'user.filesProof', userId, attachmentId: attachment.id, proofOf });
      const filed = describeFiled(stored, act);
      if (scope === 'admin' && act !== 'keep')
        notify.undo({ message: filed, onUndo: () => void restoreStatus(record, stored) });
      else notify.success(filed);
      void reloadRecords(queryClient);
      void queryClient.invalidateQueries({ queryKey: conversationRecordsQuery(scope, userId).queryKey });
      onSaved();
    } catch (caught) {
      await showError(caught);
    }
  });

  return {
    records,
    loading: { error: data ? null : error, isFetching, retry: () => void refetch() },
    record,
    recordError,
    chooseRecord: (id: string | null) => {
      setChosenId(id);
      setRecordError(undefined);
      setFailure(null);
    },
    scope,
    isPaid,
    act,
    actError,
    chooseAct: (next: ProofAct) => {
      setChosenAct(next);
      setActError(undefined);
    },
    date,
    dateError,
    chooseDate: (next: string | null) => {
      setDate(next);
      setDateError(undefined);
    },
    failure,
    save: submit,
    busy,
  };
}
