import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer, idParams } from '#shared/api/envelope.ts';
import {
  createUserBody,
  oneUserAnswer,
  type OwnPasswordBody,
  ownPasswordBody,
  ownPasswordTexts,
  resetPasswordBody,
  resetTexts,
  updateUserBody,
  usersAnswer,
  usersQuery,
} from '#shared/api/users.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerSignal } from '#server/http/caller-signal.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { errorTexts } from '#shared/texts.ts';
import { presentSingle, presentUser } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { OwnPassword, UserService } from './service.ts';

const tags = ['Kelola user (administrator)'];
/** What a change of administrators answers without the right password of the caller. */
const passwordErrors = { 422: ownPasswordTexts.missing, 429: errorTexts.rateLimited(900) };
const passwordRule =
  'Bila menyangkut akun administrator, current_password (password sendiri) wajib; administrator lain diberi tahu.';

function ownPasswordOf(request: FastifyRequest, reply: FastifyReply, body: OwnPasswordBody): OwnPassword {
  const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
  return { password: body?.current_password, source };
}

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
      {
        config: { errors: passwordErrors },
        schema: {
          tags,
          summary: 'Menambah user',
          description: passwordRule,
          body: createUserBody,
          response: { 201: oneUserAnswer },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const user = await users.create(requireCurrentUser(request), body, ownPasswordOf(request, reply, body));
        return reply.code(201).send(presentSingle('User berhasil dibuat', presentUser(user)));
      },
    );
    app.put(
      '/admin/users/:id',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: errorTexts.conflict, ...passwordErrors } },
        schema: {
          tags,
          summary: 'Mengubah user',
          description: `Kolom yang tidak dikirim tetap. Menonaktifkan atau mengubah peran mengakhiri sambungannya seketika. ${passwordRule}`,
          params: idParams,
          body: updateUserBody,
          response: { 200: oneUserAnswer },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const ownPassword = ownPasswordOf(request, reply, body);
        const user = await users.update(requireCurrentUser(request), params.id, body, ownPassword);
        return presentSingle('User berhasil diperbarui', presentUser(user));
      },
    );
    app.put(
      '/admin/users/:id/toggle-status',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: errorTexts.ownAccount, ...passwordErrors } },
        schema: {
          tags,
          summary: 'Mengaktifkan atau menonaktifkan user',
          description: passwordRule,
          params: idParams,
          body: ownPasswordBody,
          response: { 200: oneUserAnswer },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const ownPassword = ownPasswordOf(request, reply, body);
        const user = await users.toggleActive(requireCurrentUser(request), params.id, ownPassword);
        return presentSingle(user.isActive ? 'User diaktifkan' : 'User dinonaktifkan', presentUser(user));
      },
    );
    app.put(
      '/admin/users/:id/password',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: resetTexts.ownPassword, ...passwordErrors } },
        schema: {
          tags,
          summary: 'Memberi password baru kepada user yang lupa',
          description: `Semua sesi akun itu berakhir seketika, dan perubahannya tercatat di riwayat tanpa passwordnya. Akun sendiri → 409: password sendiri diganti di Akun Saya (PUT /api/auth/password), dengan password lama. ${passwordRule}`,
          params: idParams,
          body: resetPasswordBody,
          response: { 200: doneAnswer },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const ownPassword = ownPasswordOf(request, reply, body);
        await users.resetPassword(requireCurrentUser(request), params.id, body, ownPassword);
        return presentSingle('Password user berhasil diganti', {});
      },
    );
    app.delete(
      '/admin/users/:id',
      {
        config: { errors: { 404: errorTexts.userMissing, 409: errorTexts.ownAccount, ...passwordErrors } },
        schema: {
          tags,
          summary: 'Menghapus user beserta semua datanya',
          description: passwordRule,
          params: idParams,
          body: ownPasswordBody,
          response: { 200: doneAnswer },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        await users.remove(requireCurrentUser(request), params.id, ownPasswordOf(request, reply, body));
        return presentSingle('User berhasil dihapus', {});
      },
    );
  };
  return plugin;
}
