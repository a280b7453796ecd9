/** The key of the hash of accounts without a password consists of zeros; no password has such a hash. */
export const hasPassword = (hash: string): boolean => !/\$A+$/.test(hash);
