import { expect, it } from 'vitest';
import type { Routes } from '#shared/api/routes.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** The kind of input of a call beside its path, according to the types of the client. */
type Takes<Route> = Route extends { form: true }
  ? 'form'
  : Route extends { body: unknown }
    ? 'body'
    : Route extends { query: unknown }
      ? 'query'
      : 'nothing';

/** The keys of a type do not exist at run time, so they are repeated here; the compiler keeps the two complete. */
const typedRoutes = {
  'POST /auth/login': 'body',
  'POST /auth/register': 'body',
  'POST /auth/logout': 'nothing',
  'GET /auth/user': 'nothing',
  'PUT /auth/user': 'body',
  'PUT /auth/password': 'body',
  'GET /auth/sessions': 'nothing',
  'DELETE /auth/sessions': 'nothing',
  'DELETE /auth/sessions/{id}': 'nothing',
  'GET /auth/admin-contact': 'nothing',
  'GET /tax-records': 'query',
  'GET /tax-records/outstanding': 'query',
  'GET /tax-records/year/{year}': 'query',
  'GET /tax-records/statistics': 'nothing',
  'GET /admin/record-settings': 'nothing',
  'PUT /admin/record-settings': 'body',
  'GET /tax-records/quota': 'nothing',
  'GET /tax-records/check-year': 'nothing',
  'POST /tax-records/auto-create': 'body',
  'GET /tax-records/{id}': 'nothing',
  'GET /tax-records/{id}/history': 'query',
  'POST /tax-records': 'form',
  'PUT /tax-records/{id}': 'form',
  'POST /tax-records/{id}/payment-proof': 'form',
  'POST /tax-records/{id}/payment-proof/from-message': 'body',
  'DELETE /tax-records/{id}': 'nothing',
  'GET /admin/tax-records': 'query',
  'GET /admin/tax-records/{id}': 'nothing',
  'GET /admin/tax-records/{id}/history': 'query',
  'POST /admin/tax-records': 'form',
  'POST /admin/tax-records/bulk': 'body',
  'PUT /admin/tax-records/{id}': 'form',
  'POST /admin/tax-records/{id}/payment-proof': 'form',
  'POST /admin/tax-records/{id}/payment-proof/from-message': 'body',
  'DELETE /admin/tax-records/{id}': 'nothing',
  'GET /admin/verifications': 'query',
  'POST /admin/tax-records/{id}/verification': 'body',
  'DELETE /admin/tax-records/{id}/verification': 'body',
  'GET /admin/statistics': 'nothing',
  'GET /push/key': 'nothing',
  'PUT /push/subscription': 'body',
  'DELETE /push/subscription': 'nothing',
  'GET /push/preferences': 'nothing',
  'PUT /push/preferences': 'body',
  'POST /push/test': 'nothing',
  'POST /push/actions': 'body',
  'GET /admin/quick-replies': 'nothing',
  'POST /admin/quick-replies': 'body',
  'PUT /admin/quick-replies/{id}': 'body',
  'DELETE /admin/quick-replies/{id}': 'nothing',
  'POST /admin/quick-replies/{id}/fill': 'body',
  'GET /reports/summary': 'query',
  'GET /reports/property': 'query',
  'GET /admin/reports/overview': 'query',
  'GET /admin/users': 'query',
  'GET /admin/users/{id}': 'nothing',
  'GET /admin/users/{id}/quota': 'nothing',
  'GET /admin/users/{id}/statistics': 'nothing',
  'POST /admin/users': 'body',
  'PUT /admin/users/{id}': 'body',
  'PUT /admin/users/{id}/toggle-status': 'body',
  'PUT /admin/users/{id}/password': 'body',
  'DELETE /admin/users/{id}': 'body',
  'POST /messages/attachments': 'form',
  'DELETE /messages/attachments/{id}': 'nothing',
  'POST /messages/send': 'body',
  'GET /messages/conversations': 'query',
  'GET /messages/conversation/{userId}': 'query',
  'POST /messages/conversation/{userId}/seen': 'body',
  'DELETE /messages/conversation/{userId}': 'nothing',
  'GET /admin/conversations/{userId}/notes': 'nothing',
  'POST /admin/conversations/{userId}/notes': 'body',
  'GET /admin/notes/for-me': 'nothing',
  'POST /admin/conversations/{userId}/notes/seen': 'nothing',
  'DELETE /admin/notes/{id}': 'nothing',
  'GET /admin/conversations/{userId}/transcript': 'query',
  'POST /admin/conversations/{userId}/claim': 'body',
  'POST /admin/conversations/{userId}/release': 'nothing',
  'POST /admin/conversations/{userId}/dismiss': 'body',
  'DELETE /admin/conversations/{userId}/dismiss': 'nothing',
  'POST /admin/conversations/{userId}/snooze': 'body',
  'DELETE /admin/conversations/{userId}/snooze': 'nothing',
  'GET /office': 'nothing',
  'GET /office/public': 'nothing',
  'GET /office-identity': 'nothing',
  'GET /admin/office-identity': 'nothing',
  'PUT /admin/office-identity': 'body',
  'POST /admin/office-identity/logo': 'form',
  'DELETE /admin/office-identity/logo': 'nothing',
  'GET /admin/office-hours': 'nothing',
  'PUT /admin/office-hours': 'body',
  'GET /admin/chat-statistics': 'query',
  'GET /messages/search': 'query',
  'GET /admin/messages/search': 'query',
  'GET /admin/audit': 'query',
  'GET /admin/first-steps': 'nothing',
  'PUT /admin/first-steps/{step}': 'body',
  'GET /admin/notices': 'nothing',
  'POST /admin/notices/{id}/seen': 'nothing',
  'GET /admin/system': 'nothing',
  'POST /admin/system/certificate/retry': 'nothing',
  'GET /admin/backups': 'nothing',
  'POST /admin/backups': 'nothing',
  'POST /admin/backups/{name}/download': 'body',
} satisfies { [Key in keyof Routes]: Takes<Routes[Key]> };

/** The browser downloads this file by its URL, so the client has no typed call for it. */
const DOWNLOAD_ROUTE = 'GET /admin/backup-files/{ticket}';

type Operation = { parameters?: { in: string }[]; requestBody?: { content: Record<string, unknown> } };
type OpenApi = { paths: Record<string, Record<string, Operation>> };

function takenBy({ parameters = [], requestBody }: Operation): 'form' | 'body' | 'query' | 'nothing' {
  if (requestBody) return 'multipart/form-data' in requestBody.content ? 'form' : 'body';
  return parameters.some((parameter) => parameter.in === 'query') ? 'query' : 'nothing';
}

it('types exactly the calls that the server has, each with the query, body or form that the server takes', async () => {
  const test = await buildTestApp();
  // openapi.json describes the registered routes; api-docs.test.ts checks that it has all of them.
  const answer = await test.call('GET', '/api/docs/openapi.json');
  const { paths } = JSON.parse(answer.raw.toString()) as OpenApi;
  const apiPaths = Object.entries(paths).filter(([path]) => /^\/api\/(?!docs)/.test(path));
  const registeredRoutes = apiPaths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `${method.toUpperCase()} ${path.slice('/api'.length)}`,
      takenBy(operation),
    ]),
  );
  const calls = registeredRoutes.filter(([key]) => key !== DOWNLOAD_ROUTE);
  expect(Object.fromEntries(calls)).toEqual(typedRoutes);
});
