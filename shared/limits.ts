import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

/** Sizes, timings and bounds of docs/requirements.md, with the unit in the name. */

export const PASSWORD_MIN_REGISTER = 8;
export const PASSWORD_MIN_ADMIN_CREATE = 6;
/** Long enough for any pass phrase, and short enough that hashing it cannot be used as an attack. */
export const PASSWORD_MAX = 200;

export const DEVICE_TOKEN_MAX = 200;
export const NAME_MAX = 255;
export const EMAIL_MAX = 254;
export const ADDRESS_MAX = 1000;
export const SPT_NUMBER_MAX = 100;
export const LONG_TEXT_MAX = 5000;
export const SEARCH_MAX = 200;

export const AMOUNT_MAX_RUPIAH = 999_999_999_999;
export const AMOUNT_STEP_RUPIAH = 1000;

/** The only year of the records that users create, until an admin opens others (R-YEAR-12). */
export const USER_RECORD_YEAR = 2025;
/** Number of tax years that may be open for users. */
export const OPEN_YEARS_MAX = 6;
/** Copies of one new-year call that names its records; they are stored in one transaction. */
export const ROLLOVER_RECORDS_MAX = 500;
export const YEAR_MIN = 2020;
export const YEAR_MAX = 2030;
/** Years that the filter of the own list always offers, beside those of its rows (R-REC-14). */
export const FILTER_YEARS = [2024, 2023, 2022] as const;

/** The longest period of a report on all records, and how many owners it names (R-REPORT-12). */
export const REPORT_YEARS_MAX = 100;
export const REPORT_OWNERS_MAX = 20;

export const PROOF_MAX_BYTES = 5_242_880;
/** Sizes in a text or a setting are in these. */
export const BYTES_PER_MB = 1_048_576;
/** The quota of an account, unless the settings say otherwise (R-REC-27). */
export const QUOTA_RECORDS_DEFAULT = 500;
export const QUOTA_PROOFS_MB_DEFAULT = 300;
/** A record as JSON, and the fields of a form: room for texts that are too long, so that the answer can name them. */
export const BODY_MAX_BYTES = 1_048_576;
/** Every other JSON body; a message of 2,000 characters is 12 KB when each is escaped. */
export const JSON_MAX_BYTES = 65_536;
/** A body that anybody may send without a session. */
export const SESSIONLESS_JSON_MAX_BYTES = 16_384;

/** The time zone of the server and of the dates on its pages, unless the setting names another (R-RUN-1). */
export const DEFAULT_TIME_ZONE = 'Asia/Jakarta';

export const API_TIMEOUT_MS = 10_000;
export const TOAST_MS = 3000;
/** A toast with a button that undoes what was done: long enough to read the number and to decide. */
export const UNDO_TOAST_MS = 8000;
/** For what an admin does with conversations (R-INBOX-20). */
export const INBOX_UNDO_MS = 6000;
export const TOAST_EXIT_MS = 300;
export const AUTH_OVERLAY_MS = 2000;
export const REDIRECT_AFTER_CREATE_MS = 1500;
export const REDIRECT_AFTER_EDIT_MS = 1500;
export const REDIRECT_AFTER_LOAD_ERROR_MS = 1500;
export const REDIRECT_AFTER_ADMIN_CREATE_MS = 1200;
export const EXPORT_WAIT_MS = 2000;

export const ACTIVITY_PER_PAGE = 5;
/** An unpaid record is due soon from this many days before its due date. */
export const DUE_SOON_DAYS = 30;
export const OWN_RECORDS_DEFAULT = 1000;
export const ADMIN_RECORDS_DEFAULT = 50;
export const ADMIN_RECORDS_MAX = 1000;
/** Changes of one call that edits many records. */
export const BULK_RECORDS_MAX = 1000;
export const ADMIN_USERS_DEFAULT = 50;
export const ADMIN_USERS_MAX = 200;

export const SESSION_MAX_MS = 30 * DAY_MS;
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** The activation of a card (R-ACCESS-41), and the wrong ones that end it. */
export const CARD_ACTIVATION_MS = 30 * DAY_MS;
export const CARD_ACTIVATIONS_WRONG_MAX = 10;
/** Entries by one card in an hour: each is a line of the own log for ever. */
export const CARD_ENTRIES_MAX = 60;
export const CARD_ENTRIES_WINDOW_MS = 60 * MINUTE_MS;
/** Unknown codes of cards whose wrong tries are remembered. */
export const UNKNOWN_CARDS_MAX = 2000;
/** Objects that one call links to a new account without an e-mail address. */
export const ASSISTED_OBJECTS_MAX = 20;
/** Ways back into an account (R-ACCESS): codes, requests, and how long a number must have been an account's own. */
export const RECOVERY_CODE_MS = DAY_MS;
export const RECOVERY_REQUEST_MS = 7 * DAY_MS;
export const PHONE_PROVEN_MS = 7 * DAY_MS;
/** A former address may ask for a way back, nobody else may take it, and the office may take its change back. */
export const FORMER_EMAIL_MS = 7 * DAY_MS;
export const EMAIL_CHANGES_MAX = 5;
/** Asking for a way back: of one identifier and of one address, in an hour. */
export const RECOVERY_ASKS_MAX = 5;
export const RECOVERY_ASKS_OF_ADDRESS_MAX = 60;
export const RECOVERY_ASKS_WINDOW_MS = 60 * MINUTE_MS;
/** Accounts that one number may name in a request, and requests in an answer. */
export const RECOVERY_USERS_MAX = 20;
export const RECOVERIES_MAX = 200;
/** The second factor (R-ACCESS-60): its recovery codes, the life of a ticket, of a set-up that is not confirmed, and of a set-up code. */
export const FACTOR_CODES = 10;
/** Digits of a code of the app. */
export const FACTOR_DIGITS = 6;
export const TICKET_MS = 5 * MINUTE_MS;
export const TICKET_WRONG_MAX = 5;
export const ACCOUNT_TICKETS_MAX = 20;
export const FACTOR_SETUP_MS = 60 * MINUTE_MS;
export const SETUP_CODE_MS = DAY_MS;
/** After the office took a factor away, its admin alone opens the account by no way. */
export const FACTOR_REMOVED_MS = DAY_MS;
/** Erasure (R-ACCESS-85): an approval waits so long, and the hours to its deadline, which is the term of the law. */
export const ERASURE_WAIT_MS = DAY_MS;
export const ERASURE_HOURS_DEFAULT = 72;
export const ERASURE_REASON_MIN = 3;
export const ERASURE_REASON_MAX = 500;
export const ERASURES_MAX = 200;
/** Retention (R-ACCESS-91): an announcement stands so long before the first deletion, and the bounds of the months. */
export const RETENTION_ANNOUNCED_MS = 30 * DAY_MS;
export const RETENTION_MONTHS_MIN = 6;
export const RETENTION_MONTHS_MAX = 600;
/** The terms that the page offers, in months; the call takes any within the bounds. */
export const RETENTION_CHOICES = [12, 24, 36, 60, 120] as const;
export const IDENTIFIER_MAX = 254;
export const CODE_TYPED_MAX = 50;
export const CODE_NOTE_MAX = 300;
export const LOGIN_ATTEMPTS_MAX = 10;
export const LOGIN_WINDOW_MS = 15 * MINUTE_MS;
/** For all accounts together; many people may share one address. */
export const ADDRESS_FAILURES_MAX = 100;
/** Beyond them, for accounts of which nobody tried a wrong password there. */
export const ADDRESS_FAILURES_RESERVED_MAX = 100;
export const ADDRESS_REGISTRATIONS_MAX = 300;
export const ADDRESS_REGISTRATIONS_WINDOW_MS = 60 * MINUTE_MS;
/** More devices and tabs than one person has; a new session ends the oldest one beyond it. */
export const ACCOUNT_SESSIONS_MAX = 20;

export const MESSAGE_MAX = 2000;
/** Characters of a quoted message. */
export const QUOTE_MAX = 200;
/** Files of one message, and those that an account has uploaded but not sent. */
export const ATTACHMENTS_PER_MESSAGE_MAX = 4;
export const UNSENT_ATTACHMENTS_MAX = 20;
/** A file that no message carries is removed after this time. */
export const UNSENT_ATTACHMENT_MS = DAY_MS;
export const ATTACHMENT_MAX_BYTES = 5_242_880;
/** The small image that the sender's browser makes beside a photo. */
export const THUMB_MAX_BYTES = 40_960;
export const ATTACHMENT_NAME_MAX = 200;
/** Why an admin rejects a reported payment. */
export const REASON_MAX = 500;
export const HISTORY_DEFAULT = 50;
export const HISTORY_MAX = 200;
export const CONVERSATIONS_DEFAULT = 20;
export const CONVERSATIONS_MAX = 100;
/** Results of one page of the search over messages. */
export const SEARCH_RESULTS_MAX = 50;
export const SEARCH_RESULTS_DEFAULT = 20;
/** The longest snooze of a conversation. */
export const SNOOZE_MAX_MS = 90 * DAY_MS;
/** When a claim ends by itself (R-INBOX-2). */
export const CLAIM_IDLE_MS = 30 * MINUTE_MS;
export const CLAIM_ABSENCE_MS = MINUTE_MS;
export const CLAIM_WAIT_MS = 15 * MINUTE_MS;
/** From these on the list marks a wait in amber and in red. */
export const WAIT_AMBER_MS = 2 * MINUTE_MS;
export const WAIT_RED_MS = 10 * MINUTE_MS;
/** Notes about one conversation. */
export const NOTES_MAX = 200;
/** The longest transcript: its messages, and the characters of all of them. */
export const TRANSCRIPT_MESSAGES_MAX = 5000;
export const TRANSCRIPT_CHARACTERS_MAX = 2_000_000;
/** Conversations that an admin can have open side by side. */
export const COLUMNS_MAX = 4;
export const SHORTCUT_MAX = 32;
export const TITLE_MAX = 80;
/** Quick replies that all admins share, and those of one admin. */
export const SHARED_REPLIES_MAX = 500;
export const OWN_REPLIES_MAX = 200;
/** Reads of the office's hours, or of its name, by one address without a session (R-OFFICE-10, R-OFFICE-21). */
export const PUBLIC_OFFICE_MAX = 60;
export const PUBLIC_OFFICE_WINDOW_MS = 60_000;

/** A user's screen reads the state of the office again after this time, when no event can tell it. */
export const OFFICE_POLL_MS = 30_000;
export const HOLIDAYS_MAX = 200;
export const HOLIDAY_NAME_MAX = 100;
/** A usual wait is promised only while at most so many wait before the user (R-OFFICE-7). */
export const FEW_WAITING_MAX = 3;
/** The identity of the office (R-OFFICE-20). */
export const OFFICE_NAME_MAX = 100;
export const OFFICE_ADDRESS_MAX = 300;
export const OFFICE_PHONE_MAX = 30;
export const OFFICE_WHATSAPP_MAX = 20;
export const LOGO_MAX_BYTES = 1_048_576;
/** The usual wait is shown only when so many answers of the last days tell it (R-OFFICE-3). */
export const MEDIAN_ANSWERS_MIN = 20;
export const MEDIAN_DAYS = 7;
export const CHAT_POLL_CONVERSATION_MS = 5000;
export const CHAT_POLL_NEW_MS = 3000;
export const CHAT_POLL_LIST_MS = 10_000;
export const TYPING_TIMEOUT_MS = 6000;
export const NOTIFICATION_PREVIEW_MAX = 50;
export const BADGE_MAX = 9;
/** The longest address of a push subscription; those of the known services have about 200 characters. */
export const PUSH_ENDPOINT_MAX = 2000;
export const AT_BOTTOM_PX = 48;
/** Messages that one account may send in a window; normal use stays far below it (R-CHAT-12). */
export const SENDS_MAX = 50;
export const SENDS_WINDOW_MS = 10_000;
/** Messages of one user in a day, so that nobody fills the disk; an account costs nothing (R-API-20). */
export const USER_MESSAGES_PER_DAY_MAX = 2000;
/** Changes by one user that the audit keeps for ever: at once all records of a quota, on average one a second. */
export const USER_CHANGES_MAX = 600;
export const USER_CHANGES_WINDOW_MS = 10 * MINUTE_MS;
export const USER_CHANGES_PER_DAY_MAX = 2000;
/** Client events that one socket may send in a window; the server drops the rest without an answer (R-EVENT-7). */
export const CLIENT_EVENTS_MAX = 40;
export const CLIENT_EVENTS_WINDOW_MS = 5000;

/** Copies of the own data that an account may ask for in a day (R-ACCESS-76). */
export const EXPORTS_PER_DAY_MAX = 3;

export const AUDIT_DEFAULT = 50;
export const AUDIT_MAX = 200;

/** With the envelope around it the answer stays below 50 kB (R-OFFICE-6). */
export const CHAT_STATISTICS_MAX_BYTES = 49_500;

/** A list of the tax office as a file, and its years (R-DHKP-2). */
export const LIST_FILE_MAX_BYTES = 20_971_520;
export const LIST_YEAR_MIN = 1994;
/** Imports that are neither applied nor discarded. */
export const OPEN_BATCHES_MAX = 3;
export const BATCHES_DEFAULT = 50;
export const BATCHES_MAX = 200;
export const BATCH_ROWS_DEFAULT = 100;
export const BATCH_ROWS_MAX = 500;
/** Columns of a sheet that are read; choices name them from 0. */
export const LIST_COLUMNS_MAX = 200;
/** Choices of columns that are remembered for files with the same headers. */
export const LAYOUTS_MAX = 100;
/** The applied imports of a year whose file and rows are kept. */
export const KEPT_BATCHES = 2;
export const CONTROL_REASON_MIN = 5;
export const CONTROL_REASON_MAX = 300;
/** Objects of the list on a page, and of one call that changes many. */
export const ASSESSMENTS_DEFAULT = 50;
export const ASSESSMENTS_MAX = 1000;
export const BULK_OBJECTS_MAX = 5000;
/** Rows that an answer names when they keep an import from being reverted. */
export const USED_ROWS_SHOWN = 100;
export const HANDED_OUT_TO_MAX = 100;
/** Proposals of accounts for an object without one (R-DHKP-30). */
export const MATCHES_DEFAULT = 50;
export const MATCHES_MAX = 200;
export const CANDIDATES_MAX = 5;
/** Requests of one account to link an object: those that wait for an answer, and all of a day (R-DHKP-33). */
export const OPEN_CLAIMS_MAX = 10;
export const CLAIMS_PER_DAY_MAX = 20;
export const CLAIM_NOTE_MAX = 500;
export const CLAIMS_DEFAULT = 50;
export const CLAIMS_MAX = 100;
export const CLAIM_REASON_MIN = 3;
export const CLAIM_REASON_MAX = 500;
/** Digits of a NOP from which on a search looks for a part of it. */
export const NOP_PART_MIN = 4;
export const AREAS_MAX = 2000;
export const AREA_NAME_MAX = 100;
/** Tax years with a due date of their own in the settings of the list. */
export const DUE_YEARS_MAX = 100;

/** Beyond this age the backup that an operator makes of PostgreSQL is late: a day, and time for the backup itself. */
export const OUTSIDE_BACKUP_MAX_AGE_MS = 26 * HOUR_MS;
