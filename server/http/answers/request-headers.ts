import type { FastifyRequest } from 'fastify';

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client has this version already. Proxies may weaken the tag or send a list of tags. */
export function matchesEtag({ headers }: FastifyRequest, etag: string): boolean {
  return (headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || withoutWeakness(tag) === withoutWeakness(etag));
}

/** Whether the client accepts an encoding by name, without a quality or with one above zero; an unreadable one is a no. */
export function acceptsEncoding({ headers }: FastifyRequest, encoding: 'br' | 'gzip'): boolean {
  return (headers['accept-encoding'] ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && parameters.every((text) => /^q=(1(\.0*)?|0?\.\d*[1-9]\d*)$/.test(text));
  });
}
