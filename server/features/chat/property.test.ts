import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { writeNotice } from '#server/testing/chat/notices.ts';
import { openTab, waitForPendingEvents, type Tab } from '#server/testing/sockets.ts';
import { ClientModel } from '#server/testing/chat/chat-client-model.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { anySteps, runSteps, sendStep } from '#server/testing/chat/chat-steps.ts';

it('keeps counts, positions and order right after any sequence of actions, and every client equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (all) => {
      const chat = await buildChatApp();
      const { test } = chat;
      const participants = [buildAdmin(test), buildAdmin(test), buildTestUser(test), buildTestUser(test)];
      await runSteps([chat], participants, all);
    }),
    { numRuns: 40 },
  );
});

it('leaves every client equal to a fresh load after any concurrent actions', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (all) => {
      const chat = await buildChatApp();
      const participants = [
        buildAdmin(chat.test),
        buildAdmin(chat.test),
        buildTestUser(chat.test),
        buildTestUser(chat.test),
      ];
      const [ratna, , ...users] = participants as [SignedInUser, SignedInUser, SignedInUser, SignedInUser];
      const tabs = await Promise.all(participants.map(async (currentUser) => openTab(chat.test, currentUser)));
      const models = await Promise.all(
        participants.map(async (currentUser) => ClientModel.load(chat, currentUser, users, ratna)),
      );
      for (let at = 0; at < all.length; at += 8) {
        await Promise.all(
          all.slice(at, at + 8).map(async (step) => {
            const currentUser = participants[step.participantIndex] as SignedInUser;
            if (!('userIndex' in step)) return;
            const conversationUser = currentUser.isAdmin ? (users[step.userIndex] as SignedInUser) : currentUser;
            const receiver = currentUser.isAdmin ? conversationUser : ratna;
            if (step.do === 'send') await sendStep(chat, [currentUser, receiver, conversationUser], step);
            else if (step.do === 'notice') await writeNotice(chat, currentUser, conversationUser);
            else if (step.do === 'see') await chat.see(currentUser, receiver.id);
            else if (step.do === 'clear' && currentUser.isAdmin) await chat.clear(currentUser, conversationUser.id);
            else
              tabs[step.participantIndex]?.socket.emit('delivered', {
                user_id: conversationUser.id,
                up_to: String(step.do === 'deliver' ? (step.upTo ?? 99) : 0),
              });
          }),
        );
      }
      await waitForPendingEvents(chat.test, ...tabs);
      for (const [participantIndex, currentUser] of participants.entries()) {
        models[participantIndex]?.applyEvents(tabs[participantIndex] as Tab);
        const fresh = await ClientModel.load(chat, currentUser, users, ratna);
        expect(models[participantIndex]?.snapshot()).toEqual(fresh.snapshot());
        tabs[participantIndex]?.close();
      }
    }),
    { numRuns: 25 },
  );
});
