import type { Checkpoints, Database } from '../database.ts';
import type { Connections } from './connect.ts';
import { createPostgresEngine, createReads } from './engine.ts';
import { createSharedTexts } from './shared-texts.ts';
import { createWriteProbe } from './write-probe.ts';

/** PostgreSQL writes its log by itself. */
const noCheckpoints: Checkpoints = {
  committed: () => {},
  eraseDeleted: async () => {},
  setGuard: () => {},
};

/** The database of a server on PostgreSQL. The caller ends the connections. */
export function openPostgres(connections: Connections): Database {
  const reads = createReads(connections);
  const { read: orm } = reads;
  const { takesWrites, committed } = createWriteProbe(connections);
  const readSize = async (): Promise<number> =>
    (await orm.value<number>('select pg_database_size(current_database())')) ?? 0;
  return {
    orm,
    createEngine: (observer) =>
      createPostgresEngine(connections, reads, {
        committed(ms, jobs) {
          committed();
          observer?.committed(ms, jobs);
        },
      }),
    createCheckpoints: () => noCheckpoints,
    takesWrites,
    readMarks: () => null,
    readVersion: () => null,
    readSize,
    readDiskUse: readSize,
    connectionsInUse: connections.inUse,
    primaryHost: connections.primaryHost,
    sharedTexts: createSharedTexts(connections, reads),
    countMessagesEver: async () =>
      (await orm.value<number>(
        "select coalesce(pg_sequence_last_value(pg_get_serial_sequence('messages', 'id')), 0)",
      )) ?? 0,
  };
}
