import { cpus, totalmem } from 'node:os';
import { benchBackup } from './backup.ts';
import { benchChat } from './chat.ts';
import { benchPackage } from './package.ts';
import { benchRecords } from './records.ts';
import { benchStartUp } from './start-up.ts';

/** `npm run bench [-- part …]`. All parts use 127.0.0.1 only. */
const parts: Record<string, () => Promise<void>> = {
  'start-up': benchStartUp,
  records: () => benchRecords([100_000, 200_000, 1_000_000]),
  chat: benchChat,
  backup: benchBackup,
  package: benchPackage,
};

async function main(): Promise<void> {
  const chosen = process.argv.slice(2);
  const memory = Math.round(totalmem() / 2 ** 30);
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${memory} GiB, Node ${process.version}\n`);
  for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
    const part = parts[name];
    if (!part) throw new Error(`no part named ${name}; there are ${Object.keys(parts).join(', ')}`);
    await part();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
