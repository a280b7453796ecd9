import { usersAnswer } from '#shared/api/users.ts';
import type { Connection } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentList, presentUser } from '#server/http/answers/present.ts';
import { readUsers, type UsersFilter } from './queries.ts';

type UsersRequest = { filter: UsersFilter; page: number; acceptsGzip: boolean };

/** The whole answer to `GET /admin/users`; the query worker makes it. */
export async function encodeUsersAnswer(
  orm: Connection,
  { filter, page, acceptsGzip }: UsersRequest,
): Promise<EncodedAnswer> {
  const { rows, total } = await readUsers(orm, filter);
  const answer = presentList('Daftar user', rows.map(presentUser), total, filter.limit, page);
  return encodeAnswer(usersAnswer, answer, acceptsGzip);
}
