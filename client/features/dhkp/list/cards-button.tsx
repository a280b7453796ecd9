import { Button } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import type { CardRequest } from '#client/features/users/display/cards/card-dialog.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { assessmentPages, type BulkTarget } from '../api.ts';
import { objectLabel } from '../display/assessment-texts.ts';

/** One card for each owner, who may have several of the objects. */
function cardRequestOf(objects: readonly Assessment[]): CardRequest {
  const holders = new Map(objects.flatMap(({ account }) => (account ? [[account.id, account] as const] : [])));
  return {
    holders: [...holders.values()],
    skipped: objects
      .filter(({ account }) => account === null)
      .map((object) => ({
        key: object.id,
        name: objectLabel(object),
        reason: 'Objek belum punya akun: buat akun warga dulu.',
      })),
  };
}

async function objectsOf(target: BulkTarget, rows: readonly Assessment[]): Promise<readonly Assessment[]> {
  if ('ids' in target) return rows;
  const found: Assessment[] = [];
  for await (const part of assessmentPages(target.filter, new AbortController().signal)) found.push(...part.rows);
  return found;
}

type Props = { target: BulkTarget; rows: readonly Assessment[]; onRequest: (request: CardRequest) => void };

/** 'Cetak kartu' for the owners of the chosen objects. */
export function CardsButton({ target, rows, onRequest }: Props) {
  const { submit, busy } = useSubmit(async () => {
    try {
      onRequest(cardRequestOf(await objectsOf(target, rows)));
    } catch (error) {
      notify.failure(error, 'Gagal memuat objek');
    }
  });
  return (
    <Button px="md" leftSection={<IconId size={18} aria-hidden />} loading={busy} onClick={() => void submit()}>
      Cetak kartu
    </Button>
  );
}
