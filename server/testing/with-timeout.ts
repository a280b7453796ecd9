/** Nothing that is awaited takes so long on a slow machine, and what hangs, hangs for longer. */
const DEFAULT_MS = 30_000;

/** Rejects with an error that names what was awaited. */
export async function withTimeout<T>(what: string, promise: Promise<T>, timeoutMs = DEFAULT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${timeoutMs} ms for ${what}`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
