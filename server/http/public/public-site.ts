import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorTexts } from '#shared/texts.ts';
import { contentAnswer } from '../api-docs/openapi.ts';
import { notFound } from '../errors.ts';

/** The path where the ACME directory reads the answer to a challenge (RFC 8555, section 8.3). */
const CHALLENGE_PATH = '/.well-known/acme-challenge/';
/** A balancer or a monitor beside the server asks over http. */
const HEALTH_PATHS = ['/healthz', '/readyz'];
const HTTPS_PORT = 443;
/** 180 days. Browsers then refuse http for the names, so it is asked for by a setting of its own. */
const HSTS_VALUE = 'max-age=15552000';

/** Facts about the public names that the HTTP server needs (docs/requirements.md R-ACME-20 to R-ACME-23). */
export type PublicSite = {
  /** In lower case. */
  domains: readonly string[];
  hsts: boolean;
  /** The answer to a challenge; null for a token that nobody asked for. */
  challengeFor: (token: string) => Promise<string | null>;
  /**
   * The port on which https has a certificate for this name; null while there is none. One that has ended counts too: a
   * warning of the browser is better than a password in plain text.
   */
  securePort: (domain: string) => number | null;
};

/** Answers challenges, leads public names from http to https, and adds HSTS when it is asked for. */
export function registerPublicSite(
  app: FastifyInstance,
  { domains, hsts, challengeFor, securePort }: PublicSite,
): void {
  /** The public name that a request asks for; undefined for addresses in the local network and for unknown names. */
  const findDomain = ({ hostname }: FastifyRequest): string | undefined => {
    // A name may end with a dot, which stands for the root of all names.
    const name = hostname.toLowerCase().replace(/\.$/, '');
    return domains.find((domain) => domain === name);
  };

  app.addHook('onRequest', async (request, reply) => {
    const domain = findDomain(request);
    if (domain === undefined) return undefined;
    if (request.protocol === 'https') {
      if (hsts) reply.header('strict-transport-security', HSTS_VALUE);
      return undefined;
    }
    const port = securePort(domain);
    if (port === null || isServedOverHttp(request.url)) return undefined;
    // Not kept by browsers: an operator may take the public name away again.
    reply.header('cache-control', 'no-store');
    return reply.redirect(`https://${domain}${port === HTTPS_PORT ? '' : `:${port}`}${pathOf(request.url)}`, 308);
  });

  app.withTypeProvider<ZodTypeProvider>().get(
    `${CHALLENGE_PATH}:token`,
    {
      config: { errors: { 404: errorTexts.pathMissing } },
      schema: {
        tags: ['Sistem'],
        summary: 'Jawaban bagi penerbit sertifikat (ACME)',
        security: [],
        params: z.object({ token: z.string() }),
        response: { 200: contentAnswer('application/octet-stream') },
      },
    },
    async (request, reply) => {
      const answer = await challengeFor(request.params.token);
      if (answer === null) throw notFound(errorTexts.pathMissing);
      return reply.header('cache-control', 'no-store').type('application/octet-stream').send(Buffer.from(answer));
    },
  );
}

/** The directory and checks of the service must reach these without a certificate. */
function isServedOverHttp(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return HEALTH_PATHS.includes(path) || path.startsWith(CHALLENGE_PATH);
}

/** A request for a proxy names a whole URL. Its path alone may stand behind the name, or it would change the host. */
const pathOf = (url: string): string => (url.startsWith('/') ? url : '/');
