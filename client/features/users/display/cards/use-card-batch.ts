import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reachableAddresses } from '#client/lib/office/reachable-addresses.ts';
import { systemInfoQuery } from '#client/lib/api/system-info-query.ts';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { renderQrCode } from '#client/lib/images/qr-code.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { MadeCard } from '#shared/api/cards.ts';
import type { OwnPasswordBody } from '#shared/api/users.ts';
import { makeCard } from '../../api.ts';
import { asksOwnPassword } from '../../field-errors.ts';
import { userKeys } from '../../keys.ts';

export type CardHolder = { id: string; name: string };
/** A card with its codes, which are shown once. */
export type HeldCard = MadeCard & { holder: CardHolder; url: string; qrCodeUrl: string };
/** The reason why a person or an object has no card. */
export type MissingCard = { key: string; name: string; reason: string; holder?: CardHolder };

const PASSWORD_REASON = 'Baru saja admin. Buat kartunya di halaman akun orang ini, dengan password Anda.';
const STOPPED_REASON = 'Belum dibuat';

/** Why one card was not made, as the office reads it. */
function reasonOf(error: unknown): string {
  if (asksOwnPassword(error)) return PASSWORD_REASON;
  const hint = hintOf(error);
  return [messageOf(error, 'Kartu gagal dibuat'), ...(hint ? [hint] : [])].join('. ');
}

/** After such an error the next cards would fail, too, each after a long wait. */
const endsAll = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.kind !== 'http' || error.status >= 500;

/** Makes cards one after the other. Those that were made stay, whatever fails after them. */
export function useCardBatch(skipped: readonly MissingCard[]) {
  const queryClient = useQueryClient();
  const [cards, setCards] = useState<readonly HeldCard[]>([]);
  const [missing, setMissing] = useState<readonly MissingCard[]>(skipped);
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const isStopped = useRef(false);

  /** The address that a phone of a resident opens; this page's own may work on the server's computer only. */
  async function findAddress(): Promise<string> {
    const { origin } = window.location;
    const info = await queryClient.fetchQuery(systemInfoQuery).catch(() => null);
    const address = (info && reachableAddresses(info, origin)[0]) ?? origin;
    // Loads the code of the QR code: a card whose codes cannot be shown must not be made.
    await renderQrCode(address);
    return address;
  }

  async function makeOne(holder: CardHolder, address: string, own: OwnPasswordBody): Promise<void> {
    const card = await makeCard(holder.id, own);
    const url = address + card.qr_url;
    const made = { ...card, holder, url, qrCodeUrl: await renderQrCode(url) };
    setCards((before) => [...before, made]);
    setMissing((before) => before.filter(({ key }) => key !== holder.id));
  }

  const noteMissing = (holder: CardHolder, reason: string): void =>
    setMissing((before) => [
      ...before.filter(({ key }) => key !== holder.id),
      { key: holder.id, name: holder.name, reason, holder },
    ]);

  /** @throws the error of a single card, which is shown where it was asked for */
  const { submit, busy } = useSubmit(async (holders: readonly CardHolder[], own: OwnPasswordBody) => {
    isStopped.current = false;
    try {
      const address = await findAddress();
      for (const [index, holder] of holders.entries()) {
        if (isStopped.current) {
          noteMissing(holder, STOPPED_REASON);
          continue;
        }
        setProgress({ done: index, total: holders.length });
        try {
          await makeOne(holder, address, own);
        } catch (error) {
          if (holders.length === 1) throw error;
          noteMissing(holder, reasonOf(error));
          if (endsAll(error)) isStopped.current = true;
        }
      }
    } finally {
      setProgress(null);
      for (const queryKey of [userKeys.all, ['audit']]) void queryClient.invalidateQueries({ queryKey });
    }
  });

  return { cards, missing, progress, make: submit, busy, stop: () => void (isStopped.current = true) };
}
