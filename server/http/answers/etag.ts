import type { FastifyRequest } from 'fastify';

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client has this version already. Proxies may weaken the tag or send a list of tags. */
export function matchesEtag({ headers }: FastifyRequest, etag: string): boolean {
  return (headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || withoutWeakness(tag) === withoutWeakness(etag));
}
