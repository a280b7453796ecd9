import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { CompleteRecoveryBody, LoginBody, RegisterBody } from '#shared/api/auth.ts';
import type { TicketAnswer } from '#shared/api/second-factor.ts';
import type { UserAnswer } from '#shared/api/users.ts';

export type OpenedSession = { token: string; user: UserAnswer };
/** A way in whose second step is missing. @property deviceOwner under which this browser keeps a device token of the account */
export type StartedEntrance = { ticket: string; deviceOwner?: string };
export type Entrance = OpenedSession | StartedEntrance;

/** @param deviceOwner the e-mail address of the answer, unless it is a card */
export function toEntrance(
  answer: (OpenedSession & { device_token?: string | undefined }) | TicketAnswer,
  deviceOwner?: string,
): Entrance {
  if ('ticket' in answer) return { ticket: answer.ticket, ...(deviceOwner === undefined ? {} : { deviceOwner }) };
  storeDeviceToken(deviceOwner ?? answer.user.email, answer.device_token);
  return answer;
}

/** The browser stays known to the account, so that strangers' wrong passwords do not lock it out. */
export async function login(body: Pick<LoginBody, 'email' | 'password'>) {
  return toEntrance(await api.post('/auth/login', { body: { ...body, ...deviceTokenOf(body.email) } }), body.email);
}

export async function register(body: RegisterBody) {
  const opened = await api.post('/auth/register', { body });
  storeDeviceToken(opened.user.email, opened.device_token);
  return opened;
}

/** Asks the office for a code; the answer is the same for every identifier. */
export const askRecovery = (identifier: string) => api.post('/auth/recovery', { body: { identifier } });

export const completeRecovery = async (body: CompleteRecoveryBody) =>
  toEntrance(await api.post('/auth/recovery/complete', { body }));

/** @param code of the app, or a spare one */
export async function completeEntrance({ ticket, deviceOwner }: StartedEntrance, code: string): Promise<OpenedSession> {
  const body = { ticket, code, ...deviceTokenOf(deviceOwner) };
  const opened = await api.post('/auth/login/second-factor', { body });
  storeDeviceToken(deviceOwner ?? opened.user.email, opened.device_token);
  return opened;
}

/** Whether a card exists, with which people enter. */
export const areCardsInUse = async () => (await api.get('/auth/card')).in_use;

export const logout = () => api.post('/auth/logout');
