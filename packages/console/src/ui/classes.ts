/** Joins class names, leaving out what is falsy. */
export const classes = (...names: unknown[]): string => names.filter(Boolean).join(" ");
