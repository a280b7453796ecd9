import type { DeviceAccount, KeptReply } from '../device-store.ts';

/** In place of the database, which jsdom does not have: `vi.mock('…/device-store.ts', () => import('…'))`. */

let account: DeviceAccount | null = null;
const told = new Map<string, number>();

export const readDeviceAccount = async (): Promise<DeviceAccount | null> => account;
export const writeDeviceAccount = async (next: DeviceAccount): Promise<void> => void (account = next);
export const readTold = async (tag: string): Promise<number> => told.get(tag) ?? 0;
export const rememberTold = async (tag: string, id: number): Promise<void> =>
  void told.set(tag, Math.max(id, told.get(tag) ?? 0));
export async function forgetDevice(): Promise<void> {
  account = null;
  told.clear();
}

/** Nothing was answered from a notification. */
export const readReplies = async (): Promise<KeptReply[]> => [];
