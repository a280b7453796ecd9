import type { FastifyServerOptions } from 'fastify';
import { withoutParameters } from '#server/db/engine.ts';
import type { LogLevel } from '#server/settings-table.ts';
import type { LogFile } from './log-file.ts';

/**
 * Log lines always go to the file. They also go to standard output, where a service or a test reads them, but not to a
 * terminal: its user needs only the plain lines.
 */
export function logStream(file: LogFile, output: NodeJS.WriteStream = process.stdout) {
  // The stream of the start-up lines too, so that the order stays even when a pipe is slow.
  if (output.isTTY) return file;
  return {
    write(line: string): void {
      output.write(line);
      file.write(line);
    },
  };
}

/** Options of pino: request id and user id on every line; no token, no signature of a proof link, no body. */
export function loggerOptions(level: LogLevel, stream: { write: (line: string) => void } = process.stdout) {
  return {
    level,
    stream,
    serializers: {
      req: (request) => ({ method: request.method, url: withoutSecrets(request.url), remoteAddress: request.ip }),
      err: serializeError,
      // At the level `trace`, @fastify/multipart logs its options, which hold the headers of the request with the token.
      busboyOptions: ({ limits }: { limits?: object }) => ({ limits }),
      headers: () => undefined,
    },
  } satisfies FastifyServerOptions['logger'];
}

/** A query may hold a name (search) or a signature (proof link), and a path the ticket of a download. */
function withoutSecrets(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(/(\/backup-files\/)[^/]+/, '$1-');
}

type SerializedError = { type: string; message: string; code?: unknown; stack: string; cause?: SerializedError };

/** Only these properties: others (parameters of a query, the failed answer) may hold data of users. */
function serializeError(logged: Error): SerializedError {
  const error = withoutParameters(logged);
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack ?? '',
    ...(error.cause instanceof Error ? { cause: serializeError(error.cause) } : {}),
  };
}
