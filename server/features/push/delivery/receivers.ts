import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import type { Side } from '#shared/events.ts';
import { deliveryQueries, type Receiver } from './delivery-queries.ts';

/** The list of the admins' devices is used again for so long: each message of a user is for all of them. */
const LIST_MS = 1000;
/** More devices of admins are not read. */
const ADMIN_DEVICES_MAX = 5000;

export type KnownReceiver = Receiver & { origin: string };

export const originOf = (endpoint: string): string => new URL(endpoint).origin;
const withOrigin = (receiver: Receiver): KnownReceiver => ({ ...receiver, origin: originOf(receiver.endpoint) });

/** Lists the devices for a message. Each device is read again when something is sent to it (R-PUSH-11). */
export function createReceivers(monotonicNow: () => number) {
  let admins: KnownReceiver[] | null = null;
  let readAt = 0;

  let changes = 0;

  async function listAdmins(orm: ConnectionOrTransaction): Promise<KnownReceiver[]> {
    if (admins && monotonicNow() - readAt < LIST_MS) return admins;
    const changesBefore = changes;
    const read = (await deliveryQueries(orm).listReceivingAdmins(ADMIN_DEVICES_MAX)).map(withOrigin);
    // A device may have come or gone meanwhile.
    if (changes !== changesBefore) return read;
    admins = read;
    readAt = monotonicNow();
    return read;
  }

  return {
    /** @param userId whose conversation */
    list: async (orm: ConnectionOrTransaction, userId: string, side: Side): Promise<readonly KnownReceiver[]> =>
      side === 'admin' ? listAdmins(orm) : (await deliveryQueries(orm).listReceiversOf(userId)).map(withOrigin),
    /** A device came or went, or what is owed to one was cleared. */
    changed: (): void => {
      changes += 1;
      admins = null;
    },
  };
}
