/** The screen width of a test: narrow (lists show cards) unless the test sets `screenWidth.wide = true`. */
export const screenWidth = { wide: false };
