import type { TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';

/** Inserts messages of one day, of different heights, into a conversation. */
export function addMessages(testServer: TestServer, user: TestUser, count: number): void {
  testServer.withDatabase((database) => {
    const insert = database.prepare(
      `insert into messages (user_id, sender_id, sender_name, from_admin, content, prev_id, side_ordinal, created_at)
       values (@id, @id, @name, 0, @content, @prev, @number, @at)`,
    );
    // Behind what was sent before.
    const state = database
      .prepare('select last_message_id as lastId, user_ordinal as ordinal from conversations where user_id = ?')
      .get(user.id) as { lastId: number; ordinal: number };
    let prev: number | bigint | null = state.lastId || null;
    for (let number = 1; number <= count; number += 1) {
      const content = `Nomor ${number}; ${'kata '.repeat((number * 7) % 40)}`;
      prev = insert.run({
        id: user.id,
        name: user.name,
        content,
        prev,
        number: state.ordinal + number,
        at: Date.now(),
      }).lastInsertRowid;
    }
    database
      .prepare('update conversations set last_message_id = ?, user_ordinal = ? where user_id = ?')
      .run(prev, state.ordinal + count, user.id);
  });
}
