import type { DeviceAccount, KeptReply } from '../device-store.ts';

/** In place of the database, which jsdom does not have: `vi.mock('…/device-store.ts', () => import('…'))`. */

let account: DeviceAccount | null = null;
const told = new Map<string, number>();
const replies = new Map<string, KeptReply>();

export const readDeviceAccount = async (): Promise<DeviceAccount | null> => account;
export const writeDeviceAccount = async (next: DeviceAccount): Promise<void> => void (account = next);
export const readTold = async (tag: string): Promise<number> => told.get(tag) ?? 0;
export const rememberTold = async (tag: string, id: number): Promise<void> =>
  void told.set(tag, Math.max(id, told.get(tag) ?? 0));
export async function forgetDevice(): Promise<void> {
  account = null;
  told.clear();
}

export const keepReply = async (reply: KeptReply): Promise<void> => void replies.set(reply.id, reply);
export const removeReply = async (id: string): Promise<void> => void replies.delete(id);
export const readReplies = async (accountId: string): Promise<KeptReply[]> =>
  [...replies.values()].filter((reply) => reply.accountId === accountId);
export async function eraseReplies(accountId: string): Promise<void> {
  for (const { id } of await readReplies(accountId)) replies.delete(id);
}
