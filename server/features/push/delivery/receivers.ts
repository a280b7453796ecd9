import type { Side } from '#shared/events.ts';
import type { DeliveryQueries, Receiver } from './delivery-queries.ts';

/** The list of the admins' devices is used again for so long: each message of a user is for all of them. */
const LIST_MS = 1000;
/** More devices of admins are not read. */
const ADMIN_DEVICES_MAX = 5000;

export type KnownReceiver = Receiver & { origin: string };

export const originOf = (endpoint: string): string => new URL(endpoint).origin;
const withOrigin = (receiver: Receiver): KnownReceiver => ({ ...receiver, origin: originOf(receiver.endpoint) });

/** Lists the devices for a message. Each device is read again when something is sent to it (R-PUSH-11). */
export function createReceivers(queries: DeliveryQueries, monotonicNow: () => number) {
  let admins: KnownReceiver[] | null = null;
  let readAt = 0;

  function listAdmins(): KnownReceiver[] {
    if (admins && monotonicNow() - readAt < LIST_MS) return admins;
    admins = queries.listReceivingAdmins(ADMIN_DEVICES_MAX).map(withOrigin);
    readAt = monotonicNow();
    return admins;
  }

  return {
    /** @param userId whose conversation */
    list: (userId: string, side: Side): readonly KnownReceiver[] =>
      side === 'admin' ? listAdmins() : queries.listReceiversOf(userId).map(withOrigin),
    /** A device came or went, or what is owed to one was cleared. */
    changed: (): void => {
      admins = null;
    },
  };
}
