import { formatDateShort, formatTime } from '#shared/domain/dates/date-labels.ts';
import { noticeTexts } from '#shared/api/notices.ts';
import type { OwnNotice, SecurityEntry } from '#shared/api/security-log.ts';
import type { SecurityEvent } from '#shared/domain/users/security-events.ts';
import { STAFF_NAME } from '#shared/texts.ts';
import { presentIds } from '#server/http/answers/present.ts';
import { notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { PROGRAM } from '#server/accounts/cards/card-keys.ts';
import { type ErasureRow, findErasure } from '#server/accounts/erasures/erasure-queries.ts';
import {
  listSecurityEvents,
  listUnseenEvents,
  markEventsSeen,
  type SecurityRow,
} from '#server/accounts/security-log-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';

const ENTRIES_MAX = 100;
const NOTICES_MAX = 10;

/** Acts of the office, as the middle of a sentence. */
const officeActs: Record<SecurityEvent, string> = {
  'recovery_code.made': 'membuat kode masuk untuk akun Anda',
  'recovery_code.ended': 'membatalkan kode masuk untuk akun Anda',
  'recovery_code.used': 'memakai kode masuk untuk akun Anda',
  'password.changed': 'mengganti password akun Anda',
  'card.made': 'membuat kartu untuk akun Anda',
  'card.ended': 'mencabut kartu akun Anda',
  'card.activated': 'mengaktifkan kartu akun Anda',
  'card.used': 'masuk dengan kartu akun Anda',
  'card.blocked': 'memblokir kartu akun Anda',
  'second_factor.on': 'memasang kode kedua akun Anda',
  'second_factor.off': 'mematikan kode kedua akun Anda',
  'second_factor.removed': 'menghapus kode kedua akun Anda',
  'second_factor.code_used': 'memakai kode cadangan akun Anda',
  'second_factor.setup_code': 'membuat kode pemasangan kode kedua untuk akun Anda',
  'email.changed': 'mengubah email akun Anda',
  'phone.changed': 'mengubah nomor HP akun Anda',
  'erasure.asked': 'meminta akun Anda dihapus',
  'erasure.withdrawn': 'membatalkan permintaan hapus akun Anda',
  'erasure.rejected': 'menolak permintaan hapus akun Anda',
};
const checkTexts = { counter: ' (diperiksa di loket)', phone: ' (diperiksa lewat telepon)' } as const;

/** The own log, and the lines about what others did to the account (R-ACCESS-3, R-ACCESS-4). */
export function createOwnLogService({ orm, policy, write, timeZone }: ServiceContext) {
  function formatInstant(atMs: number): string {
    const at = new Date(atMs).toISOString();
    return `${formatDateShort(at, timeZone)} ${formatTime(at, timeZone)}`;
  }

  /** Shown at every entry until it is decided: a stranger who knows the password may have asked. */
  function presentErasure({ id, createdAt, dueAt }: ErasureRow): OwnNotice {
    return {
      ...presentIds(id),
      kind: 'erasure.asked',
      text: `Anda meminta akun dihapus, ${formatInstant(createdAt)}. Kantor memutuskan paling lambat ${formatInstant(dueAt)}. Bukan Anda yang meminta? Batalkan, lalu ganti password Anda.`,
      created_at: new Date(createdAt).toISOString(),
      actions: ['withdraw'],
    };
  }

  function presentNotice({ id, event, how, at }: SecurityRow): OwnNotice {
    if (event === 'card.blocked') {
      const text = `Kartu akun Anda diblokir, ${formatInstant(at)}: terlalu banyak PIN salah. Minta kartu baru di kantor.`;
      return { ...presentIds(String(id)), kind: event, text, created_at: new Date(at).toISOString(), actions: [] };
    }
    const check = how === 'counter' || how === 'phone' ? checkTexts[how] : '';
    return {
      ...presentIds(String(id)),
      kind: event,
      text: `Kantor ${officeActs[event]}, ${formatInstant(at)}${check}. Bukan Anda yang meminta? Hubungi kantor.`,
      created_at: new Date(at).toISOString(),
      actions: [],
    };
  }

  return {
    async listEntries({ id, isAdmin }: CurrentUser): Promise<SecurityEntry[]> {
      return (await listSecurityEvents(orm, id, ENTRIES_MAX)).map(({ at, event, byId, byName, how }) => ({
        at: new Date(at).toISOString(),
        event,
        by_name: byId === id || byId === PROGRAM.id || isAdmin ? byName : STAFF_NAME,
        how,
      }));
    },

    async listNotices({ id }: CurrentUser): Promise<OwnNotice[]> {
      const erasure = await findErasure(orm, id);
      const acts = await listUnseenEvents(orm, id, NOTICES_MAX);
      return [...acts.map(presentNotice), ...(erasure?.state === 'open' ? [presentErasure(erasure)] : [])];
    },

    /** Puts away this line and all older ones. @throws 401, 403, 404 for what is no id */
    async markSeen(currentUser: CurrentUser, id: string): Promise<void> {
      if (!/^\d{1,15}$/.test(id)) throw notFound(noticeTexts.missing);
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        await markEventsSeen(tx, currentUser.id, Number(id));
      });
    },
  };
}
export type OwnLogService = ReturnType<typeof createOwnLogService>;
