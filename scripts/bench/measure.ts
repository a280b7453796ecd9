import { Agent, request } from 'node:http';

export type HttpCall = { method: 'GET' | 'POST'; path: string; token?: string; body?: unknown };
export type Timing = { p50: number; p95: number; p99: number };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request and resolves with the whole answer. @throws when the status is not 2xx */
export function sendRequest(url: string, { method, path, token, body }: HttpCall): Promise<string> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      `${url}${path}`,
      {
        method,
        agent,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`));
        });
      },
    );
    clientRequest.on('error', reject);
    clientRequest.end(payload);
  });
}

export function percentiles(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (fraction: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Repeats a call one after the other, after a warm-up. @returns milliseconds */
export async function measureTiming(url: string, call: () => HttpCall, rounds: number): Promise<Timing> {
  for (let round = 0; round < Math.min(20, rounds); round += 1) await sendRequest(url, call());
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await sendRequest(url, call());
    times.push(performance.now() - from);
  }
  return percentiles(times);
}

/** Prints a table; every column but the first is aligned right. */
export function printTable(title: string, headings: string[], rows: (string | number)[][]): void {
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell)));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...text.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  process.stdout.write(`\n${title}\n${line(headings)}\n${text.map(line).join('\n')}\n`);
}
