const ADDRESS = /w-(\d{4})(\d{4})@tanpa-email\.invalid/gi;

/** The e-mail address of a person as people read it, alone or inside a text: 'Tanpa email · no. 4821-7735' in place of one that nobody can own (R-ACCESS-8). */
export const emailText = (text: string): string => text.replaceAll(ADDRESS, 'Tanpa email · no. $1-$2');
