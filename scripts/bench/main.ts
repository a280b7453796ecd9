import { cpus, totalmem } from 'node:os';
import { benchBackup } from './backup.ts';
import { benchChat } from './chat/chat.ts';
import { benchColumns } from './pages/columns.ts';
import { benchExports } from './exports.ts';
import { benchFlood } from './load/flood.ts';
import { benchInbox } from './chat/inbox.ts';
import { benchKill } from './load/kill.ts';
import { benchList } from './pages/list.ts';
import { benchMessages } from './chat/messages.ts';
import { benchMorning } from './chat/morning.ts';
import { benchPush } from './chat/push.ts';
import { benchPackage } from './package.ts';
import { benchPages } from './pages/pages.ts';
import { benchPhoto } from './pages/photo.ts';
import { benchRecords } from './records.ts';
import { benchSearch } from './search/search.ts';
import { benchSoak } from './load/soak.ts';
import { benchStartUp } from './start-up.ts';
import { benchUploads } from './uploads.ts';

/** `npm run bench [-- part …]`. All parts use 127.0.0.1 only. */
const parts: Record<string, (...numbers: number[]) => Promise<void>> = {
  'start-up': benchStartUp,
  records: () => benchRecords([100_000, 200_000, 1_000_000]),
  chat: benchChat,
  messages: benchMessages,
  push: benchPush,
  inbox: (conversations = 20_000) => benchInbox(conversations),
  uploads: benchUploads,
  search: benchSearch,
  backup: benchBackup,
  package: benchPackage,
  exports: benchExports,
  columns: benchColumns,
  list: benchList,
  pages: benchPages,
  photo: benchPhoto,
  kill: benchKill,
  flood: benchFlood,
};
/** Parts that run only when they are named, because they take as long as one wants. */
const longParts: typeof parts = { soak: benchSoak, morning: benchMorning };

type ChosenPart = { run: (...numbers: number[]) => Promise<void>; numbers: number[] };

/** Reads `kill 200 7 chat`: names of parts, each with the numbers for it. */
function readChoice(words: string[]): ChosenPart[] {
  const chosen: ChosenPart[] = [];
  const known = { ...parts, ...longParts };
  for (const word of words) {
    const run = known[word];
    const last = chosen.at(-1);
    if (run) chosen.push({ run, numbers: [] });
    else if (last && /^\d+$/.test(word)) last.numbers.push(Number(word));
    else throw new Error(`no part named ${word}; there are ${Object.keys(known).join(', ')}`);
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
