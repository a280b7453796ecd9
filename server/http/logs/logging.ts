import type { FastifyServerOptions } from 'fastify';
import type { LogLevel } from '#server/settings-table.ts';
import type { LogFile } from './log-file.ts';

/**
 * Where log lines go: always to the file, and to standard output where a service or a test reads them. A person at a
 * terminal is there for the plain lines.
 */
export function logStream(file: LogFile, output: NodeJS.WriteStream = process.stdout) {
  // The same stream as the start-up lines, so that they keep their order even when a pipe is slow.
  if (output.isTTY) return file;
  return {
    write(line: string): void {
      output.write(line);
      file.write(line);
    },
  };
}

/** Pino's options: request id and user id on every line; no token, no signature of a proof link, no body. */
export function loggerOptions(level: LogLevel, stream: { write: (line: string) => void } = process.stdout) {
  return {
    level,
    stream,
    serializers: {
      req: (request) => ({ method: request.method, url: withoutQuery(request.url), remoteAddress: request.ip }),
      err: serializeError,
    },
  } satisfies FastifyServerOptions['logger'];
}

/** Searches hold names, and proof links hold signatures: neither belongs in a log. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

type SerializedError = { type: string; message: string; code?: unknown; stack: string; cause?: SerializedError };

/** Only these: whatever else hangs on an error (a query's parameters, the answer that failed) may be somebody's data. */
function serializeError(error: Error): SerializedError {
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack ?? '',
    ...(error.cause instanceof Error ? { cause: serializeError(error.cause) } : {}),
  };
}
