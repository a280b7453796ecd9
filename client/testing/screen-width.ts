/** How wide the screen of a test is: narrow (lists show cards) unless the test sets `screenWidth.wide = true`. */
export const screenWidth = { wide: false };
