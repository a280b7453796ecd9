import { v7 as newId } from 'uuid';
import type { ApproveClaimBody, ClaimBody, ClaimsQuery, RejectClaimBody } from '#shared/api/dhkp/claims.ts';
import type { ClaimState } from '#shared/domain/dhkp/list-states.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { DAY_MS } from '#shared/durations.ts';
import { CLAIMS_DEFAULT, CLAIMS_PER_DAY_MAX, OPEN_CLAIMS_MAX } from '#shared/limits.ts';
import { claimTexts, dhkpTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { createSharedRateLimit } from '#server/http/limits/shared-rate-limit.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { findAssessment } from '../assessment-queries.ts';
import { findAccountOf } from '../linking/link-queries.ts';
import type { LinkChange, LinkService } from '../linking/link-service.ts';
import * as queries from '../claim-queries.ts';

type Notice = { actor: CurrentUser; userId: string; content: string; attachmentIds?: readonly string[] };
/** Stores a notice in the transaction of the change that it tells. @returns publishes it; called after the commit */
export type StoreClaimNotice = (tx: Transaction, notice: Notice) => Promise<() => Promise<void>>;

type Answer = { state: Exclude<ClaimState, 'open'>; reason: string | null; notice: string };

/**
 * Users' requests to link an object (R-DHKP-33). A request is stored and nothing is looked up, so that neither the answer nor
 * its time tells whether the office's list has the NOP.
 */
export function createClaimService(context: ServiceContext, links: LinkService, storeNotice: StoreClaimNotice) {
  const { orm, write, policy, audit, publish, now, rateLimits, userWrites } = context;
  const claimsOfDay = createSharedRateLimit(context, 'claims', CLAIMS_PER_DAY_MAX, DAY_MS);

  function publishClaim(
    { id, userId }: Pick<queries.ClaimRow, 'id' | 'userId'>,
    state: ClaimState | 'withdrawn',
  ): void {
    publish.toUserAndAdmins(userId, 'claim:changed', { id, user_id: userId, state });
  }

  /** @throws 422 beyond the open ones, 429 beyond those of a day */
  async function requireRoom(tx: Transaction, { id }: CurrentUser): Promise<void> {
    if ((await queries.countOpenClaims(tx, id)) >= OPEN_CLAIMS_MAX) throw new AppError(422, claimTexts.tooManyOpen);
    if (!rateLimits) return;
    claimsOfDay.check(id);
    claimsOfDay.count(id);
  }

  async function storeNew(tx: Transaction, currentUser: CurrentUser, { nop, note, attachment_id: fileId }: ClaimBody) {
    await requireRoom(tx, currentUser);
    const nowMs = now();
    const claim: queries.ClaimRow = {
      id: newId(),
      userId: currentUser.id,
      nop,
      note: note ?? null,
      attachmentId: fileId ?? null,
      state: 'open',
      reason: null,
      answeredBy: null,
      createdAt: nowMs,
      updatedAt: nowMs,
    };
    await queries.insertClaim(tx, claim);
    const isSent = fileId ? await queries.isSentFile(tx, fileId, currentUser.id) : false;
    const publishNotice = await storeNotice(tx, {
      actor: currentUser,
      userId: currentUser.id,
      content: [claimTexts.noticeSent(formatNop(nop)), ...(note ? [note] : [])].join('\n'),
      attachmentIds: fileId && !isSent ? [fileId] : [],
    });
    return { claim, publishNotice };
  }

  /** @throws 404; 409 when a colleague has answered */
  async function requireOpen(tx: Transaction, id: string): Promise<queries.ClaimWithUser> {
    const found = await queries.findClaim(tx, id);
    if (!found) throw notFound(claimTexts.missing);
    if (found.claim.state !== 'open') throw conflict(claimTexts.answered(found.claim.answeredBy ?? ''));
    return found;
  }

  async function answer(tx: Transaction, currentUser: CurrentUser, claim: queries.ClaimRow, answered: Answer) {
    const { state, reason, notice } = answered;
    const after = {
      ...claim,
      state,
      reason,
      answeredBy: currentUser.name,
      updatedAt: nextUpdatedAt(claim, now()),
    };
    await queries.updateClaim(tx, after);
    await audit.claimAnswered(tx, currentUser, `claim.${state}`, after, reason);
    return storeNotice(tx, { actor: currentUser, userId: claim.userId, content: notice });
  }

  /** A request for an object that has this account already needs no link any more. */
  async function linkFor(
    tx: Transaction,
    currentUser: CurrentUser,
    { nop, userId }: queries.ClaimRow,
    assessmentId: string,
  ): Promise<LinkChange> {
    const assessment = await findAssessment(tx, assessmentId);
    if (!assessment) throw notFound(dhkpTexts.objectMissing);
    if (assessment.nop !== nop) throw invalid('assessment_id', claimTexts.otherObject);
    if ((await findAccountOf(tx, nop))?.id === userId) return { years: [], records: [] };
    return links.linkIn(tx, currentUser, assessmentId, userId, []);
  }

  return {
    /**
     * @returns false when the same NOP waits for an answer already: nothing is stored
     * @throws 401, 403 for an admin, 404 for a file that is gone, 422 beyond the open ones, 429, 507
     */
    async create(currentUser: CurrentUser, body: ClaimBody): Promise<boolean> {
      if (currentUser.isAdmin) throw forbidden();
      userWrites.requireSpace(currentUser);
      const stored = await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        if (await queries.hasOpenClaim(tx, currentUser.id, body.nop)) return null;
        return storeNew(tx, currentUser, body);
      });
      if (!stored) return false;
      publishClaim(stored.claim, 'open');
      await stored.publishNotice();
      return true;
    },

    listOwn: ({ id }: CurrentUser, { limit = CLAIMS_DEFAULT, page = 1 }: Pick<ClaimsQuery, 'limit' | 'page'>) =>
      queries.listOwnClaims(orm, id, { limit, offset: (page - 1) * limit }),

    /** @throws 401, 404 also for that of another user, 409 when it was answered */
    async withdraw(currentUser: CurrentUser, id: string): Promise<void> {
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const found = await queries.findClaim(tx, id);
        if (found?.claim.userId !== currentUser.id) throw notFound(claimTexts.missing);
        await requireOpen(tx, id);
        await queries.deleteClaim(tx, id);
      });
      publishClaim({ id, userId: currentUser.id }, 'withdrawn');
    },

    list: ({ state, limit = CLAIMS_DEFAULT, page = 1 }: ClaimsQuery) =>
      queries.listClaims(orm, state, { limit, offset: (page - 1) * limit }),

    /** @throws 401, 403, 404, 409 when it was answered, has changed, or the object has another account; 422 as a link */
    async approve(currentUser: CurrentUser, id: string, body: ApproveClaimBody): Promise<void> {
      const { claim, link, publishNotice } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const found = await requireOpen(tx, id);
        requireUnchanged(found.claim, body.updated_at);
        const linked = await linkFor(tx, currentUser, found.claim, body.assessment_id);
        const notice = claimTexts.noticeApproved(formatNop(found.claim.nop));
        const publishAnswer = await answer(tx, currentUser, found.claim, { state: 'approved', reason: null, notice });
        return { claim: found.claim, link: linked, publishNotice: publishAnswer };
      });
      links.publishLink(link);
      publishClaim(claim, 'approved');
      await publishNotice();
    },

    /** @throws 401, 403, 404, 409 when it was answered */
    async reject(currentUser: CurrentUser, id: string, { reason }: RejectClaimBody): Promise<void> {
      const { claim, publishNotice } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const { claim: open } = await requireOpen(tx, id);
        const notice = claimTexts.noticeRejected(formatNop(open.nop), reason);
        return {
          claim: open,
          publishNotice: await answer(tx, currentUser, open, { state: 'rejected', reason, notice }),
        };
      });
      publishClaim(claim, 'rejected');
      await publishNotice();
    },
  };
}
export type ClaimService = ReturnType<typeof createClaimService>;
