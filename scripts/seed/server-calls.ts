/** The calls of a running server, as one account makes them. */
export type Office = { url: string; token: string };
type Sent = { method?: string; body?: unknown };

export async function call<T>({ url, token }: Office, path: string, { method = 'GET', body }: Sent = {}): Promise<T> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const { data, message } = (await answer.json()) as { data: T; message: string };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${message}`);
  return data;
}

export async function signIn(url: string, email: string, password: string): Promise<Office> {
  const { token } = await call<{ token: string }>({ url, token: '' }, '/auth/login', {
    method: 'POST',
    body: { email, password },
  });
  return { url, token };
}
