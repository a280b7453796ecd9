import { List, Stack, Text, Textarea, Anchor, Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { saveFile } from '#client/exports/save-file.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { fetchFile } from '#client/lib/api/api.ts';
import { paths } from '#client/paths.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import type { ErrorAnswer } from '#shared/api/envelope.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { CONTROL_REASON_MAX, CONTROL_REASON_MIN } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { dhkpKeys, discardBatch, reloadList, revertBatch, storeBatch } from '../api.ts';

export const isReason = (text: string): boolean => text.trim().length >= CONTROL_REASON_MIN;

/** What can be done with an import wherever it is shown. */
export function useBatchActions() {
  const queryClient = useQueryClient();

  async function download({ id, file_name: name }: Batch): Promise<void> {
    try {
      saveFile(await fetchFile('/admin/dhkp/batches/{id}/file', { params: { id } }), name);
    } catch (error) {
      notify.failure(error, 'Berkas gagal diunduh');
    }
  }

  /** @returns whether the import is gone */
  async function discard({ id, file_name: name }: Batch): Promise<boolean> {
    const isConfirmed = await confirm({
      title: 'Buang impor',
      message: `Impor ${name} dibuang beserta berkasnya. Daftar objek tidak berubah.`,
      confirmLabel: 'Buang',
      danger: true,
    });
    if (!isConfirmed) return false;
    try {
      await discardBatch(id);
      queryClient.removeQueries({ queryKey: dhkpKeys.batch(id) });
      notify.success('Impor dibuang');
      return true;
    } catch (error) {
      notify.failure(error, 'Impor gagal dibuang');
      return false;
    } finally {
      await queryClient.invalidateQueries({ queryKey: dhkpKeys.batches });
    }
  }

  async function revert(batch: Batch): Promise<void> {
    const isReverted = await confirm({
      title: 'Batalkan impor',
      content: (answer) => <RevertForm batch={batch} onAnswer={answer} />,
    });
    if (!isReverted) return;
    await reloadList(queryClient);
  }

  return { download, discard, revert };
}

/** The objects that keep an import from being undone, as the refusal names them. */
function usedRowsOf(error: unknown): NonNullable<ErrorAnswer['data']> {
  return error instanceof ApiError && Array.isArray(error.data) ? (error.data as NonNullable<ErrorAnswer['data']>) : [];
}

function RevertForm({ batch, onAnswer }: { batch: Batch; onAnswer: (yes: boolean) => void }) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [usedRows, setUsedRows] = useState<NonNullable<ErrorAnswer['data']>>([]);

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    setUsedRows([]);
    try {
      storeBatch(queryClient, await revertBatch(batch.id, reason.trim()));
      notify.success('Impor dibatalkan. Daftar kembali seperti sebelumnya.');
      onAnswer(true);
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
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>
          Daftar {batch.year} kembali seperti sebelum {batch.file_name} diterapkan.
        </Text>
        <FormFailure failure={failure} />
        {usedRows.length > 0 ? (
          <List>
            {usedRows.map(({ id, nop }) => (
              <List.Item key={id}>
                <Anchor component={Link} to={paths.adminDhkpObject(id)} onClick={() => onAnswer(false)}>
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
        <Group justify="flex-end" gap="sm" className="dialog-actions">
          <Button variant="default" onClick={() => onAnswer(false)}>
            Batal
          </Button>
          <SaveButton busy={busy} busyLabel="Membatalkan…" color="red">
            Batalkan impor
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}
