/** Logs in at a server that runs as a process. The token is empty when the login fails. */
export async function signIn(url: string, email: string, password: string) {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await response.json()) as { data?: { token: string; user: { role: string } } };
  return { status: response.status, token: data?.token ?? '', role: data?.user.role };
}
