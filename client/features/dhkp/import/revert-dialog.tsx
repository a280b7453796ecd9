import { Anchor, List, Modal, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError } from '#client/lib/api/api-error.ts';
import { paths } from '#client/paths.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import type { ErrorAnswer } from '#shared/api/envelope.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { CONTROL_REASON_MAX } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { reloadList, revertBatch, storeBatch } from '../api.ts';
import { isReason } from './batch-choices.ts';

/** The objects that keep an import from being undone, as the refusal names them. */
function usedRowsOf(error: unknown): NonNullable<ErrorAnswer['data']> {
  return error instanceof ApiError && Array.isArray(error.data) ? (error.data as NonNullable<ErrorAnswer['data']>) : [];
}

/** Asks for the reason and undoes an import. It stays open with the objects that are in use, where there are any. */
export function RevertDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [usedRows, setUsedRows] = useState<NonNullable<ErrorAnswer['data']>>([]);

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    setUsedRows([]);
    try {
      const after = await revertBatch(batch.id, reason.trim());
      storeBatch(queryClient, after);
      await reloadList(queryClient);
      if (after.state === 'reverted') notify.success('Impor dibatalkan. Daftar kembali seperti sebelumnya.');
      // A long list is answered before its end.
      else notify.info('Impor sedang dibatalkan. Kemajuannya ada di halaman impor itu.');
      onClose();
    } catch (error) {
      setUsedRows(usedRowsOf(error));
      setFailure(failureOf(error, 'Impor gagal dibatalkan'));
    }
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const isValid = isReason(reason);
    setIsReasonMissing(!isValid);
    if (isValid) void submit();
  }

  return (
    <Modal opened onClose={onClose} title="Batalkan impor">
      <DialogForm
        state={{ failure, busy, onSubmit }}
        intro={
          <Text>
            Daftar {batch.year} kembali seperti sebelum {batch.file_name} diterapkan.
          </Text>
        }
        send={{ label: 'Batalkan impor', busyLabel: 'Membatalkan…', color: 'red' }}
        onCancel={onClose}
      >
        {usedRows.length > 0 ? (
          <List>
            {usedRows.map(({ id, nop }) => (
              <List.Item key={id}>
                <Anchor component={Link} to={paths.adminDhkpObject(id)} onClick={onClose}>
                  {formatNop(nop)}
                </Anchor>
              </List.Item>
            ))}
          </List>
        ) : null}
        <Textarea
          label="Alasan"
          description="Tercatat di Riwayat Perubahan."
          data-autofocus
          required
          maxLength={CONTROL_REASON_MAX}
          value={reason}
          error={isReasonMissing ? dhkpTexts.reasonLength : undefined}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}
