const CALL_TIMEOUT_MS = 15_000;

/** `status` 0: no answer came; `kind` then is the error's code. Otherwise `kind` is `status 201` and so on. */
export type CallResult = { status: number; kind: string; body: unknown };
export type ApiCall = { method: 'GET' | 'POST' | 'DELETE'; path: string; token?: string; body?: unknown };

function kindOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name ?? 'error';
}

/** Sends one request and never throws: under load and while the server is down, a failure is a result to count. */
export async function callApi(url: string, { method, path, token, body }: ApiCall): Promise<CallResult> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, kind: `status ${response.status}`, body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    return { status: 0, kind: kindOf(error), body: null };
  }
}

/** @returns the bytes behind a link, or null with the reason */
export async function fetchBytes(url: string): Promise<{ bytes: Buffer | null; kind: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { bytes: response.ok ? bytes : null, kind: `status ${response.status}` };
  } catch (error) {
    return { bytes: null, kind: kindOf(error) };
  }
}
