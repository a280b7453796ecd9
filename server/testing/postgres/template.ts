/** The database from which those of the tests are copied. */
export const TEMPLATE = 'pbb_template';
