/** The answers that the directory expects at `/.well-known/acme-challenge/{token}` while it checks the names. */
export type Challenges = {
  /** @returns the body of the answer; null for a token that nobody asked for */
  find: (token: string) => string | null;
  put: (token: string, keyAuthorization: string) => void;
  remove: (token: string) => void;
};

/** They are kept in memory: an order that a restart broke off starts again with other tokens. */
export function createChallenges(): Challenges {
  const answers = new Map<string, string>();
  return {
    find: (token) => answers.get(token) ?? null,
    put: (token, keyAuthorization) => void answers.set(token, keyAuthorization),
    remove: (token) => void answers.delete(token),
  };
}
