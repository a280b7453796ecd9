/** What is known of the certificate for the public names. Instants are ISO 8601. */
export type AcmeStatus = {
  /** The names in `TLS_DOMAIN`. */
  names: string[];
  /** The names in the certificate that https shows; others are still missing in it. */
  certified_names: string[];
  /** The end of that certificate; null when there is none that works. */
  valid_until: string | null;
  /** The directory is being asked for one right now. */
  issuing: boolean;
  /** Attempts that failed one after another; 0 after a success. */
  failed_attempts: number;
  /** Why the last attempt failed, in Indonesian, saying what to do; null after a success. */
  last_error: { at: string; message: string } | null;
  /** When the directory is asked next, for the first certificate, again after a failure, or for the renewal. */
  next_attempt_at: string | null;
};
