import { cpus, totalmem } from 'node:os';
import { benchChat } from './chat.ts';
import { benchClaims } from './claims.ts';
import { benchCluster } from './cluster/cluster.ts';
import { benchFlood } from './flood.ts';
import { benchImport } from './import.ts';
import { benchImportKill } from './import-kill/import-kill.ts';
import { benchKill } from './kill/kill.ts';
import { benchMessages } from './messages.ts';
import { benchPages } from './pages/pages.ts';
import { benchPostgres } from './postgres/postgres.ts';
import { benchPrice } from './price.ts';
import { benchRecords } from './records.ts';
import { benchRegency } from './regency/regency.ts';
import { benchSends } from './regency/sends.ts';

/** `npm run bench [-- part …]`. All parts use 127.0.0.1 only. */
const parts: Record<string, (...numbers: number[]) => Promise<void>> = {
  chat: benchChat,
  messages: benchMessages,
  records: benchRecords,
  regency: benchRegency,
  'regency-sends': benchSends,
  pages: benchPages,
  price: benchPrice,
  flood: benchFlood,
  import: benchImport,
  claims: benchClaims,
  'import-kill': benchImportKill,
  kill: benchKill,
  cluster: benchCluster,
  postgres: benchPostgres,
};

type ChosenPart = { run: (...numbers: number[]) => Promise<void>; numbers: number[] };

/** Reads `kill 200 7 chat`: names of parts, each with the numbers for it. */
function readChoice(words: string[]): ChosenPart[] {
  const chosen: ChosenPart[] = [];
  for (const word of words) {
    const run = parts[word];
    const last = chosen.at(-1);
    if (run) chosen.push({ run, numbers: [] });
    else if (last && /^\d+$/.test(word)) last.numbers.push(Number(word));
    else throw new Error(`no part named ${word}; there are ${Object.keys(parts).join(', ')}`);
  }
  return chosen;
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const memory = Math.round(totalmem() / 2 ** 30);
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${memory} GiB, Node ${process.version}\n`);
  for (const { run, numbers } of readChoice(words.length > 0 ? words : Object.keys(parts))) await run(...numbers);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
