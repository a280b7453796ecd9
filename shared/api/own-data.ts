import { z } from 'zod';
import { LEGAL_DOCUMENTS } from '../legal-versions.ts';
import { EXPORTS_PER_DAY_MAX } from '../limits.ts';
import { singleOf } from './envelope.ts';

/** The copy of the own data, and which texts an account has accepted (R-ACCESS-75 to R-ACCESS-83). */

export const ownDataTexts = {
  running: 'Salinan data Anda sedang dibuat',
  tooMany: `Salinan data dapat dibuat ${EXPORTS_PER_DAY_MAX} kali sehari. Coba lagi besok.`,
  documentUnknown: 'Teks tidak dikenal',
  versionOld: 'Teks ini sudah diganti. Baca yang baru dulu.',
} as const;

const EXPORT_STATES = ['none', 'running', 'ready', 'failed'] as const;

/** The progress of a copy; `ahead`: how many copies of others are made before it. Both null unless it is running. */
const progress = { state: z.enum(EXPORT_STATES), percent: z.number().nullable(), ahead: z.number().nullable() };

const ownExport = z
  .object({
    ...progress,
    /** A link of this session, for ten minutes; no header is needed. Null unless the copy is ready, as the next two. */
    url: z.string().nullable(),
    /** When the file is deleted. */
    expires_at: z.string().nullable(),
    bytes: z.number().nullable(),
  })
  .meta({ id: 'SalinanData' });
export type OwnExport = z.infer<typeof ownExport>;
export type ExportProgress = Pick<OwnExport, keyof typeof progress>;
export const ownExportAnswer = singleOf(ownExport);

/** A text that the account has not accepted in its present version. */
export const consentDue = z.object({ document: z.enum(LEGAL_DOCUMENTS), version: z.string() });
export type ConsentDue = z.infer<typeof consentDue>;

export const consentBody = z.object({
  document: z.enum(LEGAL_DOCUMENTS, { error: ownDataTexts.documentUnknown }),
  version: z.string({ error: ownDataTexts.versionOld }),
});
export type ConsentBody = z.infer<typeof consentBody>;
