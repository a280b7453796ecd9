import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildMessage } from '../testing/build-chat-data.ts';
import { findFirstUnread } from './unread-line.ts';

it('stands above the first message of the other side that was not read at the opening, and only when all before it are loaded', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.nat(45),
      fc.nat(45),
      fc.nat(39),
      (sides, seenId, newestId, from) => {
        const all = sides.map((from_admin, index) => buildMessage({ number: index + 1, from_admin }));
        const messages = all.slice(from);
        const unread = all.filter(({ _id, from_admin }) => !from_admin && Number(_id) > seenId);
        const first = unread.find(({ _id }) => Number(_id) <= newestId);
        const isFirstOfAll = first !== undefined && first === unread[0];
        const isKnown = messages.length > 0 && from <= seenId;
        expect(findFirstUnread(messages, 'admin', { seenId, newestId })).toBe(
          isFirstOfAll && isKnown && messages.includes(first) ? first._id : null,
        );
      },
    ),
  );
});

it('stays above the same message when answers and new messages come after it', () => {
  const opened = { seenId: 1, newestId: 3 };
  const one = buildMessage({ number: 1, from_admin: false });
  const two = buildMessage({ number: 2, from_admin: false });
  const three = buildMessage({ number: 3, from_admin: true });
  const four = buildMessage({ number: 4, from_admin: false });
  expect(findFirstUnread([one, two, three], 'admin', opened)).toBe('2');
  expect(findFirstUnread([one, two, three, four], 'admin', opened)).toBe('2');
  // A message that came after the opening does not count as unread.
  expect(findFirstUnread([one, three, four], 'admin', { seenId: 1, newestId: 3 })).toBeNull();
  expect(findFirstUnread([], 'admin', opened)).toBeNull();
});
