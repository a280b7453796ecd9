/** In place of what jsPDF would load to draw a web page: our reports are drawn from their own data. */
export const emptyModule = true;
