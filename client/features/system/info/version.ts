/** The product's version as its people see it. */
export const CLIENT_VERSION = '1.0.0';
