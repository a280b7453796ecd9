/** The address of the handbook for the office; each chapter is a page below it, named by its heading. */
export const HANDBOOK_PATH = '/panduan';
