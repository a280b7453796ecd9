import type { SignedInUser } from '../factories.ts';
import type { TestApp } from '../test-app.ts';

/** Writes a notice into a conversation, as a change of a record does. */
export async function writeNotice(
  { test }: { test: TestApp },
  actor: SignedInUser,
  user: { id: string },
  options: { content?: string; recordId?: string } = {},
): Promise<void> {
  const notice = { actor, userId: user.id, content: 'Bukti disimpan', ...options };
  const publish = await test.context.write((tx) => test.storeNotice(tx, notice));
  await publish();
}
