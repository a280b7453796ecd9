import { z } from 'zod';
import { PUSH_ENDPOINT_MAX } from '../limits.ts';
import { messageContent, sendBody } from './chat/chat.ts';
import { singleOf } from './envelope.ts';
import { flag, timeOfDay } from './fields.ts';

/** Web Push: subscriptions of browsers, what each person wants to be told, and answers from a notification. */

export const pushTexts = {
  endpointRefused: 'Alamat layanan notifikasi peramban ini tidak dapat dipakai',
  keysInvalid: 'Kunci notifikasi tidak valid',
  noSubscription: 'Notifikasi belum dinyalakan di perangkat ini',
  actionRefused: 'Tombol notifikasi ini sudah tidak berlaku. Buka aplikasi untuk melanjutkan.',
  quietHoursSame: 'Jam mulai dan jam selesai tidak boleh sama',
  testTitle: 'Notifikasi percobaan',
  testBody: 'Notifikasi di perangkat ini bekerja.',
  testSent:
    'Notifikasi percobaan terkirim. Bila tidak muncul dalam satu menit, periksa izin notifikasi di perangkat ini.',
  testEnded: 'Langganan notifikasi di perangkat ini sudah berakhir. Matikan notifikasi, lalu nyalakan lagi.',
  testBusy: (status: number) => `Layanan notifikasi sedang sibuk (${status}). Coba lagi nanti.`,
  testRefused: (status: number) =>
    `Layanan notifikasi menolak kiriman (${status}). Matikan notifikasi di perangkat ini, lalu nyalakan lagi.`,
  testUnreachable:
    'Server tidak dapat mencapai layanan notifikasi. Periksa sambungan internet di kantor, lalu coba lagi.',
} as const;

/** The public VAPID key, base64url, for `applicationServerKey`. */
export const pushKeyAnswer = singleOf(z.object({ public_key: z.string() }).meta({ id: 'KunciNotifikasi' }));

/** As `PushSubscription.toJSON()` gives it; the rest of it is ignored. */
export const pushSubscriptionBody = z.object({
  endpoint: z
    .string(pushTexts.endpointRefused)
    .min(1, pushTexts.endpointRefused)
    .max(PUSH_ENDPOINT_MAX, pushTexts.endpointRefused),
  keys: z.object(
    {
      p256dh: z.string(pushTexts.keysInvalid).max(200, pushTexts.keysInvalid),
      auth: z.string(pushTexts.keysInvalid).max(100, pushTexts.keysInvalid),
    },
    pushTexts.keysInvalid,
  ),
});

const quietTime = timeOfDay('Jam tidak valid');

/** Of a person, on all devices. */
const pushPreferences = z
  .object({
    enabled: flag,
    /** Whether a notification shows the beginning of the message. */
    preview: flag,
    /** In `APP_TIMEZONE`; over midnight when `to` is before `from`. Null: none. */
    quiet_hours: z
      .object({ from: quietTime, to: quietTime })
      .refine(({ from, to }) => from !== to, { error: pushTexts.quietHoursSame, path: ['to'] })
      .nullable(),
  })
  .meta({ id: 'PilihanNotifikasi' });
export type PushPreferences = z.infer<typeof pushPreferences>;
export const pushPreferencesBody = pushPreferences;
export const pushPreferencesAnswer = singleOf(pushPreferences);

/** A press on a button of a notification. The service worker sends it, without the token of the session. */
export const pushActionBody = z.discriminatedUnion('action', [
  z.object({ action: z.literal('read'), action_token: z.string().max(1000) }),
  z.object({
    action: z.literal('reply'),
    action_token: z.string().max(1000),
    content: messageContent('Pesan'),
    client_id: sendBody.shape.client_id,
  }),
]);

/** Messages that stay unread in all conversations of this person, for the number on the icon. */
export const pushActionAnswer = singleOf(z.object({ unread: z.number().int() }));

/** The result of a test at the push service; its text is the message of the answer. */
export const pushTestAnswer = singleOf(
  z
    .object({
      result: z.enum(['sent', 'ended', 'busy', 'refused', 'unreachable']),
      /** Of the push service; null without an answer. */
      status: z.number().int().nullable(),
    })
    .meta({ id: 'HasilNotifikasiPercobaan' }),
);
export type PushTestResult = z.infer<typeof pushTestAnswer>['data']['result'];
