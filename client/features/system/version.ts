/** The product's version as its people see it. */
export const APP_VERSION = '1.0.0';
