import type { z } from 'zod';
import { LOGO_FIELD, type OfficeIdentity, type officeIdentityBody } from '#shared/api/office/office-identity.ts';
import { identityTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import { invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { findOfficeIdentity, type OfficeIdentityRow, saveOfficeIdentity } from '#server/office/office-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ImageFiles } from '#server/uploads/image-files.ts';
import { createPublicReads } from '../public-reads.ts';

/** Below it is the public path of the logo; the name of its file follows. */
export const LOGO_PATH = '/uploads/logo';

const EMPTY: OfficeIdentityRow = { name: '', address: '', phone: '', whatsapp: '', logoFile: null, updatedAt: 0 };

const presentIdentity = ({ name, address, phone, whatsapp, logoFile }: OfficeIdentityRow): OfficeIdentity => ({
  name,
  address,
  phone,
  whatsapp,
  logo_url: logoFile === null ? null : `${LOGO_PATH}/${logoFile}`,
});

/** The identity of the office: read by everybody, changed by admins (R-OFFICE-20 to R-OFFICE-22). */
export function createIdentityService(context: ServiceContext, images: ImageFiles) {
  const { orm, write, policy, audit, publish, now } = context;
  const stored = async (): Promise<OfficeIdentityRow> => (await findOfficeIdentity(orm)) ?? EMPTY;

  /** Inside a transaction. @throws 401, 403 */
  async function change(tx: Transaction, currentUser: CurrentUser, changes: Partial<OfficeIdentityRow>) {
    await policy.requireLiveAdmin(tx, currentUser);
    const before = (await findOfficeIdentity(tx)) ?? EMPTY;
    const after = { ...before, ...changes, updatedAt: now() };
    await audit.officeIdentityChanged(tx, currentUser, before, after);
    await saveOfficeIdentity(tx, after);
    return { before, after };
  }

  /** Tells every open page. */
  function published(row: OfficeIdentityRow): OfficeIdentity {
    const identity = presentIdentity(row);
    publish.toUsers('office:identity', identity);
    publish.toAdmins('office:identity', identity);
    return identity;
  }

  /** Stores another logo, or none, and removes the file of the one before. */
  async function changeLogo(currentUser: CurrentUser, upload: FormFile | undefined): Promise<OfficeIdentity> {
    const row = await images.keep(upload, (logo) =>
      write(async (tx) => {
        const { before, after } = await change(tx, currentUser, { logoFile: logo?.name ?? null });
        return { value: after, removedImage: before.logoFile };
      }),
    );
    return published(row);
  }

  return {
    current: async (): Promise<OfficeIdentity> => presentIdentity(await stored()),

    /** For an answer to a caller without a session. @throws 429 after too many from one address */
    countPublicRead: createPublicReads(context),

    /** Whether a file is the logo of now. */
    isLogo: async (file: string): Promise<boolean> => (await stored()).logoFile === file,

    /** @param texts those that are absent stay. @throws 401, 403 */
    async save(
      currentUser: CurrentUser,
      { name, address, phone, whatsapp }: z.output<typeof officeIdentityBody>,
    ): Promise<OfficeIdentity> {
      const sent = {
        ...(name === undefined ? {} : { name }),
        ...(address === undefined ? {} : { address }),
        ...(phone === undefined ? {} : { phone }),
        ...(whatsapp === undefined ? {} : { whatsapp }),
      };
      return published((await write((tx) => change(tx, currentUser, sent))).after);
    },

    /** @throws 401, 403, 415, 422 without an image, 507 */
    async saveLogo(currentUser: CurrentUser, upload: FormFile | undefined): Promise<OfficeIdentity> {
      if (!upload) throw invalid(LOGO_FIELD, identityTexts.logoRequired);
      return changeLogo(currentUser, upload);
    },

    /** @throws 401, 403 */
    removeLogo: (currentUser: CurrentUser): Promise<OfficeIdentity> => changeLogo(currentUser, undefined),
  };
}
export type IdentityService = ReturnType<typeof createIdentityService>;
