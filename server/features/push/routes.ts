import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer } from '#shared/api/envelope.ts';
import {
  pushKeyAnswer,
  pushPreferencesAnswer,
  pushPreferencesBody,
  pushSubscriptionBody,
  pushTestAnswer,
  pushTexts,
} from '#shared/api/push.ts';
import { errorTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { SubscriptionService } from './subscription-service.ts';
import type { TestService } from './test-service.ts';
import type { VapidKeySource } from './vapid-keys.ts';

const tags = ['Notifikasi'];
const rateLimited = { 429: errorTexts.rateLimited(30) };

type PushServices = { subscriptions: SubscriptionService; tests: TestService; keys: VapidKeySource };

export function pushRoutes({ subscriptions, tests, keys }: PushServices, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireSession);

    app.get(
      '/push/key',
      {
        schema: {
          tags,
          summary: 'Kunci publik untuk berlangganan notifikasi',
          description: 'VAPID, base64url, untuk applicationServerKey. Bila berubah, peramban perlu berlangganan lagi.',
          response: { 200: pushKeyAnswer },
        },
      },
      async () => presentSingle('Kunci notifikasi', { public_key: keys.read().publicKey }),
    );
    app.put(
      '/push/subscription',
      {
        config: { errors: rateLimited },
        schema: {
          tags,
          summary: 'Menyalakan notifikasi di perangkat ini',
          description:
            'Seperti PushSubscription.toJSON(). Satu untuk tiap sesi: yang baru menggantikan yang lama, dan berakhir bersama sesinya. Alamatnya harus https di alamat publik.',
          body: pushSubscriptionBody,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await subscriptions.subscribe(requireCurrentUser(request), request.body);
        return presentSingle('Notifikasi dinyalakan di perangkat ini', {});
      },
    );
    app.delete(
      '/push/subscription',
      {
        schema: { tags, summary: 'Mematikan notifikasi di perangkat ini', response: { 200: doneAnswer } },
      },
      async (request) => {
        await subscriptions.unsubscribe(requireCurrentUser(request));
        return presentSingle('Notifikasi dimatikan di perangkat ini', {});
      },
    );
    app.get(
      '/push/preferences',
      {
        schema: {
          tags,
          summary: 'Pilihan notifikasi sendiri, untuk semua perangkat',
          response: { 200: pushPreferencesAnswer },
        },
      },
      async (request) => presentSingle('Pilihan notifikasi', subscriptions.preferences(requireCurrentUser(request))),
    );
    app.put(
      '/push/preferences',
      {
        config: { errors: rateLimited },
        schema: {
          tags,
          summary: 'Mengubah pilihan notifikasi sendiri',
          description:
            'quiet_hours dalam zona waktu server, juga melewati tengah malam; notifikasi selama itu ditahan sampai selesai.',
          body: pushPreferencesBody,
          response: { 200: pushPreferencesAnswer },
        },
      },
      async (request) => {
        const changed = await subscriptions.changePreferences(requireCurrentUser(request), request.body);
        return presentSingle('Pilihan notifikasi disimpan', changed);
      },
    );
    app.post(
      '/push/test',
      {
        config: { errors: { 404: pushTexts.noSubscription, ...rateLimited } },
        schema: {
          tags,
          summary: 'Mengirim notifikasi percobaan ke perangkat ini',
          description:
            'Menunggu jawaban layanan notifikasi peramban. result dan message mengatakan apa yang terjadi; 404 bila notifikasi belum dinyalakan di sesi ini.',
          response: { 200: pushTestAnswer },
        },
      },
      async (request) => {
        const { text, ...data } = await tests.test(requireCurrentUser(request));
        return presentSingle(text, data);
      },
    );
  };
  return plugin;
}
