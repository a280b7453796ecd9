import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** A line to a server that a test can cut: every connection ends, and none is accepted. It can also fall silent. */
export async function startCuttableLine(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const line = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => {
        if (!isSilent) other.write(bytes);
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const address = line.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    cut,
    /** Connections stay and are accepted, but nothing goes through any more. */
    silence: (): void => {
      isSilent = true;
    },
    restore: (): void => {
      isCut = false;
      isSilent = false;
    },
    close: async (): Promise<void> => {
      cut();
      line.close();
      await once(line, 'close');
    },
  };
}
