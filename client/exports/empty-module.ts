/** Replaces the modules that jsPDF needs only to draw a web page. Reports are drawn from their own data. */
export const emptyModule = true;
