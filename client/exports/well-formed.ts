/** A text without halves of characters. Not `toWellFormed`: browsers from before 2023 lack it. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
