import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer, idParams } from '#shared/api/envelope.ts';
import {
  createUserBody,
  oneUserAnswer,
  resetPasswordBody,
  resetTexts,
  updateUserBody,
  usersAnswer,
  usersQuery,
} from '#shared/api/users.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { errorTexts } from '#shared/texts.ts';
import { presentSingle, presentUser } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { UserService } from './service.ts';

const tags = ['Kelola user (administrator)'];

export function userRoutes(users: UserService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireAdmin);

    app.get(
      '/admin/users',
      {
        schema: {
          tags,
          summary: 'Daftar user, terbaru lebih dulu',
          querystring: usersQuery,
          response: { 200: usersAnswer },
        },
      },
      async (request, reply) => sendEncoded(reply, await users.encodeList(request.query, listCallerOf(request, reply))),
    );
    app.get(
      '/admin/users/:id',
      { schema: { tags, summary: 'Satu user', params: idParams, response: { 200: oneUserAnswer } } },
      async (request) => presentSingle('Data user', presentUser(users.requireUser(request.params.id))),
    );
    app.post(
      '/admin/users',
      { schema: { tags, summary: 'Menambah user', body: createUserBody, response: { 201: oneUserAnswer } } },
      async (request, reply) => {
        const user = await users.create(requireCurrentUser(request), request.body);
        return reply.code(201).send(presentSingle('User berhasil dibuat', presentUser(user)));
      },
    );
    app.put(
      '/admin/users/:id',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: errorTexts.conflict } },
        schema: {
          tags,
          summary: 'Mengubah user',
          description:
            'Kolom yang tidak dikirim tetap. Menonaktifkan atau mengubah peran mengakhiri sambungannya seketika.',
          params: idParams,
          body: updateUserBody,
          response: { 200: oneUserAnswer },
        },
      },
      async (request) => {
        const user = await users.update(requireCurrentUser(request), request.params.id, request.body);
        return presentSingle('User berhasil diperbarui', presentUser(user));
      },
    );
    app.put(
      '/admin/users/:id/toggle-status',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: errorTexts.ownAccount } },
        schema: {
          tags,
          summary: 'Mengaktifkan atau menonaktifkan user',
          params: idParams,
          response: { 200: oneUserAnswer },
        },
      },
      async (request) => {
        const user = await users.toggleActive(requireCurrentUser(request), request.params.id);
        return presentSingle(user.isActive ? 'User diaktifkan' : 'User dinonaktifkan', presentUser(user));
      },
    );
    app.put(
      '/admin/users/:id/password',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: resetTexts.ownPassword } },
        schema: {
          tags,
          summary: 'Memberi password baru kepada user yang lupa',
          description:
            'Semua sesi akun itu berakhir seketika, dan perubahannya tercatat di riwayat tanpa passwordnya. Akun sendiri → 409: password sendiri diganti di Akun Saya (PUT /api/auth/password), dengan password lama.',
          params: idParams,
          body: resetPasswordBody,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await users.resetPassword(requireCurrentUser(request), request.params.id, request.body);
        return presentSingle('Password user berhasil diganti', {});
      },
    );
    app.delete(
      '/admin/users/:id',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: errorTexts.ownAccount } },
        schema: {
          tags,
          summary: 'Menghapus user beserta semua datanya',
          params: idParams,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await users.remove(requireCurrentUser(request), request.params.id);
        return presentSingle('User berhasil dihapus', {});
      },
    );
  };
  return plugin;
}
