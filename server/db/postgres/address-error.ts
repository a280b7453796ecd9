/** The database of `DATABASE_URL` cannot be used. The message is the line to show. */
export class DatabaseAddressError extends Error {}
