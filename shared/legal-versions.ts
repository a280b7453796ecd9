/** The texts that a registration accepts. A text that changes gets a new version, and each user is asked once (R-ACCESS-81). */

export const LEGAL_DOCUMENTS = ['terms', 'privacy'] as const;
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number];

/** The day on which each text began; `legal-texts.test.ts` fails when a text changes without a new one. */
export const legalVersions: Record<LegalDocument, string> = { terms: '2025-01-01', privacy: '2026-11-29' };

/** The present version of each text. */
export const presentTexts = LEGAL_DOCUMENTS.map((document) => ({ document, version: legalVersions[document] }));

type TextVersion = (typeof presentTexts)[number];
export const isSameVersion = (one: TextVersion, other: TextVersion): boolean =>
  one.document === other.document && one.version === other.version;
