/**
 * `http`: the server rejected the call. `network`, `timeout`: no answer came.
 * `format`: the answer does not have the form of this API, for example a page of a proxy.
 */
export type ApiErrorKind = 'http' | 'network' | 'timeout' | 'format';

export type FieldErrors = Record<string, string[]>;

const connectionTexts = {
  network: 'Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.',
  timeout: 'Server terlalu lama menjawab. Periksa koneksi Anda lalu coba lagi.',
} as const;

export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** 0 when no answer came. */
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  /** The rows that cause a refusal, where the server names them. */
  readonly data: unknown;

  constructor(
    kind: ApiErrorKind,
    details: { status?: number; message?: string; errors?: FieldErrors; data?: unknown } = {},
  ) {
    super(details.message ?? (kind === 'network' || kind === 'timeout' ? connectionTexts[kind] : ''));
    this.name = 'ApiError';
    this.kind = kind;
    this.status = details.status ?? 0;
    this.errors = details.errors;
    this.data = details.data;
  }
}

/** The text to show for a failed call: the message of the server, else `fallback` (docs/requirements.md R-UI-10). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.kind === 'http' && error.message ? error.message : fallback;
}

/** Advice for the user when the connection is the reason; shown beside `messageOf`. */
export function hintOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.kind === 'network' || error.kind === 'timeout' ? error.message : undefined;
}
